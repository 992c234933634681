package app;

public class StartUpTask {
}
