package dev.serval.policy;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/// The values that one label has taken, each with its index in every [Metrics.Column]: the same for
/// all columns, and for good. Any thread; only the first use of a value takes a lock.
final class LabelValues {
    private static final int OTHER = 0;

    private final int max;
    private final Map<String, Integer> indices = new ConcurrentHashMap<>();
    private volatile boolean full;

    /// @param max how many values are told apart
    LabelValues(int max) {
        this.max = max;
        indices.put(LabelledCounter.OTHER, OTHER);
    }

    /// The index of a value, from 0 to [#max]. Allocates nothing for a value that is known, nor once
    /// the bound was reached.
    int index(String value) {
        boolean complete = full; // read first: after that no value is added
        @Nullable Integer known = indices.get(value);
        if (known != null) {
            return known;
        }
        return complete ? OTHER : register(value);
    }

    /// Tells of every value with its index.
    void forEach(ObjIntConsumer<String> consumer) {
        indices.forEach(consumer::accept);
    }

    private synchronized int register(String value) {
        @Nullable Integer known = indices.get(value);
        if (known != null) {
            return known;
        }
        int next = indices.size(); // OTHER is in it
        if (next > max) {
            return OTHER;
        }
        indices.put(value, next);
        full = next == max;
        return next;
    }
}
