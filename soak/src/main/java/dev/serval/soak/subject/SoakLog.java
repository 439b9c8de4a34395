package dev.serval.soak.subject;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Finds the entries of a server's log that no request meant. Used by one thread.
public final class SoakLog {
    private static final int ENTRY_LINES_MAX = 60;

    /// What is left out: the application's own failures, and reads that fail because the client has
    /// gone. If such a read ends before the loop has reported the loss, the container logs it.
    private static final List<String> EXPECTED =
            List.of("meant", "The content cannot be read: the exchange has ended");

    private final List<String> expected = new ArrayList<>(EXPECTED);
    private final List<String> unexpected = new ArrayList<>();
    private final List<String> entry = new ArrayList<>();

    private SoakLog(List<String> others) {
        expected.addAll(others);
    }

    /// Returns the warnings and errors of a log that are not expected, each with its stack trace. An
    /// entry ends at an empty line.
    public static List<String> unexpected(Path file) throws IOException {
        return unexpected(file, List.of());
    }

    /// Returns the same without the entries that contain one of these texts.
    public static List<String> unexpected(Path file, List<String> others) throws IOException {
        SoakLog log = new SoakLog(others);
        try (Stream<String> lines = Files.lines(file)) {
            lines.forEach(log::take);
        }
        log.take("");
        return log.unexpected;
    }

    private void take(String line) {
        if (!line.isEmpty()) {
            if (entry.size() < ENTRY_LINES_MAX) {
                entry.add(line);
            }
            return;
        }
        String text = String.join("\n    ", entry);
        boolean warns = text.contains("\n    WARNING: ") || text.contains("\n    SEVERE: ");
        if (warns && expected.stream().noneMatch(text::contains)) {
            unexpected.add(text);
        }
        entry.clear();
    }
}
