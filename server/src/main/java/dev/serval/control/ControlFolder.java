package dev.serval.control;

import static java.lang.System.Logger.Level.DEBUG;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The folder of a user's control sockets. Only the user can open it. A socket is named after the
/// server's first port, such as `8080.sock`.
public final class ControlFolder {
    private static final System.Logger LOG = System.getLogger(ControlFolder.class.getName());
    private static final Duration STARTING = Duration.ofSeconds(10);
    private static final String SUFFIX = ".sock";
    private static final Set<PosixFilePermission> OWNER_ONLY =
            PosixFilePermissions.fromString("rwx------");

    private final Path path;

    /// Creates an object for a folder, which need not exist.
    public ControlFolder(Path path) {
        this.path = path;
    }

    /// Returns the folder of the user: `serval` in `$XDG_RUNTIME_DIR`, or `serval/run` in
    /// `$XDG_STATE_HOME` or `~/.local/state` (XDG Base Directory Specification).
    ///
    /// @param environment the variables of the process
    /// @param home the user's folder
    public static ControlFolder ofUser(Map<String, String> environment, Path home) {
        @Nullable String runtime = environment.get("XDG_RUNTIME_DIR");
        if (runtime != null && runtime.startsWith("/")) {
            return new ControlFolder(Path.of(runtime, "serval"));
        }
        @Nullable String state = environment.get("XDG_STATE_HOME");
        Path parent =
                state != null && state.startsWith("/")
                        ? Path.of(state)
                        : home.resolve(".local/state");
        return new ControlFolder(parent.resolve("serval/run"));
    }

    /// Returns the path.
    public Path path() {
        return path;
    }

    /// Returns the socket of a server.
    ///
    /// @param name its first port, or another name without a slash
    public Path socket(String name) {
        return path.resolve(name + SUFFIX);
    }

    /// Returns the name of a server, of the path of its socket.
    static String name(Path socket) {
        String file = String.valueOf(socket.getFileName());
        return file.substring(0, file.lastIndexOf('.'));
    }

    /// Returns the sockets in the folder, of servers that run or have died.
    public List<Path> sockets() throws IOException {
        List<Path> sockets = new ArrayList<>();
        if (Files.isDirectory(path)) {
            check();
            try (DirectoryStream<Path> found = Files.newDirectoryStream(path, "*" + SUFFIX)) {
                found.forEach(sockets::add);
            }
            sockets.sort(null);
        }
        return sockets;
    }

    /// Creates the folder if it is missing.
    ///
    /// @throws IOException if that fails, or others could open it; the message says what to do
    void create() throws IOException {
        try {
            @Nullable Path parent = path.toAbsolutePath().getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                Files.createDirectory(path, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
            }
        } catch (FileSystemException e) {
            if (!Files.isDirectory(path)) { // else another server has just created it
                throw new IOException(
                        "The server cannot create the folder for control sockets "
                                + path
                                + " ("
                                + e
                                + "): set server.state, or without it XDG_RUNTIME_DIR, to a folder where"
                                + " this user can write",
                        e);
            }
        }
        check();
    }

    /// Removes the sockets of servers that have died. A socket without an answer may belong to a
    /// server that is just starting, so young ones are kept.
    void sweep() {
        Instant young = Instant.now().minus(STARTING);
        try {
            for (Path socket : sockets()) {
                if (Files.getLastModifiedTime(socket).toInstant().isBefore(young)
                        && !ControlServer.answers(socket)) {
                    Files.deleteIfExists(socket);
                }
            }
        } catch (IOException e) {
            LOG.log(DEBUG, "The server could not delete sockets of dead servers", e);
        }
    }

    private void check() throws IOException {
        PosixFileAttributes folder =
                Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (folder.isDirectory() && !folder.owner().equals(self())) {
            String owner = folder.owner().getName();
            throw new IOException(
                    "The folder for control sockets "
                            + path
                            + " belongs to "
                            + owner
                            + ": run serval as that user, such as with sudo -u "
                            + owner);
        }
        if (!folder.isDirectory() || !folder.permissions().equals(OWNER_ONLY)) {
            throw new IOException(
                    "The folder for control sockets "
                            + path
                            + " must be a folder that no other user can open: remove it, or"
                            + " set its mode to 700");
        }
    }

    /// Returns the user of this process, as the owner of its entry in `/proc`, or else of a new
    /// file.
    private static Object self() throws IOException {
        Path process = Path.of("/proc/self");
        if (Files.exists(process)) {
            return Files.getOwner(process);
        }
        Path probe = Files.createTempFile("serval-", ".owner");
        try {
            return Files.getOwner(probe);
        } finally {
            Files.delete(probe);
        }
    }
}
