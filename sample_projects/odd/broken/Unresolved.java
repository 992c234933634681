package broken;

import no.such.place.Thing;
import no.such.other.*;
import static no.such.Helper.help;

@Thing.Marker
class Unresolved extends Thing<Missing> implements no.such.Port {

    Missing field = help();

    @Override
    Missing method(Thing.Part part) throws Gone {
        return new Missing() {
            int inside;
        };
    }
}
