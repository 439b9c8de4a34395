package dev.serval.servlet.session;

import org.jspecify.annotations.Nullable;

/// A session cannot be read or stored now, because its database does not answer, or because another
/// server has changed it meanwhile. The request is answered with 503, so that the client repeats it.
public final class SessionUnavailableException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    public SessionUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
