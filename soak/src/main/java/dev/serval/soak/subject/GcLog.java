package dev.serval.soak.subject;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Summarizes what a JVM's collector wrote with `-Xlog:gc`.
///
/// @param heapMaxMegabytes the most heap in use after a collection
public record GcLog(int pauses, double worstPauseMillis, long heapMaxMegabytes) {
    /// Matches `Pause Young (Allocation Failure) 68M->10M(247M) 12.345ms` of every collector.
    private static final Pattern PAUSE =
            Pattern.compile("Pause .* \\d+M->(\\d+)M\\(\\d+M\\) ([0-9.]+)ms");

    /// Reads a log that is still being written, from byte `from`.
    public static GcLog read(Path file, long from) throws IOException {
        byte[] all = Files.readAllBytes(file);
        int at = (int) Math.min(from, all.length);
        return parse(new String(all, at, all.length - at, StandardCharsets.UTF_8));
    }

    /// Parses the text of a log.
    public static GcLog parse(String text) {
        int pauses = 0;
        double worst = 0;
        long heap = 0;
        Matcher pause = PAUSE.matcher(text);
        while (pause.find()) {
            pauses++;
            heap = Math.max(heap, Long.parseLong(pause.group(1)));
            worst = Math.max(worst, Double.parseDouble(pause.group(2)));
        }
        return new GcLog(pauses, worst, heap);
    }
}
