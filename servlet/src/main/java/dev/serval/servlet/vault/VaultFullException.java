package dev.serval.servlet.vault;

import java.io.IOException;

/// The quota of a vault does not allow another session. It stays in memory.
public final class VaultFullException extends IOException {
    private static final long serialVersionUID = 1;

    private final boolean confirmedToo;

    VaultFullException(String message, boolean confirmedToo) {
        super(message);
        this.confirmedToo = confirmedToo;
    }

    /// Returns whether sessions whose id a client has returned have no room either.
    public boolean confirmedToo() {
        return confirmedToo;
    }
}
