package dev.serval.net;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/// Makes files of Unix-domain sockets that only the user of this process can open. Stateless.
public final class OwnerOnly {
    private OwnerOnly() {}

    /// Sets the permissions of the file of a socket that does not listen yet. If that fails, the file is
    /// deleted.
    public static void set(Path file) throws IOException {
        boolean set = false;
        try {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            set = true;
        } finally {
            if (!set) {
                Files.deleteIfExists(file);
            }
        }
    }

    /// Binds a channel of the JDK, which listens at once: its file is made in a folder that only the user
    /// can open, and moved to its place with the right permissions.
    public static void bind(ServerSocketChannel channel, Path file, int backlog)
            throws IOException {
        @Nullable Path parent = file.toAbsolutePath().getParent();
        Path folder =
                Files.createTempDirectory(
                        parent == null ? Path.of("/") : parent,
                        ".s",
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rwx------")));
        Path inside = folder.resolve("s");
        try {
            channel.bind(UnixDomainSocketAddress.of(inside), backlog);
            set(inside);
            Files.move(inside, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(inside);
            Files.delete(folder);
        }
    }
}
