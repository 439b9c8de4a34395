package dev.serval.bench.peer;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Counters of a JVM with the serial or the parallel collector, read through `jcmd`.
///
/// @param compiledMillis how long its JIT compilers have worked
/// @param youngBytes of the young generation that are in use, garbage included. The buffers from
///     which threads allocate count as a whole
/// @param atMillis when, since 1970
public record JvmWork(double compiledMillis, long youngBytes, long atMillis) {
    private static final Pattern COMPILED = Pattern.compile("java\\.ci\\.totalTime=(\\d+)");
    private static final Pattern FREQUENCY = Pattern.compile("sun\\.os\\.hrt\\.frequency=(\\d+)");
    private static final Pattern YOUNG =
            Pattern.compile("(?:DefNew|PSYoungGen) +total \\d+K, used (\\d+)K");

    /// Reads the counters of this process.
    public static JvmWork read(long pid) {
        String counters = JavaCommand.jcmd(pid, "PerfCounter.print");
        String heap = JavaCommand.jcmd(pid, "GC.heap_info");
        return parse(counters, heap, System.currentTimeMillis());
    }

    /// Parses the output of `PerfCounter.print` and `GC.heap_info`.
    static JvmWork parse(String counters, String heap, long atMillis) {
        double compiled = 1e3 * number(COMPILED, counters) / number(FREQUENCY, counters);
        return new JvmWork(compiled, number(YOUNG, heap) * 1024, atMillis);
    }

    private static long number(Pattern pattern, String text) {
        Matcher found = pattern.matcher(text);
        BenchFailure.require(found.find(), "jcmd printed nothing like " + pattern + ": " + text);
        return Long.parseLong(found.group(1));
    }
}
