package names;

class InBadDir {
    int n;
}
