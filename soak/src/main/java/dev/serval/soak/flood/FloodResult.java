package dev.serval.soak.flood;

import dev.serval.soak.subject.GcLog;
import java.util.List;
import java.util.Locale;

/// Holds the result of one flood against one server.
///
/// @param coldMillis the worst answer during the first flood, before the server has warmed up
/// @param counts the flood's connections made, requests sent, answers read and failed attempts
/// @param descriptors file descriptors open near the end
/// @param outOfMemory whether the server's output reports exhausted memory
record FloodResult(
        Flood flood,
        String server,
        double coldMillis,
        GoodClient.Outcome good,
        long[] counts,
        int seconds,
        long residentMegabytes,
        GcLog gc,
        long descriptors,
        boolean outOfMemory) {
    static final List<String> HEADER =
            List.of(
                    "flood",
                    "server",
                    "cold ms",
                    "worst ms",
                    "new conn ms",
                    "p99 ms",
                    "timeouts",
                    "wrong",
                    "connects/s",
                    "requests/s",
                    "RSS MB",
                    "heap MB",
                    "GC worst ms",
                    "descriptors",
                    "verdict");

    /// A worst answer up to this time is good, whatever nginx does.
    private static final double WORST_MAX_MILLIS = 100;

    /// What a JVM uses besides its heap and the loops' native memory: code, classes, stacks and the
    /// collector's tables.
    private static final long BESIDE_HEAP_MEGABYTES = 160;

    /// Returns the verdict on this result in comparison with nginx under the same flood.
    String verdict(FloodResult nginx, int heapMegabytes) {
        if (good.wrong() > 0 || good.timeouts() > 0) {
            return nginx.good.wrong() + nginx.good.timeouts() > 0 ? "as nginx" : "REFUSED";
        }
        if (outOfMemory || residentMegabytes > heapMegabytes * 5L / 4 + BESIDE_HEAP_MEGABYTES) {
            return "MEMORY";
        }
        if (good.worst() <= WORST_MAX_MILLIS) {
            return "ok";
        }
        return nginx.good.worst() > WORST_MAX_MILLIS ? "as nginx" : "SLOW";
    }

    List<String> row(String verdict) {
        return List.of(
                flood.cell(),
                server,
                number(coldMillis),
                number(good.worst()),
                number(good.worstNewMillis()),
                number(good.p99()),
                String.valueOf(good.timeouts()),
                String.valueOf(good.wrong()),
                String.valueOf(counts[0] / seconds),
                String.valueOf(Math.max(counts[1], counts[2]) / seconds),
                String.valueOf(residentMegabytes),
                gc.pauses() == 0 ? "-" : String.valueOf(gc.heapMaxMegabytes()),
                gc.pauses() == 0 ? "-" : number(gc.worstPauseMillis()),
                String.valueOf(descriptors),
                verdict);
    }

    private static String number(double millis) {
        return String.format(Locale.ROOT, "%.1f", millis);
    }
}
