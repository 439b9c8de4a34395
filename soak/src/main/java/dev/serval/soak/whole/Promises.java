package dev.serval.soak.whole;

import dev.serval.soak.subject.Remains;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/// Judges a whole soak by what Serval promises. Stateless.
final class Promises {
    /// The most that the p99.9 may grow from the first minutes to the last.
    static final double P999_GROWTH_MAX = 1.5;

    /// The most milliseconds for 99 of 100 answers beside the crowd.
    static final double CROWD_P99_MAX_MILLIS = 100;

    private static final int ENTRY_LINES = 3;
    private static final double MICROS = 1e3;
    private static final double REFUSED_MAX_PART = 0.001;

    /// A twelfth of the requests has another log, whose disk is full.
    private static final double LOGGED_MIN_PART = 0.85;

    private static final long HEAP_GROWTH_MAX_BYTES = 8 << 20;
    private static final long THREAD_GROWTH_MAX = 8;
    private static final long DESCRIPTOR_GROWTH_MAX = 8;

    /// What a JVM uses besides its heap and the loops' native memory: code, classes, stacks and the
    /// collector's tables.
    private static final long BESIDE_HEAP_MEGABYTES = 160;

    private Promises() {}

    /// Returns the most that the server may hold at the end, so that it is flat.
    static Held flat(Remains before) {
        return new Held(
                before.descriptors() + DESCRIPTOR_GROWTH_MAX, before.threads() + THREAD_GROWTH_MAX);
    }

    /// Returns the promises that were broken, each as a line. Empty if all were kept.
    static List<String> broken(WholeResult result, WholeSettings settings) {
        List<String> broken = new ArrayList<>();
        answers(result, broken);
        for (String growth :
                result.after()
                        .growth(
                                result.before(),
                                HEAP_GROWTH_MAX_BYTES,
                                THREAD_GROWTH_MAX,
                                DESCRIPTOR_GROWTH_MAX)) {
            broken.add("Heap, threads and descriptors stay flat: " + growth);
        }
        long most = settings.heapMegabytes() * 5L / 4 + BESIDE_HEAP_MEGABYTES;
        if (result.residentMegabytes() > most) {
            broken.add(
                    "Memory is bounded: the process has %d MB, more than %d MB"
                            .formatted(result.residentMegabytes(), most));
        }
        if (result.outOfMemory()) {
            broken.add("Memory is bounded: the log has an OutOfMemoryError");
        }
        if (!result.logged().isEmpty()) {
            broken.add(
                    "The log has only what was meant: %d other entries, the first: %s"
                            .formatted(result.logged().size(), start(result.logged().getFirst())));
        }
        if (settings.judgesTimes()) {
            times(result, broken);
        }
        return broken;
    }

    /// Returns the first lines of an entry, without the rest of its stack trace.
    private static String start(String entry) {
        return entry.lines()
                .limit(ENTRY_LINES)
                .map(String::strip)
                .collect(Collectors.joining(" | "));
    }

    private static void answers(WholeResult result, List<String> broken) {
        long wrong = result.rows().stream().mapToLong(Row::wrong).sum();
        long requests = result.rows().stream().mapToLong(Row::requests).sum();
        if (wrong > 0) {
            broken.add("Every answer is right: %,d are not".formatted(wrong));
        }
        AccessLines access = result.access();
        if (access.broken() > 0 || access.lines() < requests * LOGGED_MIN_PART) {
            broken.add(
                    "The access log has each request: %,d lines of %,d requests, %,d of them broken"
                            .formatted(access.lines(), requests, access.broken()));
        }
        if (requests == 0) {
            broken.add("Every answer is right: there is none");
        }
    }

    /// Judges what depends on the machine's other work: on a busy machine the server refuses some
    /// requests, because they would wait too long.
    private static void times(WholeResult result, List<String> broken) {
        long refused = result.rows().stream().mapToLong(Row::refused).sum();
        long requests = result.rows().stream().mapToLong(Row::requests).sum();
        if (refused > requests * REFUSED_MAX_PART) {
            broken.add(
                    "Clients that behave are served: %,d of %,d requests got 503"
                            .formatted(refused, requests));
        }
        double first = p999(result.first());
        double last = p999(result.last());
        if (last > first * P999_GROWTH_MAX) {
            broken.add(
                    String.format(
                            Locale.ROOT,
                            "p99.9 stays within %.1f× of its first minutes: %.1f ms, then %.1f ms",
                            P999_GROWTH_MAX,
                            first,
                            last));
        }
        double crowd = result.crowd().getValueAtPercentile(99) / MICROS;
        if (crowd > CROWD_P99_MAX_MILLIS) {
            broken.add(
                    String.format(
                            Locale.ROOT,
                            "Beside the crowd p99 is at most %.0f ms: it is %.1f ms",
                            CROWD_P99_MAX_MILLIS,
                            crowd));
        }
    }

    /// Returns the p99.9 in milliseconds.
    static double p999(Histogram times) {
        return times.getValueAtPercentile(99.9) / MICROS;
    }
}
