package dev.serval.http1;

/// How a message marks the end of its content (RFC 9112 §6).
public enum Framing {
    /// Content-Length.
    LENGTH,
    /// Transfer-Encoding: chunked.
    CHUNKED,
    /// By the end of the connection; only in responses.
    CLOSE,
    /// No content and no field for its length: 1xx, 204, 304, answers to HEAD of unknown length,
    /// 2xx to CONNECT, and requests without content.
    NONE
}
