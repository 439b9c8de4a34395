package dev.serval.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A program of the tests in a JVM of its own, with the flags of the server. Its standard output is
/// a file, or is read line by line as the answers to commands.
public final class ChildJvm implements AutoCloseable {
    private final Process process;
    private final PrintStream commands;
    private final BufferedReader answers;

    private ChildJvm(Process process) {
        this.process = process;
        this.commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        this.answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /// Returns the process to start.
    ///
    /// @param options further options of the JVM, such as its heap
    public static ProcessBuilder command(
            List<String> options, Class<?> program, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(
                List.of(
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "--add-opens=java.base/java.lang=ALL-UNNAMED",
                        "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                        "--add-opens=java.base/java.io=ALL-UNNAMED",
                        "-cp",
                        System.getProperty(
                                "surefire.test.class.path", System.getProperty("java.class.path")),
                        program.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command);
    }

    /// Starts a process that answers commands.
    ///
    /// @param errors the file for its standard error
    public static ChildJvm start(ProcessBuilder command, Path errors) throws IOException {
        return new ChildJvm(command.redirectError(errors.toFile()).start());
    }

    /// Sends a command and returns its answer, a line.
    public String ask(String command) {
        commands.println(command);
        return answer();
    }

    /// Returns the next line that the process prints.
    public String answer() {
        try {
            @Nullable String line = answers.readLine();
            if (line == null) {
                throw new AssertionError("the process has ended");
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns the next lines that the process prints.
    public List<String> lines(int number) {
        return Stream.generate(this::answer).limit(number).toList();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
