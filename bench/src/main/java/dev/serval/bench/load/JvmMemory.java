package dev.serval.bench.load;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Programs;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What a JVM holds after a full collection, asked through `jcmd`.
///
/// @param heapBytes used by live objects
/// @param directBytes of direct buffers and whatever else goes through Unsafe: native memory
///     tracking calls it `Other`, and must be on in that JVM
record JvmMemory(long heapBytes, long directBytes) {
    /// Serial and Parallel have a line per generation, G1 one for all; Metaspace has no comma.
    private static final Pattern HEAP_USED = Pattern.compile(", used (\\d+)K");

    private static final Pattern OTHER =
            Pattern.compile("Other \\(reserved=\\d+KB, committed=(\\d+)KB\\)");

    /// Of this process.
    static JvmMemory of(long pid) {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        String process = String.valueOf(pid);
        Programs.output(List.of(jcmd, process, "GC.run"));
        String heap = Programs.output(List.of(jcmd, process, "GC.heap_info"));
        String tracked = Programs.output(List.of(jcmd, process, "VM.native_memory", "summary"));
        return parse(heap, tracked);
    }

    /// Reads the answers to `GC.heap_info` and `VM.native_memory summary`.
    static JvmMemory parse(String heap, String tracked) {
        long heapKilobytes = 0;
        Matcher used = HEAP_USED.matcher(heap);
        boolean found = false;
        while (used.find()) {
            found = true;
            heapKilobytes += Long.parseLong(used.group(1));
        }
        if (!found) {
            throw new BenchFailure("the collector's figures are not understood: " + heap);
        }
        Matcher other = OTHER.matcher(tracked);
        long direct = other.find() ? Long.parseLong(other.group(1)) : 0;
        return new JvmMemory(heapKilobytes * 1024, direct * 1024);
    }

    /// Heap and direct memory.
    long bytes() {
        return heapBytes + directBytes;
    }
}
