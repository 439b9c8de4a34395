package dev.serval.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;

/// Changes files so that their attributes show it. Kernels before 6.13 take the times of a file from
/// a clock that ticks every few milliseconds. If a file is written twice within one tick, and has
/// the same length, nothing tells its two states from each other. Stateless.
public final class Rewrite {
    private Rewrite() {}

    /// A change of a file.
    public interface Change {
        void run() throws IOException;
    }

    /// Returns the time of the file's last change (`ctime`), which cannot be set.
    public static Instant changed(Path file) throws IOException {
        return ((FileTime) Files.getAttribute(file, "unix:ctime")).toInstant();
    }

    /// Writes the text into a file, until the time of its change differs from the one before.
    public static Path text(Path file, String text) throws IOException {
        untilSeen(file, () -> Files.writeString(file, text));
        return file;
    }

    /// Carries out a change of an existing file, until the time of the change differs from the one
    /// before.
    public static void untilSeen(Path file, Change change) throws IOException {
        Instant before = changed(file);
        Await.until(
                file + " has another time",
                () -> {
                    try {
                        change.run();
                        return !changed(file).equals(before);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }
}
