package names;

class Naive {
    int n;
}
