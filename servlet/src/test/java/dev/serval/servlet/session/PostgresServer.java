package dev.serval.servlet.session;

import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.testkit.Await;
import dev.serval.testkit.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/// A PostgreSQL of Debian's package on a free port, with a folder of its own. The test is skipped
/// if the package is missing.
final class PostgresServer implements AutoCloseable {
    private static final Path PROGRAMS = Path.of("/usr/lib/postgresql/15/bin");
    private static final int STARTS_MAX = 5;

    private final Process process;
    private final Path folder;
    private final int port;

    private PostgresServer(Process process, Path folder, int port) {
        this.process = process;
        this.folder = folder;
        this.port = port;
    }

    static PostgresServer start() throws IOException, InterruptedException {
        assumeThat(PROGRAMS.resolve("initdb"))
                .as("needs PostgreSQL (Debian package postgresql-15)")
                .matches(Files::exists);
        Path folder = Files.createTempDirectory("serval-postgres-");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        try {
            return start(folder);
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            delete(folder);
            throw e;
        }
    }

    private static PostgresServer start(Path folder) throws IOException, InterruptedException {
        String data = folder.resolve("data").toString();
        Process creation =
                run(folder, "initdb", "-D", data, "-U", "serval", "-A", "trust", "-N").start();
        if (creation.waitFor() != 0) {
            throw new IOException("initdb failed: " + Files.readString(folder.resolve("log")));
        }
        for (int i = 0; i < STARTS_MAX; i++) { // another process may take the port meanwhile
            int port = FreePort.find();
            PostgresServer server = new PostgresServer(process(folder, data, port), folder, port);
            try {
                Await.until(
                        "PostgreSQL answers",
                        Duration.ofSeconds(60),
                        () -> !server.process.isAlive() || server.answers());
            } catch (AssertionError e) {
                server.process.destroyForcibly();
                throw e;
            }
            if (server.process.isAlive()) {
                return server;
            }
        }
        throw new IOException("PostgreSQL ended: " + Files.readString(folder.resolve("log")));
    }

    private static Process process(Path folder, String data, int port) throws IOException {
        return run(
                        folder,
                        "postgres",
                        "-D",
                        data,
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

    /// Returns the command, as the user postgres because the programs refuse to run as root.
    private static ProcessBuilder run(Path folder, String program, String... arguments) {
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
        try (Connection connection = source().getConnection()) {
            return connection.isValid(1);
        } catch (SQLException e) {
            return false;
        }
    }

    DataSource source() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl("jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=serval");
        return source;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            process.onExit().get(20, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            process.destroyForcibly();
            Process _ = process.onExit().join();
        }
        delete(folder);
    }

    /// Deletes the folder, again if a process of PostgreSQL still writes into it.
    private static void delete(Path folder) {
        Await.until(
                "the folder is deleted",
                () -> {
                    try (Stream<Path> all = Files.walk(folder)) {
                        for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                            Files.deleteIfExists(each);
                        }
                        return true;
                    } catch (IOException | UncheckedIOException e) {
                        return false;
                    }
                });
    }
}
