package dev.serval.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A user who has a configuration file, starts a server with it, and gives it commands. Used by one test.
///
/// @param folder of the file and of the control socket
record ServalUser(Path folder) {
    /// What a command printed.
    record Printed(int exitCode, List<String> out, String err) {}

    Path file() {
        return folder.resolve("serval.toml");
    }

    /// Writes the file, for a server at any free port that keeps no logs.
    void writes(String text) throws IOException {
        Files.writeString(
                file(), "applications.logs = \"none\"\nlistener = [{ address = \"0\" }]\n" + text);
    }

    /// Starts a server with the file, and waits until it serves.
    ServerProcess starts(String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("run", "--config", file().toString()));
        arguments.addAll(List.of(more));
        ServerProcess server = ServerProcess.start(environment(), arguments);
        server.awaitLine("Ctrl-C stops it.");
        return server;
    }

    /// Starts a server without any argument in the folder of the file, and waits until it serves.
    ServerProcess startsThere() throws IOException {
        ServerProcess server = ServerProcess.start(environment(), folder, List.of("run"));
        server.awaitLine("Ctrl-C stops it.");
        return server;
    }

    /// Gives a command, and waits for its end.
    Printed types(String... words) throws Exception {
        try (ServerProcess command = ServerProcess.start(environment(), List.of(words))) {
            List<String> out = command.rest();
            return new Printed(command.exitCode(), out, command.errors());
        }
    }

    /// Gives a command in the folder of the file, and waits for its end.
    Printed typesThere(String... words) throws Exception {
        try (ServerProcess command = ServerProcess.start(environment(), folder, List.of(words))) {
            List<String> out = command.rest();
            return new Printed(command.exitCode(), out, command.errors());
        }
    }

    Map<String, String> environment() {
        return Map.of("XDG_RUNTIME_DIR", folder.toString());
    }
}
