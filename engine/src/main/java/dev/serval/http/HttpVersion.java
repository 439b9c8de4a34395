package dev.serval.http;

/// The protocol version of a received message (RFC 9110 §2.5). Immutable.
public enum HttpVersion {
    /// HTTP/1.0 (RFC 1945), without transfer codings. A connection persists only on request.
    HTTP_1_0("HTTP/1.0"),
    /// HTTP/1.1 (RFC 9112).
    HTTP_1_1("HTTP/1.1"),
    /// HTTP/2 (RFC 9113).
    HTTP_2("HTTP/2.0");

    private final String text;

    HttpVersion(String text) {
        this.text = text;
    }

    /// Returns the version as logs and status lines show it, such as `HTTP/1.1`.
    public String text() {
        return text;
    }
}
