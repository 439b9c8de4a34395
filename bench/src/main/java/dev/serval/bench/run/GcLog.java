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
/// @param generations what each collection did to each generation, of Serial and Parallel only
record GcLog(List<Pause> pauses, List<Heap> heaps, List<Generation> generations) {
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

    /// A generation of Serial or Parallel before and after a collection.
    private static final Pattern GENERATION =
            Pattern.compile(
                    "^\\[(\\d+)ms\\]\\[gc,heap *\\] GC\\(\\d+\\)"
                            + " (?:(DefNew|PSYoungGen)|Tenured|ParOldGen):"
                            + " (\\d+)K\\(\\d+K\\)->(\\d+)K\\(.*");

    private static final long KILOBYTE = 1024;

    /// A stop of the application's threads.
    ///
    /// @param atMillis its end since 1970
    record Pause(long atMillis, double millis) {}

    /// The heap after a collection.
    ///
    /// @param atMillis its end since 1970
    record Heap(long atMillis, int megabytes) {}

    /// The bytes that a generation had before and after a collection.
    ///
    /// @param atMillis its end since 1970
    /// @param young whether it is the young generation or the old one
    record Generation(long atMillis, boolean young, long before, long after) {}

    /// What collections did to the generations, in bytes.
    ///
    /// @param cleared by which the young generation shrank
    /// @param survived that were in the young generation after its collections
    /// @param grown by which the old generation grew
    record Moved(long cleared, long survived, long grown) {}

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
        List<Generation> generations = new ArrayList<>();
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
            Matcher generation = GENERATION.matcher(line);
            if (generation.matches()) {
                generations.add(
                        new Generation(
                                Long.parseLong(generation.group(1)),
                                generation.group(2) != null,
                                Long.parseLong(generation.group(3)) * KILOBYTE,
                                Long.parseLong(generation.group(4)) * KILOBYTE));
            }
        }
        return new GcLog(pauses, heaps, generations);
    }

    /// Returns what the collections between two instants did to the generations.
    Moved moved(long fromMillis, long toMillis) {
        long cleared = 0;
        long survived = 0;
        long grown = 0;
        for (Generation one : generations) {
            boolean counts = one.atMillis() >= fromMillis && one.atMillis() < toMillis;
            if (counts && one.young()) {
                cleared += one.before() - one.after();
                survived += one.after();
            } else if (counts) {
                grown += Math.max(0, one.after() - one.before());
            }
        }
        return new Moved(cleared, survived, grown);
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
