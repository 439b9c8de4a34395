package dev.serval.http;

/// The protocol version a message was received in (RFC 9110 §2.5). Immutable.
public enum HttpVersion {
    /// HTTP/1.0 (RFC 1945): connections close unless asked otherwise, no transfer codings.
    HTTP_1_0("HTTP/1.0"),
    /// HTTP/1.1 (RFC 9112).
    HTTP_1_1("HTTP/1.1"),
    /// HTTP/2 (RFC 9113).
    HTTP_2("HTTP/2");

    private final String text;

    HttpVersion(String text) {
        this.text = text;
    }

    /// As it is written in logs and status lines: `HTTP/1.1`.
    public String text() {
        return text;
    }
}
