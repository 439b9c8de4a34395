package dev.serval.file;

/// The result of a look at the disk for a path. Immutable.
sealed interface Found {
    /// Returns whether any later change gives another result of a look-up.
    boolean isSettled();

    /// A file that may be served.
    ///
    /// @param representation the representation to answer with, without a content coding
    /// @param coded the same in content codings
    /// @param wantsGzip whether it is worth making a form in gzip
    /// @param fingerprint the file's state when it was read
    /// @param settled whether any later change of the file changes its fingerprint
    /// @param hasFinalTag whether a look-up of the same state at a later time gives the same entity tag
    record File(
            Representation representation,
            CodedForms coded,
            boolean wantsGzip,
            Fingerprint fingerprint,
            boolean settled,
            boolean hasFinalTag)
            implements Found {
        /// Creates a file without compressed forms.
        File(
                Representation representation,
                Fingerprint fingerprint,
                boolean settled,
                boolean hasFinalTag) {
            this(representation, CodedForms.NONE, false, fingerprint, settled, hasFinalTag);
        }

        @Override
        public boolean isSettled() {
            return settled;
        }

        /// Returns this file with these compressed forms.
        File with(CodedForms forms, boolean gzipWanted) {
            return new File(representation, forms, gzipWanted, fingerprint, settled, hasFinalTag);
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
            boolean usable = isUsable(representation);
            for (int i = 0; i < coded.count(); i++) {
                usable &= isUsable(coded.at(i).representation());
            }
            return usable;
        }

        private static boolean isUsable(Representation one) {
            return !(one.content() instanceof OpenFile open) || open.isUsable();
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
