/** A program in the default package, with a helper in the same file. */
public class Main {

    public static void main(String[] args) {
        new Countdown(3).run();
        System.out.println(Alone.greet("you"));
    }
}

class Countdown implements Runnable {

    private int left;

    Countdown(int left) {
        this.left = left;
    }

    @Override
    public void run() {
        while (left > 0) {
            System.out.println(left--);
        }
    }
}
