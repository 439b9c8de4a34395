package dev.serval.servlet.vault;

import java.io.IOException;

/// A folder of sessions belongs to another server that runs.
public final class FolderTakenException extends IOException {
    private static final long serialVersionUID = 1L;

    FolderTakenException(String message) {
        super(message);
    }
}
