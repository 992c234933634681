package broken;

class HalfMember {
    void ok() {}
    void bad( { }
    int tail;
    private String
    public void after() {}
    int x = ;
    Map<String, List<
    void last() { foo(1, }
}
