package dev.serval.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The files of the repository, for the tests that check the code itself. Immutable.
///
/// @param root the folder of the launcher
/// @param java every Java source in a module's `src`
record SourceTree(Path root, List<JavaSource> java) {
    /// Reads the tree that contains the current folder.
    static SourceTree read() {
        Path root = find();
        List<JavaSource> sources = new ArrayList<>();
        for (Path file : files(root)) {
            if (file.toString().endsWith(".java")) {
                sources.add(new JavaSource(root.relativize(file).toString(), text(file)));
            }
        }
        return new SourceTree(root, List.copyOf(sources));
    }

    /// Returns the sources that are shipped.
    Stream<JavaSource> main() {
        return java.stream().filter(JavaSource::main);
    }

    /// Returns the text of a document at the root.
    String document(String name) {
        return text(root.resolve(name));
    }

    /// Returns the names of the documents in a folder, such as `docs/internals/log.md`.
    ///
    /// @param folder empty for the root
    List<String> documents(String folder) {
        try (Stream<Path> files = Files.list(root.resolve(folder))) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .map(file -> root.relativize(file).toString())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path find() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("serval"))
                || !Files.exists(folder.resolve("engine/pom.xml"))) {
            Path above = folder.getParent();
            if (above == null) {
                throw new IllegalStateException(
                        "The current folder is not in the source tree: run these tests there");
            }
            folder = above;
        }
        return folder;
    }

    private static List<Path> files(Path root) {
        List<Path> files = new ArrayList<>();
        try {
            Files.walkFileTree(
                    root,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult preVisitDirectory(
                                Path folder, BasicFileAttributes attributes) {
                            String name = String.valueOf(folder.getFileName());
                            boolean skipped =
                                    !folder.equals(root)
                                            && (name.equals("target") || name.startsWith("."));
                            return skipped
                                    ? FileVisitResult.SKIP_SUBTREE
                                    : FileVisitResult.CONTINUE;
                        }

                        @Override
                        public FileVisitResult visitFile(
                                Path file, BasicFileAttributes attributes) {
                            files.add(file);
                            return FileVisitResult.CONTINUE;
                        }
                    });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        files.sort(null);
        return files;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
