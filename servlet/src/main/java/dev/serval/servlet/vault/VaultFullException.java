package dev.serval.servlet.vault;

import java.io.IOException;

/// The quota of a vault does not allow another session. It stays in memory.
public final class VaultFullException extends IOException {
    private static final long serialVersionUID = 1;

    VaultFullException(String message) {
        super(message);
    }
}
