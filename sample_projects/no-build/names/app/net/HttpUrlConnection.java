package app.net;

public class HttpUrlConnection {
}
