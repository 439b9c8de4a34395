package dev.serval.http1;

/// What a response tells the client about its connection (RFC 9112 §9.3, §9.6).
public enum Persistence {
    /// The connection stays open, the default of HTTP/1.1.
    KEEP,
    /// The connection stays open, as an HTTP/1.0 client requested. The response must say so.
    KEEP_1_0,
    /// The connection closes after this response.
    CLOSE
}
