package dev.serval.bench.peer;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The memory of a JVM after a full collection, read through `jcmd`.
///
/// @param heapBytes used by live objects
/// @param directBytes used by direct buffers and other users of Unsafe. Native memory tracking must
///     be on in that JVM, and names it `Other`
public record JvmMemory(long heapBytes, long directBytes) {
    /// Serial and Parallel print a line for each generation, G1 prints one line. The line of
    /// Metaspace has no comma.
    private static final Pattern HEAP_USED = Pattern.compile(", used (\\d+)K");

    private static final Pattern OTHER =
            Pattern.compile("Other \\(reserved=\\d+KB, committed=(\\d+)KB\\)");

    /// Reads the memory of this process.
    public static JvmMemory of(long pid) {
        String heap = collectedHeap(pid);
        return parse(heap, JavaCommand.jcmd(pid, "VM.native_memory", "summary"));
    }

    /// Returns the bytes that live objects of this process use, after a full collection. The
    /// process needs no native memory tracking.
    public static long heapBytes(long pid) {
        return parse(collectedHeap(pid), "").heapBytes();
    }

    private static String collectedHeap(long pid) {
        JavaCommand.jcmd(pid, "GC.run");
        return JavaCommand.jcmd(pid, "GC.heap_info");
    }

    /// Parses the output of `GC.heap_info` and `VM.native_memory summary`.
    static JvmMemory parse(String heap, String tracked) {
        long heapKilobytes = 0;
        Matcher used = HEAP_USED.matcher(heap);
        boolean found = false;
        while (used.find()) {
            found = true;
            heapKilobytes += Long.parseLong(used.group(1));
        }
        BenchFailure.require(
                found, "jcmd printed unknown heap figures, use Serial, Parallel or G1: " + heap);
        Matcher other = OTHER.matcher(tracked);
        long direct = other.find() ? Long.parseLong(other.group(1)) : 0;
        return new JvmMemory(heapKilobytes * 1024, direct * 1024);
    }

    /// Returns heap and direct memory.
    public long bytes() {
        return heapBytes + directBytes;
    }
}
