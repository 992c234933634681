package names;

class PlusSign {
    int n;
}
