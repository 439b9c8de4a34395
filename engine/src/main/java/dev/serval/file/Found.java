package dev.serval.file;

/// The result of a look at the disk for a path. Immutable.
sealed interface Found {
    /// Returns whether any later change gives another result of a look-up.
    boolean isSettled();

    /// A file that may be served.
    ///
    /// @param representation the representation to answer with
    /// @param fingerprint the file's state when it was read
    /// @param settled whether any later change of the file changes its fingerprint
    /// @param hasFinalTag whether a look-up of the same state at a later time gives the same entity tag
    record File(
            Representation representation,
            Fingerprint fingerprint,
            boolean settled,
            boolean hasFinalTag)
            implements Found {
        @Override
        public boolean isSettled() {
            return settled;
        }

        /// Returns whether this still answers for a file in the state `now` at `nowNanos` since the
        /// epoch.
        boolean isStill(Fingerprint now, long nowNanos) {
            return settled
                    && fingerprint.equals(now)
                    && (hasFinalTag || !now.hasRested(nowNanos))
                    && isUsable();
        }

        /// Returns whether it can answer at all. An open file may have been closed or written meanwhile.
        boolean isUsable() {
            return !(representation.content() instanceof OpenFile open) || open.isUsable();
        }
    }

    /// A result that is no file.
    enum Other implements Found, Seen {
        /// A folder that was requested without a final slash.
        FOLDER,
        /// Nothing that may be served.
        ABSENT,
        /// A file or folder that this process may not read.
        DENIED;

        @Override
        public boolean isSettled() {
            return true;
        }
    }

    /// The result of the first look, before any bytes are read: a regular file's fingerprint, or
    /// [Other].
    sealed interface Seen permits Fingerprint, Other {}
}
