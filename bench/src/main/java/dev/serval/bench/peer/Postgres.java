package dev.serval.bench.peer;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// A PostgreSQL of a Debian package for servlets, with a folder of its own on a stage. It runs on the
/// client's CPUs and is no part of a server's process tree, so that its CPU time is not the server's.
/// It ends with the stage at the latest. Used by one thread.
public final class Postgres implements AutoCloseable {
    /// What a report says if it is missing.
    public static final String NEEDED =
            "PostgreSQL is not installed: apt-get install postgresql (and stop its service:"
                    + " systemctl stop postgresql)";

    private static final Path INSTALLED = Path.of("/usr/lib/postgresql");
    private static final String USER = "serval";

    private final Stage stage;
    private final Path programs;
    private final Path folder;
    private final int port;
    private final Process process;

    private Postgres(Stage stage, Path programs) throws IOException {
        this.stage = stage;
        this.programs = programs;
        this.folder = stage.folderFor("postgres");
        this.port = stage.freePort();
        // The programs refuse to run as root, so another account must reach the folder.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        String data = folder.resolve("data").toString();
        Programs.output(program("initdb", "-D", data, "-U", USER, "-A", "trust", "-N"));
        List<String> command =
                program(
                        "postgres",
                        "-D",
                        data,
                        "-p",
                        String.valueOf(port),
                        "-h",
                        "127.0.0.1",
                        "-c",
                        "fsync=off",
                        "-c",
                        "unix_socket_directories=");
        process = stage.launch("postgres", stage.cpus().onClient(command), this::answers);
    }

    /// Returns the folder of the newest version's programs, or empty if there is none.
    public static Optional<Path> programs() throws IOException {
        List<Path> found = new ArrayList<>();
        if (Files.isDirectory(INSTALLED)) {
            try (DirectoryStream<Path> versions = Files.newDirectoryStream(INSTALLED, "[0-9]*")) {
                versions.forEach(version -> found.add(version.resolve("bin")));
            }
        }
        return found.stream()
                .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                .max(Comparator.comparing(bin -> Double.valueOf(bin.getName(3).toString())));
    }

    /// Starts a database and runs these statements.
    ///
    /// @throws BenchFailure if it is missing or does not start
    public static Postgres start(Stage stage, String statements) throws IOException {
        Path programs = programs().orElseThrow(() -> new BenchFailure(NEEDED));
        Postgres database = new Postgres(stage, programs);
        try {
            database.run(statements);
            return database;
        } catch (BenchFailure e) {
            database.close();
            throw e;
        }
    }

    private boolean answers() {
        try {
            run("SELECT 1");
            return true;
        } catch (BenchFailure e) {
            return false;
        }
    }

    private void run(String statements) {
        Programs.output(
                List.of(
                        programs.resolve("psql").toString(),
                        "-v",
                        "ON_ERROR_STOP=1",
                        "-h",
                        "127.0.0.1",
                        "-p",
                        String.valueOf(port),
                        "-U",
                        USER,
                        "-d",
                        "postgres",
                        "-c",
                        statements));
    }

    /// Returns a command, by the account postgres if root runs the suite. It runs in the folder,
    /// because that account may not read the suite's.
    private List<String> program(String name, String... arguments) {
        List<String> command = new ArrayList<>(List.of("env", "-C", folder.toString()));
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(
                    List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"));
        }
        command.add(programs.resolve(name).toString());
        command.addAll(List.of(arguments));
        return command;
    }

    /// Returns the JDBC address of its database.
    public String address() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=" + USER;
    }

    /// Returns the version of its programs.
    public String version() {
        return Programs.firstLine(List.of(programs.resolve("postgres").toString(), "--version"));
    }

    @Override
    public void close() {
        stage.children().stop(process);
    }
}
