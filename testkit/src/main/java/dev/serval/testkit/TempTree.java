package dev.serval.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/// A temporary folder with known content, deleted on close. Paths are relative and use `/`. Missing
/// parent folders of a file are created.
public final class TempTree implements AutoCloseable {
    private final Path root;

    private TempTree(Path root) {
        this.root = root;
    }

    /// Creates an empty folder.
    public static TempTree create() {
        try {
            return new TempTree(Files.createTempDirectory("serval-").toRealPath());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns the folder.
    public Path root() {
        return root;
    }

    /// Returns a path in the folder, whether it exists or not.
    public Path path(String relative) {
        Path path = root.resolve(relative).normalize();
        if (!path.startsWith(root)) {
            throw new IllegalArgumentException(relative + " is outside the folder");
        }
        return path;
    }

    /// Writes a file of `bytes` bytes that look random, but depend only on the path and the size.
    public Path file(String relative, int bytes) {
        return file(relative, content(relative, bytes));
    }

    /// Writes a file with that text as UTF-8.
    public Path file(String relative, String text) {
        return file(relative, text.getBytes(StandardCharsets.UTF_8));
    }

    /// Writes a file with those bytes.
    public Path file(String relative, byte[] content) {
        try {
            Path file = path(relative);
            folderOf(file);
            return Files.write(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Creates a folder.
    public Path folder(String relative) {
        try {
            return Files.createDirectories(path(relative));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Creates a symbolic link to `target`, which may be anywhere.
    public Path link(String relative, Path target) {
        try {
            Path link = path(relative);
            folderOf(link);
            return Files.createSymbolicLink(link, target);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns the content that [#file(String, int)] writes.
    public static byte[] content(String relative, int bytes) {
        byte[] content = new byte[bytes];
        new SplittableRandom(relative.hashCode() * 31L + bytes).nextBytes(content);
        return content;
    }

    @Override
    public void close() {
        try (Stream<Path> walk = Files.walk(root)) {
            List<Path> deepestFirst = walk.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void folderOf(Path file) throws IOException {
        Path folder = file.getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
    }
}
