package broken

import java.util.List

class PackageNoSemicolon {
    List<String> names;
}
