package lib;

public class Start {
}
