package dev.serval.bench.run;

import dev.serval.bench.peer.JvmPeers;
import dev.serval.bench.peer.Peer;
import dev.serval.bench.scenario.Cell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The log in which a JVM notes its collections, as `-Xlog:gc*` writes it with the options of
/// [#option]. Immutable.
///
/// @param pauses each stop of the application's threads
/// @param heaps the heap in use after each collection
record GcLog(List<Pause> pauses, List<Heap> heaps) {
    /// The end of a pause: all collectors write the word `Pause` and its length, ZGC after the
    /// letter of its generation. The lines of phases within a pause do not have the word.
    private static final Pattern PAUSE =
            Pattern.compile(
                    "^\\[(\\d+)ms\\]\\[gc[a-z, ]*\\] GC\\(\\d+\\) (?:[A-Za-z]: )?Pause .*?([0-9.]+)ms$");

    /// The end of a collection, with the heap before and after it. ZGC adds percentages. Other tags
    /// than `gc` count generations or metaspace.
    private static final Pattern HEAP =
            Pattern.compile(
                    "^\\[(\\d+)ms\\]\\[gc *\\] GC\\(\\d+\\) .*?\\d+M(?:\\(\\d+%\\))?->(\\d+)M.*");

    /// A stop of the application's threads.
    ///
    /// @param atMillis its end since 1970
    record Pause(long atMillis, double millis) {}

    /// The heap after a collection.
    ///
    /// @param atMillis its end since 1970
    record Heap(long atMillis, int megabytes) {}

    /// Returns the option of a JVM that writes this log.
    static String option(Path file) {
        return "-Xlog:gc*:file=" + file + ":timemillis,tags:filecount=0";
    }

    /// Returns a peer whose JVM has this collector, a fixed heap, and this log.
    static Peer peer(Peer peer, Cell.Collector collector, int heapMegabytes, Path log) {
        List<String> options = new ArrayList<>(collector.options());
        options.add("-Xms" + heapMegabytes + "m");
        options.add("-Xmx" + heapMegabytes + "m");
        options.add(option(log));
        return JvmPeers.with(peer, options);
    }

    /// Reads a log.
    static GcLog read(Path file) throws IOException {
        return parse(Files.readAllLines(file));
    }

    /// Parses the lines of a log. Lines of other kinds are left out.
    static GcLog parse(List<String> lines) {
        List<Pause> pauses = new ArrayList<>();
        List<Heap> heaps = new ArrayList<>();
        for (String line : lines) {
            Matcher pause = PAUSE.matcher(line);
            if (pause.matches()) {
                pauses.add(
                        new Pause(
                                Long.parseLong(pause.group(1)),
                                Double.parseDouble(pause.group(2))));
            }
            Matcher heap = HEAP.matcher(line);
            if (heap.matches()) {
                heaps.add(new Heap(Long.parseLong(heap.group(1)), Integer.parseInt(heap.group(2))));
            }
        }
        return new GcLog(pauses, heaps);
    }

    /// Returns the pauses between two instants.
    List<Pause> pauses(long fromMillis, long toMillis) {
        return pauses.stream()
                .filter(pause -> pause.atMillis() >= fromMillis && pause.atMillis() < toMillis)
                .toList();
    }

    /// Returns the heap after the last collection before an instant, or NaN if there was none.
    double heapMegabytes(long atMillis) {
        double last = Double.NaN;
        for (Heap heap : heaps) {
            last = heap.atMillis() < atMillis ? heap.megabytes() : last;
        }
        return last;
    }
}
