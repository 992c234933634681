package encoding;

class CaféLatin {

    String é = "é"; int after;

    void method() {
    }
}
