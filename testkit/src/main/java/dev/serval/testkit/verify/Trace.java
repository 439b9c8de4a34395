package dev.serval.testkit.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Shortens a stack trace to what a reader needs first: the message and the frames of our own code,
/// for the exception and for each cause. Stateless.
final class Trace {
    private static final String OURS = "dev.serval.";
    private static final Pattern COMMON = Pattern.compile("\\.\\.\\. \\d+ more");
    private static final int MESSAGE_LINES_MAX = 15;
    private static final int LINE_MAX_CHARS = 300;
    private static final int FRAMES_MAX = 5;
    private static final int LINES_MAX = 40;

    private Trace() {}

    /// Returns at most 40 lines, without indentation.
    static List<String> shortened(String trace) {
        List<String> lines = new ArrayList<>();
        List<String> frames = new ArrayList<>();
        int message = 0;
        for (String line : trace.lines().toList()) {
            String stripped = line.strip();
            boolean begins =
                    stripped.startsWith("Caused by: ") || stripped.startsWith("Suppressed: ");
            if (begins) {
                lines.addAll(chosen(frames));
                frames.clear();
                message = 0;
            }
            if (frame(line)) {
                frames.add(stripped);
            } else if (frames.isEmpty()
                    && !stripped.isEmpty()
                    && !COMMON.matcher(stripped).matches()) {
                message++;
                add(lines, message, stripped);
            }
        }
        lines.addAll(chosen(frames));
        return lines.size() <= LINES_MAX ? lines : lines.subList(0, LINES_MAX);
    }

    private static void add(List<String> lines, int message, String line) {
        if (message <= MESSAGE_LINES_MAX) {
            lines.add(
                    line.length() <= LINE_MAX_CHARS
                            ? line
                            : line.substring(0, LINE_MAX_CHARS) + "…");
        } else if (message == MESSAGE_LINES_MAX + 1) {
            lines.add("…");
        }
    }

    /// Returns the first frames of our own code, or the first frames of all if there are none.
    private static List<String> chosen(List<String> frames) {
        List<String> ours = frames.stream().filter(Trace::ours).limit(FRAMES_MAX).toList();
        return ours.isEmpty() ? frames.stream().limit(FRAMES_MAX).toList() : ours;
    }

    private static boolean frame(String line) {
        return line.startsWith("\tat ") || line.startsWith("\t\tat ");
    }

    /// Returns whether a frame belongs to our code. A class loader and a module may precede the
    /// class: `at app//dev.serval.Serval…`.
    private static boolean ours(String frame) {
        String place = frame.substring("at ".length());
        int method = place.indexOf('(');
        int type = place.lastIndexOf('/', method < 0 ? place.length() : method) + 1;
        return place.startsWith(OURS, type);
    }
}
