package dev.serval.live;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// The last moments of a server for one [Span], in a ring of fixed size. One thread adds; any thread
/// reads.
final class History {
    /// The moments of a span.
    static final int SIZE = 600;

    private final AtomicReferenceArray<@Nullable Moment> ring = new AtomicReferenceArray<>(SIZE);
    private final AtomicLong added = new AtomicLong();

    /// Adds a moment in place of the oldest one.
    void add(Moment moment) {
        long number = added.getPlain();
        ring.setRelease((int) (number % SIZE), moment);
        added.setRelease(number + 1);
    }

    /// Returns the moments, oldest first.
    List<Moment> read() {
        long end = added.getAcquire();
        List<Moment> moments = new ArrayList<>();
        for (long i = Math.max(0, end - SIZE); i < end; i++) {
            @Nullable Moment one = ring.getAcquire((int) (i % SIZE));
            boolean inOrder =
                    one != null
                            && (moments.isEmpty()
                                    || one.epochMillis() >= moments.getLast().epochMillis());
            if (inOrder) { // not replaced meanwhile
                moments.add(one);
            }
        }
        return moments;
    }
}
