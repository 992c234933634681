package layout;

class ManyFields {

    int a, b = 2, c[];

    /** One comment for three. */
    private static final String first = "1",
            second = "2, 3 = 4;",
            third = null;

    int[] d, e[], f = {1, 2, 3};

    Runnable run = () -> { int inside, other; }, again = new Runnable() {
        int x, y;

        public void run() {
        }
    }, last;

    @Deprecated
    public volatile long m, n
            , o;

    void locals() {
        int p, q = 1, r[] = {2};
    }
}
