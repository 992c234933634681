package app;

public class Restart {
}
