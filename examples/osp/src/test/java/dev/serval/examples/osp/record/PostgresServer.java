package dev.serval.examples.osp.record;

import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A PostgreSQL of Debian's package on a free port, with a folder of its own. The test is skipped
/// if the package is missing.
public final class PostgresServer implements AutoCloseable {
    private static final Path PROGRAMS = Path.of("/usr/lib/postgresql/15/bin");

    /// A start takes longer while processes of the one before are still attached to its memory.
    private static final Duration START_PATIENCE = Duration.ofSeconds(60);

    private final Path folder;
    private final int port;
    private @Nullable Process process;

    private PostgresServer(Path folder, int port) {
        this.folder = folder;
        this.port = port;
    }

    /// Creates a database and starts its server.
    public static PostgresServer start() throws IOException, InterruptedException {
        assumeThat(PROGRAMS.resolve("initdb"))
                .as("needs PostgreSQL (Debian package postgresql-15)")
                .matches(Files::exists);
        // Not a folder of JUnit: the user postgres must be able to reach it.
        Path folder = Files.createTempDirectory("serval-postgres-");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        PostgresServer server = new PostgresServer(folder, port);
        Process creation =
                server.run("initdb", "-D", server.data(), "-U", "serval", "-A", "trust", "-N")
                        .start();
        if (creation.waitFor() != 0) {
            throw new IOException("initdb failed: " + Files.readString(folder.resolve("log")));
        }
        server.up();
        return server;
    }

    /// Starts the server, also again after [#down].
    public void up() throws IOException {
        process = launch();
        Await.until("PostgreSQL answers", START_PATIENCE, this::answersOrIsLaunchedAgain);
    }

    /// Returns whether the server answers. It refuses to start while a process of the one before is
    /// still attached to its shared memory.
    private boolean answersOrIsLaunchedAgain() {
        Process present = process;
        if (present == null || !present.isAlive()) {
            try {
                process = launch();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return false;
        }
        return answers();
    }

    private Process launch() throws IOException {
        return run(
                        "postgres",
                        "-D",
                        data(),
                        "-p",
                        Integer.toString(port),
                        "-h",
                        "127.0.0.1",
                        "-c",
                        "fsync=off",
                        "-c",
                        "dynamic_shared_memory_type=mmap", // in the folder
                        "-c",
                        "unix_socket_directories=")
                .start();
    }

    /// Stops the server at once, as a crash would. The parent ends first: it would restart its
    /// children.
    public void down() {
        Process present = process;
        process = null;
        if (present != null) {
            List<ProcessHandle> children = present.descendants().toList();
            present.destroyForcibly();
            Process _ = present.onExit().join();
            children.forEach(ProcessHandle::destroyForcibly);
        }
    }

    private String data() {
        return folder.resolve("data").toString();
    }

    /// Returns the command, as the user postgres because the programs refuse to run as root.
    private ProcessBuilder run(String program, String... arguments) {
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(
                    List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"));
        }
        command.add(PROGRAMS.resolve(program).toString());
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()));
    }

    private boolean answers() {
        try (Connection connection = DriverManager.getConnection(url())) {
            return connection.isValid(1);
        } catch (SQLException e) {
            return false;
        }
    }

    /// Returns the JDBC address of its database.
    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=serval";
    }

    @Override
    public void close() throws IOException {
        down();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }
}
