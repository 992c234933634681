package nested;

/** An interface in a class in an interface. */
interface Sandwich {

    int LAYERS = 3;

    void eat();

    class Filling implements Sandwich {

        public void eat() {
        }

        interface Sauce {
            default Sandwich pour() {
                return new Filling();
            }

            @interface Hot {
                int level() default 1;
            }
        }
    }

    static Sandwich plain() {
        return () -> {
        };
    }

    private void wrap() {
    }
}
