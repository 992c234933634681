package broken;

public class Bar {
    int n;
}
