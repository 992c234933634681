package app.net;

public class HTTPServer {
}
