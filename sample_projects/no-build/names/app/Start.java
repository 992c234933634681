package app;

public class Start {
}
