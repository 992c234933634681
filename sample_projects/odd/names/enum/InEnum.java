package names;

class InEnum {
    int n;
}
