package dev.serval.http1;

/// What a response says of its connection (RFC 9112 §9.3, §9.6).
public enum Persistence {
    /// It stays open, as HTTP/1.1 takes for granted.
    KEEP,
    /// It stays open for a client of HTTP/1.0 that asked for it and must be told.
    KEEP_1_0,
    /// It ends after this response.
    CLOSE
}
