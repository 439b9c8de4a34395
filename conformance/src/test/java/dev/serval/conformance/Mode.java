package dev.serval.conformance;

import dev.serval.testkit.RawClient;

/// A way to speak to the server. Tests that make sense in each of them run in each of them.
enum Mode {
    /// HTTP/1.1 over TCP.
    H1;

    /// A client of this mode.
    RawClient connect(Served server) {
        return switch (this) {
            case H1 -> server.connect();
        };
    }
}
