package names;

class FooBar {
    int n;
}
