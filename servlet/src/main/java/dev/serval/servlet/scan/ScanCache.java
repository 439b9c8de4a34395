package dev.serval.servlet.scan;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Keeps what was found out about a file, by a hash of its content. Several threads may call it at
/// once. A failure to read or write is not an error for the caller, which then does the work again.
public interface ScanCache {
    /// A cache that keeps nothing.
    ScanCache NONE =
            new ScanCache() {
                @Override
                public byte @Nullable [] read(String key) {
                    return null;
                }

                @Override
                public void write(String key, byte[] value) {}
            };

    /// Returns what was kept; null if there is nothing.
    ///
    /// @param key letters, digits, dots and hyphens only
    byte @Nullable [] read(String key) throws IOException;

    /// Keeps a value.
    void write(String key, byte[] value) throws IOException;
}
