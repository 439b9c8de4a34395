package dev.serval.soak.whole;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/// Counts what the clients see, and the times of answers to clients that behave. A row of the table
/// is what [#take] returns. Any thread counts; one thread takes.
final class Tally {
    private static final long MICROS_MAX = TimeUnit.MINUTES.toMicros(2);
    private static final int DIGITS = 3;
    private static final int EXAMPLES_MAX = 30;

    private final Recorder small = new Recorder(MICROS_MAX, DIGITS);
    private final Recorder large = new Recorder(MICROS_MAX, DIGITS);
    private final LongAdder wrong = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final Map<String, LongAdder> hostile = new ConcurrentHashMap<>();
    private final List<String> examples = new ArrayList<>();

    /// What was counted since the last row.
    ///
    /// @param small the times of answers in µs; `large` those of long ones
    /// @param refused answers 503 to clients that behave
    /// @param hostile what hostile clients got, by the name of the outcome
    record Taken(
            Histogram small, Histogram large, long wrong, long refused, Map<String, Long> hostile) {
        long requests() {
            return small.getTotalCount() + large.getTotalCount();
        }
    }

    /// Counts a right answer.
    void right(boolean isLarge, long nanos) {
        long micros = Math.clamp(TimeUnit.NANOSECONDS.toMicros(nanos), 0, MICROS_MAX);
        (isLarge ? large : small).recordValue(micros);
    }

    /// Counts a wrong, broken or missing answer.
    void wrong(String what) {
        wrong.increment();
        synchronized (examples) {
            if (examples.size() < EXAMPLES_MAX) {
                examples.add(what);
            }
        }
    }

    /// Counts a 503 to a client that behaves.
    void refused() {
        refused.increment();
    }

    /// Counts what a hostile client got.
    void hostile(String outcome) {
        hostile.computeIfAbsent(outcome, _ -> new LongAdder()).increment();
    }

    /// Returns what was counted since the last call.
    Taken take() {
        Map<String, Long> outcomes = new TreeMap<>();
        hostile.forEach((outcome, count) -> {
            long sum = count.sumThenReset();
            if (sum > 0) {
                outcomes.put(outcome, sum);
            }
        });
        return new Taken(
                small.getIntervalHistogram(),
                large.getIntervalHistogram(),
                wrong.sumThenReset(),
                refused.sumThenReset(),
                outcomes);
    }

    /// Returns descriptions of the first wrong answers.
    List<String> examples() {
        synchronized (examples) {
            return List.copyOf(examples);
        }
    }
}
