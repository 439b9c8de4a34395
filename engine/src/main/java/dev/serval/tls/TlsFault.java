package dev.serval.tls;

import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/// Says that the peer has broken the rules of TLS, or a limit of records, or has sent a fatal alert. It
/// has no stack trace, because the peer is the cause.
final class TlsFault extends IOException {
    @Serial private static final long serialVersionUID = 1L;

    TlsFault(String message) {
        this(message, null);
    }

    TlsFault(String message, @Nullable Exception cause) {
        super(message, cause);
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
