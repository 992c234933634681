package nested;

import java.util.concurrent.Callable;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.Supplier;

class Lambdas {

    Runnable nothing = () -> {};

    Function<Integer, Function<Integer, Function<Integer, Integer>>> curried = a -> b -> c -> {
        BinaryOperator<Integer> plus = (left, right) -> left + right;
        return plus.apply(a, plus.apply(b, c));
    };

    Supplier<Supplier<Object>> withClass = () -> () -> new Object() {
        String shown = "x";

        public String toString() {
            return shown;
        }
    };

    Supplier<Thread> reference = Thread::new, second = Thread::currentThread;

    Function<Integer, int[]> array = int[]::new;

    void run() throws Exception {
        Callable<Integer> call = () -> {
            enum Local { ONE }
            interface Inner { int get(); }
            Inner inner = Local.ONE::ordinal;
            return inner.get();
        };
        call.call();
    }
}
