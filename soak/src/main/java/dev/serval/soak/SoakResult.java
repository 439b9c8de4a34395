package dev.serval.soak;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/// Collects what the clients saw, and sets until when they continue. Any thread.
final class SoakResult {
    private static final int EXAMPLES_MAX = 20;

    private final long endNanos;
    private final Map<Enum<?>, LongAdder> right = new LinkedHashMap<>(); // unchanged after creation
    private final AtomicLong wrong = new AtomicLong();
    private final AtomicLong hung = new AtomicLong();
    private final AtomicLong broken = new AtomicLong();
    private final LongAdder refused = new LongAdder();
    private final LongAdder left = new LongAdder();
    private final List<String> examples = new ArrayList<>();

    /// Creates the result of a load.
    ///
    /// @param endNanos when the clients stop, in terms of [System#nanoTime]
    SoakResult(long endNanos, Enum<?>... kinds) {
        this.endNanos = endNanos;
        for (Enum<?> kind : kinds) {
            right.put(kind, new LongAdder());
        }
    }

    boolean isRunning() {
        return System.nanoTime() - endNanos < 0;
    }

    void right(Enum<?> kind) {
        right.getOrDefault(kind, refused).increment();
    }

    void wrong(String what) {
        wrong.incrementAndGet();
        example("Wrong: " + what);
    }

    void hung(String what) {
        hung.incrementAndGet();
        example("No answer: " + what);
    }

    void broken(String what) {
        broken.incrementAndGet();
        example("Broken: " + what);
    }

    void refused() {
        refused.increment();
    }

    void left() {
        left.increment();
    }

    /// Records a fault that no client can see.
    void fault(String what) {
        wrong.incrementAndGet();
        example(what);
    }

    long answers() {
        return right.values().stream().mapToLong(LongAdder::sum).sum();
    }

    long refusals() {
        return refused.sum();
    }

    /// Returns the kinds without any right answer.
    List<Enum<?>> unseen() {
        List<Enum<?>> unseen = new ArrayList<>(right.keySet());
        unseen.removeIf(kind -> right.getOrDefault(kind, refused).sum() > 0);
        return unseen;
    }

    boolean passed() {
        return wrong.get() + hung.get() + broken.get() == 0;
    }

    String text() {
        StringBuilder text =
                new StringBuilder(
                        "%,d right answers, %d wrong, %d without answer, %d broken; %d refused (503), %d left by the client%n"
                                .formatted(
                                        answers(),
                                        wrong.get(),
                                        hung.get(),
                                        broken.get(),
                                        refused.sum(),
                                        left.sum()));
        right.forEach((kind, count) -> text.append(kind).append(' ').append(count).append("  "));
        synchronized (examples) {
            examples.forEach(one -> text.append("\n  ").append(one));
        }
        return text.append('\n').toString();
    }

    private void example(String what) {
        synchronized (examples) {
            if (examples.size() < EXAMPLES_MAX) {
                examples.add(what);
            }
        }
    }
}
