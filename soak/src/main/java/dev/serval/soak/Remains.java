package dev.serval.soak;

import dev.serval.bench.peer.JavaCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
record Remains(long heapBytes, Map<String, Long> bytes, long threads, long descriptors) {
    private static final Pattern LINE = Pattern.compile("\\s*\\d+:\\s+\\d+\\s+(\\d+)\\s+(\\S+).*");
    private static final Pattern TOTAL = Pattern.compile("Total\\s+\\d+\\s+(\\d+)");
    private static final int CLASSES = 6;

    /// Reads the state of a process. The collection that `jcmd` causes drops dead objects.
    static Remains of(long pid) throws IOException {
        String text = JavaCommand.jcmd(pid, "GC.class_histogram");
        return parse(text, count(pid, "task"), count(pid, "fd"));
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
        return new Remains(Long.parseLong(total.group(1)), bytes, threads, descriptors);
    }

    /// Returns how many threads (`task`) or descriptors (`fd`) a process has.
    static long count(long pid, String folder) throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc", String.valueOf(pid), folder))) {
            return all.count();
        }
    }

    /// Returns what is more here than before by more than the limits.
    List<String> growth(Remains before, long heapMaxBytes, long threadsMax, long descriptorsMax) {
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
    String classes(Remains before) {
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
