package dev.serval.tls;

import dev.serval.net.NetLoop;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;

/// The buffers of one gathering write: `parts[0, count)`. Owned by the loop; used within one write.
final class Parts {
    private static final ByteBuffer[] NONE = {};

    private final NetLoop net;
    private ByteBuffer[] parts = NONE;
    private int count;
    private int first; // the first that may have bytes

    Parts(NetLoop net) {
        this.net = net;
    }

    /// Begins with the buffers of a write.
    Parts over(ByteBuffer[] buffers, int number) {
        parts = buffers;
        count = number;
        first = 0;
        return this;
    }

    /// Returns the bytes that were not taken yet.
    long remaining() {
        long sum = 0;
        for (int i = first; i < count; i++) {
            sum += parts[i].remaining();
        }
        return sum;
    }

    /// Marks the first bytes as taken.
    void skip(int bytes) {
        int left = bytes;
        while (left > 0) {
            ByteBuffer part = parts[first];
            int n = Math.min(left, part.remaining());
            part.position(part.position() + n);
            left -= n;
            if (left > 0) {
                first++;
            }
        }
    }

    /// Remembers how much was taken until now.
    void mark() {
        int[] starts = net.records().starts();
        for (int i = first; i < count; i++) {
            starts[i] = parts[i].position();
        }
    }

    /// Goes back to the mark, which `from` was the first part of.
    void reset(int from) {
        int[] starts = net.records().starts();
        for (int i = from; i < count; i++) {
            parts[i].position(starts[i]);
        }
        first = from;
    }

    /// Returns the index of the first part that may have bytes.
    int first() {
        return first;
    }

    /// Has the engine seal up to `most` bytes into one record. They count as taken then.
    SSLEngineResult wrap(SSLEngine engine, int most, ByteBuffer into) throws SSLException {
        while (first < count - 1 && !parts[first].hasRemaining()) {
            first++;
        }
        int last = first;
        int left = most;
        while (last < count - 1 && left > parts[last].remaining()) {
            left -= parts[last].remaining();
            last++;
        }
        ByteBuffer end = parts[last];
        int limit = end.limit();
        end.limit(end.position() + Math.min(left, end.remaining()));
        try {
            return engine.wrap(parts, first, last - first + 1, into);
        } finally {
            end.limit(limit);
        }
    }
}
