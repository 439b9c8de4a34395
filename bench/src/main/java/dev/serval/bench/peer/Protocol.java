package dev.serval.bench.peer;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// The protocol by which servers are asked. The listener of a server speaks one of them, or both of
/// those with TLS.
public enum Protocol {
    /// HTTP/1.1 in the clear.
    HTTP,
    /// HTTP/2 in the clear, which the client knows before (RFC 9113 §3.3).
    H2C,
    /// HTTP/1.1 over TLS.
    HTTPS,
    /// HTTP/2 over TLS, chosen by ALPN.
    H2;

    /// Returns whether connections are encrypted.
    public boolean tls() {
        return this == HTTPS || this == H2;
    }

    /// Returns whether a connection has several streams.
    public boolean hasStreams() {
        return this == H2C || this == H2;
    }

    /// Returns the URL of a page on a port of the loopback address.
    public String url(int port, String path) {
        return (tls() ? "https" : "http") + "://127.0.0.1:" + port + path;
    }

    /// Returns the name in files and on command lines, such as `h2c`.
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Returns all names.
    static List<String> keys() {
        return Arrays.stream(values()).map(Protocol::key).toList();
    }
}
