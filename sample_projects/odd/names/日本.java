package names;

class Nippon {
    int n;
}
