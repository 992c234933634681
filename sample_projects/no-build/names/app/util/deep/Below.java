package app.util.deep;

public class Below {
}
