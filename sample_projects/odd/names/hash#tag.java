package names;

class HashTag {
    int n;
}
