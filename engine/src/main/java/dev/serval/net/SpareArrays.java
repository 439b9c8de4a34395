package dev.serval.net;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// Keeps up to 32 arrays of 16 KiB for reuse. A new one costs a long response as much as all else:
/// the JVM clears it, and no cache of the processor holds it. Any thread.
public final class SpareArrays {
    /// Bytes of an array.
    public static final int ARRAY_BYTES = 16 << 10;

    private static final int KEPT_MAX = 32;

    private final AtomicReferenceArray<byte @Nullable []> kept =
            new AtomicReferenceArray<>(KEPT_MAX);

    /// Creates an empty store.
    public SpareArrays() {}

    /// Returns an array of [#ARRAY_BYTES] with arbitrary content.
    public byte[] take() {
        for (int i = 0; i < KEPT_MAX; i++) {
            if (kept.getPlain(i) != null) {
                byte[] array = kept.getAndSet(i, null);
                if (array != null) {
                    return array;
                }
            }
        }
        return new byte[ARRAY_BYTES];
    }

    /// Keeps an array that nobody uses any more, unless it has another length or there are enough.
    public void keep(byte[] array) {
        if (array.length != ARRAY_BYTES) {
            return;
        }
        for (int i = 0; i < KEPT_MAX; i++) {
            if (kept.getPlain(i) == null && kept.compareAndSet(i, null, array)) {
                return;
            }
        }
    }
}
