package dev.serval.http2;

/// The states of a stream that a client has opened (RFC 9113 §5.1). Before, it is idle; a server
/// reserves none.
///
/// ```
///            client ends                        server ends
///   OPEN ─────────────────▶ HALF_CLOSED_REMOTE ─────────────▶ CLOSED
///    │       server ends                        client ends      ▲ ▲
///    ├────────────────────▶ HALF_CLOSED_LOCAL ───────────────────┘ │
///    └──────────────────────── reset ──────────────────────────────┘
/// ```
public enum StreamState {
    /// Both sides may send.
    OPEN,
    /// The client has ended its half.
    HALF_CLOSED_REMOTE,
    /// The server has ended its half.
    HALF_CLOSED_LOCAL,
    /// Neither side may send.
    CLOSED;

    /// Returns the state after the client has ended its half.
    public StreamState remoteEnded() {
        return switch (this) {
            case OPEN -> HALF_CLOSED_REMOTE;
            case HALF_CLOSED_LOCAL -> CLOSED;
            case HALF_CLOSED_REMOTE, CLOSED -> this;
        };
    }

    /// Returns the state after the server has ended its half.
    public StreamState localEnded() {
        return switch (this) {
            case OPEN -> HALF_CLOSED_LOCAL;
            case HALF_CLOSED_REMOTE -> CLOSED;
            case HALF_CLOSED_LOCAL, CLOSED -> this;
        };
    }

    /// Returns whether the client may still send content.
    public boolean isRemoteOpen() {
        return this == OPEN || this == HALF_CLOSED_LOCAL;
    }
}
