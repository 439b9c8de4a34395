package dev.serval.soak.subject;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.JavaCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What a resting server holds: its live heap after a full collection, threads and descriptors.
///
/// @param threads the threads of the process; virtual threads are objects of the heap
public record Remains(long heapBytes, Map<String, Long> bytes, long threads, long descriptors) {
    private static final Pattern LINE = Pattern.compile("\\s*\\d+:\\s+\\d+\\s+(\\d+)\\s+(\\S+).*");
    private static final Pattern TOTAL = Pattern.compile("Total\\s+\\d+\\s+(\\d+)");
    private static final String FILLER = "jdk.internal.vm.Filler";
    private static final int CLASSES = 6;
    private static final int ATTEMPTS_MAX = 3;
    private static final Duration ATTEMPT_PAUSE = Duration.ofSeconds(5);

    /// Reads the state of a process. The collection that `jcmd` causes drops dead objects.
    public static Remains of(long pid) throws IOException {
        String text = JavaCommand.jcmd(pid, "GC.class_histogram");
        return parse(text, count(pid, "task"), count(pid, "fd"));
    }

    /// Reads the state as [#of] does. On a busy machine `jcmd` may be too late at first.
    public static Remains patiently(long pid) throws IOException, InterruptedException {
        for (int attempt = 1; attempt < ATTEMPTS_MAX; attempt++) {
            try {
                return of(pid);
            } catch (BenchFailure e) {
                Thread.sleep(ATTEMPT_PAUSE);
            }
        }
        return of(pid);
    }

    /// Parses the output of `GC.class_histogram`.
    static Remains parse(String histogram, long threads, long descriptors) throws IOException {
        Map<String, Long> bytes = new HashMap<>();
        histogram
                .lines()
                .map(LINE::matcher)
                .filter(Matcher::matches)
                .forEach(line ->
                        bytes.merge(line.group(2), Long.parseLong(line.group(1)), Long::sum));
        Matcher total = TOTAL.matcher(histogram);
        if (!total.find()) {
            throw new IOException("jcmd printed no total: " + histogram.lines().limit(3).toList());
        }
        // A collector fills gaps with objects of its own, which are no live ones.
        long fillers = 0;
        for (Map.Entry<String, Long> one : bytes.entrySet()) {
            fillers += one.getKey().contains(FILLER) ? one.getValue() : 0;
        }
        bytes.keySet().removeIf(name -> name.contains(FILLER));
        long live = Long.parseLong(total.group(1)) - fillers;
        return new Remains(live, bytes, threads, descriptors);
    }

    /// Returns how many threads (`task`) or descriptors (`fd`) a process has.
    public static long count(long pid, String folder) throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc", String.valueOf(pid), folder))) {
            return all.count();
        }
    }

    /// Returns what is more here than before by more than the limits.
    public List<String> growth(
            Remains before, long heapMaxBytes, long threadsMax, long descriptorsMax) {
        List<String> growth = new ArrayList<>();
        if (heapBytes - before.heapBytes > heapMaxBytes) {
            growth.add(
                    "The heap grew by %,d bytes: %s"
                            .formatted(heapBytes - before.heapBytes, classes(before)));
        }
        if (threads - before.threads > threadsMax) {
            growth.add("Threads grew by " + (threads - before.threads));
        }
        if (descriptors - before.descriptors > descriptorsMax) {
            growth.add("Descriptors grew by " + (descriptors - before.descriptors));
        }
        return growth;
    }

    /// Returns the classes that grew most, as text.
    public String classes(Remains before) {
        return bytes.entrySet().stream()
                .map(one ->
                        Map.entry(
                                one.getKey(),
                                one.getValue() - before.bytes.getOrDefault(one.getKey(), 0L)))
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(CLASSES)
                .map(one -> "%s %+,d".formatted(one.getKey(), one.getValue()))
                .collect(Collectors.joining(", "));
    }

    @Override
    public String toString() {
        return "live heap %,d KB, %d threads, %d descriptors"
                .formatted(heapBytes >> 10, threads, descriptors);
    }
}
