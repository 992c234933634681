package app.auth;

public class OAuthConfiguration {
}
