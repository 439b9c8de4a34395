package dev.serval.worker;

import org.jspecify.annotations.Nullable;

/// Ready Workers in their order. Owned by the loop.
final class ReadyQueue {
    private @Nullable Worker first;
    private @Nullable Worker last;
    private int size;

    boolean isEmpty() {
        return first == null;
    }

    int size() {
        return size;
    }

    /// Returns the Worker that [#take] would remove.
    @Nullable Worker first() {
        return first;
    }

    void add(Worker worker) {
        @Nullable Worker before = last;
        if (before == null) {
            first = worker;
        } else {
            before.nextReady = worker;
        }
        last = worker;
        size++;
    }

    Worker take() {
        @Nullable Worker worker = first;
        if (worker == null) {
            throw new IllegalStateException("No Worker is ready");
        }
        first = worker.nextReady;
        if (first == null) {
            last = null;
        }
        worker.nextReady = null;
        size--;
        return worker;
    }
}
