package dev.serval.testkit.database;

import dev.serval.testkit.Await;
import dev.serval.testkit.FreePort;
import dev.serval.testkit.process.ProcessTree;
import java.io.IOException;
import java.io.UncheckedIOException;
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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A PostgreSQL of Debian's package on a free port, with a folder of its own. Tests skip themselves
/// if it [is missing][#isInstalled]. Needs the JDBC driver on the class path. Used by one thread.
public final class PostgresServer implements AutoCloseable {
    /// What a test that skips itself says.
    public static final String NEEDED = "needs PostgreSQL (Debian package postgresql-15)";

    private static final Path PROGRAMS = Path.of("/usr/lib/postgresql/15/bin");

    /// A start takes longer while processes of the one before are still attached to its memory.
    private static final Duration START_PATIENCE = Duration.ofSeconds(60);

    private static final long STOP_SECONDS = 20;

    private final Path folder;
    private final int niceness;
    private int port; // another one if a process took it before the start
    private @Nullable Process process;

    private PostgresServer(Path folder, int niceness) {
        this.folder = folder;
        this.niceness = niceness;
    }

    /// Returns whether its programs are there.
    public static boolean isInstalled() {
        return Files.exists(PROGRAMS.resolve("initdb"));
    }

    /// Creates a database and starts its server.
    public static PostgresServer start() throws IOException, InterruptedException {
        return start(0);
    }

    /// Creates a database and starts its server, which leaves the processor to others.
    ///
    /// @param niceness of its processes, from 0 to 19, as for nice(1)
    public static PostgresServer start(int niceness) throws IOException, InterruptedException {
        // Not a folder of JUnit: the user postgres must be able to reach it.
        Path folder = Files.createTempDirectory("serval-postgres-");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        PostgresServer server = new PostgresServer(folder, niceness);
        try {
            server.create();
            server.port = FreePort.find();
            server.launchAndAwait(/* mayMove */ true);
            return server;
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            server.close();
            throw e;
        }
    }

    private void create() throws IOException, InterruptedException {
        Process creation = run("initdb", "-D", data(), "-U", "serval", "-A", "trust", "-N").start();
        if (creation.waitFor() != 0) {
            throw new IOException("initdb failed: " + Files.readString(folder.resolve("log")));
        }
    }

    /// Starts the server again after [#down], at the same port.
    public void up() throws IOException {
        launchAndAwait(/* mayMove */ false);
    }

    /// @param mayMove whether no test knows the port yet
    private void launchAndAwait(boolean mayMove) throws IOException {
        process = launch();
        Await.until("PostgreSQL answers", START_PATIENCE, () -> answersOrIsLaunchedAgain(mayMove));
    }

    /// Returns whether the server answers. It does not start if its port was taken meanwhile, or
    /// while a process of the one before is still attached to its shared memory.
    private boolean answersOrIsLaunchedAgain(boolean mayMove) {
        @Nullable Process present = process;
        if (present != null && present.isAlive()) {
            return answers();
        }
        if (mayMove) {
            port = FreePort.find();
        }
        try {
            process = launch();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return false;
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

    /// Stops the server at once, as a crash would.
    public void down() {
        Process present = process;
        process = null;
        if (present != null) {
            ProcessTree.kill(present);
        }
    }

    private String data() {
        return folder.resolve("data").toString();
    }

    /// Returns the command, as the user postgres because the programs refuse to run as root.
    private ProcessBuilder run(String program, String... arguments) {
        List<String> command = new ArrayList<>();
        if (niceness > 0) {
            command.addAll(List.of("nice", "-n", Integer.toString(niceness)));
        }
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

    /// Returns the root of its process tree.
    ///
    /// @throws IllegalStateException after [#down]
    public long pid() {
        @Nullable Process present = process;
        if (present == null) {
            throw new IllegalStateException("The server is down");
        }
        return present.pid();
    }

    /// Stops the server and deletes its folder.
    @Override
    public void close() {
        @Nullable Process present = process;
        if (present != null) {
            present.destroy();
            try {
                present.onExit().get(STOP_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException | ExecutionException | TimeoutException e) {
                down();
            }
        }
        Await.until("the folder is deleted", this::isDeleted);
    }

    /// Deletes the folder. That fails while a process of PostgreSQL still writes into it.
    private boolean isDeleted() {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
            return true;
        } catch (IOException | UncheckedIOException e) {
            return false;
        }
    }
}
