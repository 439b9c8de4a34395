package dev.serval.tls;

import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/// Says that the peer has broken the rules of TLS, or a limit of records, or has sent a fatal alert. It
/// has no stack trace, because the peer is the cause.
final class TlsFault extends IOException {
    @Serial private static final long serialVersionUID = 1L;

    private final boolean flood;

    TlsFault(String message) {
        this(message, null);
    }

    TlsFault(String message, @Nullable Exception cause) {
        this(message, cause, false);
    }

    private TlsFault(String message, @Nullable Exception cause, boolean flood) {
        super(message, cause);
        this.flood = flood;
    }

    /// Makes the fault of a peer that sends more records than it needs to.
    static TlsFault flood(String message) {
        return new TlsFault(message, null, true);
    }

    /// Returns whether the peer has broken a limit of records, and no rule of TLS.
    boolean isFlood() {
        return flood;
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
