package dev.serval.servlet.files;

import dev.serval.servlet.assembly.AppSource;
import dev.serval.servlet.scan.ClassFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The files of an application for the reader of its declarations.
///
/// @param root the folder that has WEB-INF
/// @param libraries the jars of WEB-INF/lib, sorted by name
public record DeployedSource(Path root, List<Path> libraries) implements AppSource {
    @Override
    public byte @Nullable [] file(String path, int maxBytes) throws IOException {
        Path file = root.resolve(path);
        if (!Files.isRegularFile(file)) {
            return null;
        }
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(maxBytes);
        }
    }

    @Override
    public ClassFiles classes() {
        return new FolderFiles(root.resolve("WEB-INF/classes"));
    }

    @Override
    public List<? extends ClassFiles> jars() {
        return libraries.stream().map(JarFiles::new).toList();
    }
}
