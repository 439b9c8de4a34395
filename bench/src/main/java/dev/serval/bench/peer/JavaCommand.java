package dev.serval.bench.peer;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The commands of the JDK that runs the suite. Stateless.
public final class JavaCommand {
    private JavaCommand() {}

    /// Returns a command that runs a program.
    ///
    /// @param program how the JVM finds it: `-jar` and the jar, or a class path and a class
    public static List<String> of(List<String> options, List<String> program, Object... arguments) {
        List<String> command = new ArrayList<>(List.of(tool("java")));
        command.addAll(options);
        command.addAll(program);
        Stream.of(arguments).map(String::valueOf).forEach(command::add);
        return command;
    }

    /// Returns how the JVM finds a program of the suite.
    public static List<String> suite(Class<?> program) {
        return List.of("-cp", System.getProperty("java.class.path"), program.getName());
    }

    /// Runs a command of `jcmd` and returns its output.
    public static String jcmd(long pid, String... command) {
        List<String> all = new ArrayList<>(List.of(tool("jcmd"), String.valueOf(pid)));
        all.addAll(List.of(command));
        return Programs.output(all);
    }

    /// Returns the path of the JDK's `java`.
    static String java() {
        return tool("java");
    }

    private static String tool(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }
}
