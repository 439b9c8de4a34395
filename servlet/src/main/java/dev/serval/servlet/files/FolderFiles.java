package dev.serval.servlet.files;

import dev.serval.servlet.scan.ClassFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The class files below WEB-INF/classes.
///
/// @param folder where they are; need not exist
record FolderFiles(Path folder) implements ClassFiles {
    @Override
    public String name() {
        return "WEB-INF/classes";
    }

    /// Returns null, because developers change these files in place.
    @Override
    public @Nullable String contentHash() {
        return null;
    }

    @Override
    public void classFiles(Visitor visitor) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            files =
                    all.filter(file -> file.toString().endsWith(".class"))
                            .filter(Files::isRegularFile)
                            .sorted()
                            .toList();
        } catch (UncheckedIOException e) { // of a folder below
            throw new IOException(name() + " cannot be read: " + e.getCause(), e.getCause());
        }
        for (Path file : files) {
            String path = folder.relativize(file).toString().replace('\\', '/');
            visitor.file(path, Files.size(file), most -> bytes(file, most));
        }
    }

    @Override
    public byte @Nullable [] file(String path, int maxBytes) throws IOException {
        Path file = folder.resolve(path);
        return Files.isRegularFile(file) ? bytes(file, maxBytes) : null;
    }

    private static byte[] bytes(Path file, int maxBytes) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(maxBytes);
        }
    }
}
