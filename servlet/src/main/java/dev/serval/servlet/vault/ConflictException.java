package dev.serval.servlet.vault;

import java.io.IOException;

/// Another server has changed or removed a session since this one read it.
public final class ConflictException extends IOException {
    private static final long serialVersionUID = 1;

    /// Creates the exception.
    public ConflictException(String message) {
        super(message);
    }
}
