package dev.serval.coding;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// The compressors of one loop, which are few because each occupies much memory. Owned by the loop.
public final class GzipPool {
    private static final int SPARE_MAX = 8;

    private final ArrayDeque<GzipStream> spare = new ArrayDeque<>();
    private int lent;

    /// Lends a compressor.
    ///
    /// @param most the most that may be lent at the same time
    /// @return null if as many are lent
    public @Nullable GzipStream take(int level, int most) {
        if (lent >= most) {
            return null;
        }
        @Nullable GzipStream stream = spare.pollLast();
        if (stream != null && stream.level() != level) {
            stream.close();
            stream = null;
        }
        if (stream == null) {
            stream = new GzipStream(level);
        }
        lent++;
        return stream;
    }

    /// Returns how many are lent.
    public int lent() {
        return lent;
    }

    /// Takes back a compressor of [#take].
    public void giveBack(GzipStream stream) {
        lent--;
        stream.restart();
        if (spare.size() < SPARE_MAX) {
            spare.addLast(stream);
        } else {
            stream.close();
        }
    }

    /// Releases the memory of those that are not lent.
    public void close() {
        for (GzipStream stream : spare) {
            stream.close();
        }
        spare.clear();
    }
}
