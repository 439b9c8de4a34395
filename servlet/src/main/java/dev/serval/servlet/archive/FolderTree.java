package dev.serval.servlet.archive;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/// Deletes folders with all that is in them. Links are deleted, not followed. Stateless.
final class FolderTree {
    private FolderTree() {}

    /// Returns a path with this prefix that does not exist. The caller holds the folder's lock, so
    /// that it stays unused, and needs no random name, whose generator takes long to start.
    static Path unused(Path folder, String prefix) {
        int number = 0;
        Path path = folder.resolve(prefix + number);
        while (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            number++;
            path = folder.resolve(prefix + number);
        }
        return path;
    }

    /// Deletes a folder or file; does nothing if it does not exist.
    static void delete(Path tree) throws IOException {
        try {
            Files.walkFileTree(tree, new Deletion());
        } catch (NoSuchFileException e) {
            if (Files.exists(tree)) {
                throw e;
            }
        }
    }

    private static final class Deletion extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure)
                throws IOException {
            if (failure != null) {
                throw failure;
            }
            Files.deleteIfExists(folder);
            return FileVisitResult.CONTINUE;
        }
    }
}
