package dev.serval.http1;

/// How the end of a message's content is told (RFC 9112 §6).
public enum Framing {
    /// Content-Length.
    LENGTH,
    /// Transfer-Encoding: chunked.
    CHUNKED,
    /// The end of the connection: responses alone.
    CLOSE,
    /// No content, and no field that speaks of it: 1xx, 204, 304 and answers to HEAD of unknown
    /// length, 2xx to CONNECT, requests without content.
    NONE
}
