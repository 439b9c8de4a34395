package dev.serval.gateway.tls;

import java.io.Serial;
import java.security.cert.CertificateException;
import org.jspecify.annotations.Nullable;

/// Says why the certificate of an upstream is not accepted. The message is a part of a sentence for
/// the log. It has no stack trace, because the peer is the cause.
final class Distrust extends CertificateException {
    @Serial private static final long serialVersionUID = 1L;

    private final TlsTrouble.Kind kind;

    Distrust(TlsTrouble.Kind kind, String message, @Nullable Exception cause) {
        super(message, cause);
        this.kind = kind;
    }

    TlsTrouble.Kind kind() {
        return kind;
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
