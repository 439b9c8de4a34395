package dev.serval.bench;

import dev.serval.bench.load.Settings;
import dev.serval.bench.peer.BenchFailure;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The options after the scenario's name.
///
/// @param settings how long to measure
/// @param cells names of cells; empty for all
/// @param peers names of peers; empty for all
/// @param out folder for results
/// @param jvmOptions options for the server's JVM
/// @param list whether only to list the cells
/// @param before the jar of an earlier build, or null for no comparison with one
/// @param xitami the program of a local build of Xitami, or null
record Options(
        Settings settings,
        List<String> cells,
        List<String> peers,
        Path out,
        List<String> jvmOptions,
        boolean list,
        @Nullable Path before,
        @Nullable Path xitami) {
    /// The fewest rounds for a comparison with an earlier build. Fewer give wide intervals.
    static final int BEFORE_ROUNDS = 15;

    private static final Path RESULTS = Path.of("bench", "results");

    /// Reads options in any order. The last of a kind counts.
    ///
    /// @throws BenchFailure if an option is unknown or its value is not valid
    static Options parse(List<String> arguments) {
        Deque<String> rest = new ArrayDeque<>(arguments);
        boolean quick = rest.contains("--quick");
        Settings settings = quick ? Settings.QUICK : Settings.FULL;
        List<String> cells = List.of();
        List<String> peers = List.of();
        List<String> jvm = List.of();
        Path out = RESULTS;
        boolean list = false;
        Path before = null;
        Path xitami = null;
        while (!rest.isEmpty()) {
            String option = rest.pop();
            switch (option) {
                case "--quick" -> {}
                case "--list" -> list = true;
                case "--rounds" -> settings = settings.withRounds(number(option, rest));
                case "--seconds" -> settings = settings.withSeconds(number(option, rest));
                case "--cells" -> cells = List.of(value(option, rest).split(",", -1));
                case "--peers" -> peers = List.of(value(option, rest).split(",", -1));
                case "--jvm" -> jvm = List.of(value(option, rest).trim().split(" +", -1));
                case "--before" -> before = Path.of(value(option, rest));
                case "--before-gate" -> settings = settings.withBeforeGate(gate(option, rest));
                case "--xitami" -> xitami = Path.of(value(option, rest));
                case "--out" -> out = Path.of(value(option, rest));
                default -> throw new BenchFailure("unknown option " + option);
            }
        }
        if (before == null && arguments.contains("--before-gate")) {
            throw new BenchFailure("--before-gate needs --before");
        }
        if (before != null && settings.rounds() < BEFORE_ROUNDS) {
            settings = settings.withRounds(BEFORE_ROUNDS);
        }
        return new Options(settings, cells, peers, out, jvm, list, before, xitami);
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

    private static double gate(String option, Deque<String> rest) {
        String value = value(option, rest);
        if (!value.matches("[1-9]\\.[0-9]{1,4}")) {
            throw new BenchFailure(option + " needs a ratio such as 1.03, not '" + value + "'");
        }
        return Double.parseDouble(value);
    }
}
