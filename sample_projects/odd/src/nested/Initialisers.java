package nested;

import java.util.ArrayList;
import java.util.List;

class Initialisers {

    static final List<String> ORDER = new ArrayList<>();

    static {
        ORDER.add("static one");
    }

    int before = 1;

    {
        ORDER.add("instance one");
        class InInitialiser {
            int local;
        }
        before = new InInitialiser().local;
    }

    static { ORDER.add("static two"); } static { }

    { }

    ;

    Initialisers() {
        {
            before++;
        }
    }

    int after;

    {
        Runnable later = new Runnable() {
            {
                after = 2;
            }

            public void run() {
            }
        };
        later.run();
    }
};
