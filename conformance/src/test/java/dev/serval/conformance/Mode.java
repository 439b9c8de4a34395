package dev.serval.conformance;

import dev.serval.testkit.RawClient;

/// A protocol and transport of the client. Tests that apply to each mode run in each.
enum Mode {
    /// HTTP/1.1 over TCP.
    H1,
    /// HTTP/1.1 over TLS over TCP.
    H1_TLS;

    /// Returns a client of this mode.
    RawClient connect(Served server) {
        return switch (this) {
            case H1 -> server.connect();
            case H1_TLS -> server.connectTls();
        };
    }
}
