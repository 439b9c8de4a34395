package dev.serval.policy;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/// Maps the values of one label to their indices in every [Metrics.Column]. An index is the same in
/// all columns and never changes. Any thread. Only the first use of a value takes a lock.
final class LabelValues {
    private static final int OTHER = 0;

    private final int max;
    private final Map<String, Integer> indices = new ConcurrentHashMap<>();
    private volatile boolean full;

    /// @param max how many values have their own index
    LabelValues(int max) {
        this.max = max;
        indices.put(LabelledCounter.OTHER, OTHER);
    }

    /// Returns the index of a value, from 0 to [#max]. Allocates nothing if the value is known or
    /// the bound was reached.
    int index(String value) {
        boolean complete = full; // read first: after that no value is added
        @Nullable Integer known = indices.get(value);
        if (known != null) {
            return known;
        }
        return complete ? OTHER : register(value);
    }

    /// Passes every value and its index to `consumer`.
    void forEach(ObjIntConsumer<String> consumer) {
        indices.forEach(consumer::accept);
    }

    private synchronized int register(String value) {
        @Nullable Integer known = indices.get(value);
        if (known != null) {
            return known;
        }
        int next = indices.size(); // includes OTHER
        if (next > max) {
            return OTHER;
        }
        indices.put(value, next);
        full = next == max;
        return next;
    }
}
