package dev.serval.file;

/// What a look at the disk found at a path. Immutable.
sealed interface Found {
    /// A file that may be served.
    ///
    /// @param representation what to answer with
    /// @param fingerprint the file's state when it was read
    /// @param settled whether any change since then is sure to have changed the fingerprint
    record File(Representation representation, Fingerprint fingerprint, boolean settled)
            implements Found {
        /// Whether this still answers for a file in the state `now`.
        boolean isStill(Fingerprint now) {
            return settled && fingerprint.equals(now) && isUsable();
        }

        /// Whether it can answer at all: an open file may have been closed under it.
        boolean isUsable() {
            return !(representation.content() instanceof OpenFile open) || open.isOpen();
        }
    }

    /// Anything else.
    enum Other implements Found, Seen {
        /// A folder, asked for without the slash at its end.
        FOLDER,
        /// Nothing that may be served.
        ABSENT,
        /// A file or folder that this process may not read.
        DENIED
    }

    /// A path before anything was read: a regular file's fingerprint, or what else is there.
    sealed interface Seen permits Fingerprint, Other {}
}
