package dev.serval.servlet.vault;

import java.io.IOException;

/// The bytes of one session cannot be used: damaged, of a changed class, or of a class that must not
/// be read. The session is lost, and no other.
public final class DamagedSessionException extends IOException {
    private static final long serialVersionUID = 1;

    /// Creates the exception.
    ///
    /// @param message what is wrong and what to do, without the session's id
    public DamagedSessionException(String message) {
        super(message);
    }

    DamagedSessionException(String message, Throwable cause) {
        super(message, cause);
    }
}
