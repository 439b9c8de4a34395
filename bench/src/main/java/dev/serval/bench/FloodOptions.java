package dev.serval.bench;

import dev.serval.bench.flood.Flood;
import dev.serval.bench.flood.FloodSettings;
import dev.serval.bench.peer.BenchFailure;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collectors;

/// Reads the options of `serval soak floods`. Stateless.
final class FloodOptions {
    static final String USAGE =
            """
            serval soak [options] floods        one client with a calm pace while others flood the
                                                server, compared with nginx with the same limits;
                                                exit code 1 if an answer is wrong, late or missing,
                                                or if memory is not bounded

              --cells A,B     only these floods
              --seconds N     length of each flood (10)
              --heap N        heap limit of the server in megabytes (256)
              --jvm OPTIONS   more options for the server's JVM, as one argument
              --launcher FILE starts the server (./serval); may be in another source tree
            """;

    private static final Path LAUNCHER = Path.of("serval");

    private FloodOptions() {}

    /// Reads the options and the name of the soak, in any order.
    ///
    /// @throws BenchFailure if an option is unknown or its value is not valid
    static FloodSettings parse(List<String> arguments) {
        Deque<String> rest = new ArrayDeque<>(arguments);
        List<Flood> cells = List.of(Flood.values());
        int seconds = 10;
        int heap = 256;
        List<String> jvm = List.of();
        Path launcher = LAUNCHER;
        while (!rest.isEmpty()) {
            String option = rest.pop();
            switch (option) {
                case "floods" -> {}
                case "--cells" -> cells = cells(value(option, rest));
                case "--seconds" -> seconds = number(option, rest);
                case "--heap" -> heap = number(option, rest);
                case "--jvm" -> jvm = List.of(value(option, rest).trim().split(" +", -1));
                case "--launcher" -> launcher = Path.of(value(option, rest));
                default -> throw new BenchFailure("unknown option '" + option + "'\n" + USAGE);
            }
        }
        return new FloodSettings(cells, seconds, heap, launcher, jvm);
    }

    private static List<Flood> cells(String names) {
        return Arrays.stream(names.split(",", -1)).map(FloodOptions::cell).toList();
    }

    private static Flood cell(String name) {
        return Arrays.stream(Flood.values())
                .filter(flood -> flood.cell().equals(name))
                .findFirst()
                .orElseThrow(
                        () -> new BenchFailure("no flood '" + name + "'; there are: " + all()));
    }

    private static String all() {
        return Arrays.stream(Flood.values()).map(Flood::cell).collect(Collectors.joining(", "));
    }

    private static String value(String option, Deque<String> rest) {
        if (rest.isEmpty()) {
            throw new BenchFailure(option + " needs a value");
        }
        return rest.pop();
    }

    private static int number(String option, Deque<String> rest) {
        String value = value(option, rest);
        if (!value.matches("[1-9][0-9]{0,4}")) {
            throw new BenchFailure(option + " needs a positive number, not '" + value + "'");
        }
        return Integer.parseInt(value);
    }
}
