package layout;
import java.util.List;
class Mail {
    Mail() {}
    Mail(String to) {}
    void send(String s) {}
    void send(List<String> s) {}
    <T extends Number> void send(T[] s, int... more) {}
    void Mail() {}
    int send;
}
