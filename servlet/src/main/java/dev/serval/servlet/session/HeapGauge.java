package dev.serval.servlet.session;

/// Tells how full the heap was after its latest collection. Any thread.
@FunctionalInterface
public interface HeapGauge {
    /// The bytes that a collection left.
    ///
    /// @param usedBytes what was in use
    /// @param maxBytes what may be in use
    record Reading(long usedBytes, long maxBytes) {
        /// The reading before the first collection.
        public static final Reading NONE = new Reading(0, 1);

        /// Returns whether more than three quarters are in use.
        boolean isShort() {
            return usedBytes > maxBytes / 4 * 3;
        }
    }

    /// Returns the reading of the latest collection.
    Reading latest();
}
