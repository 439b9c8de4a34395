package dev.serval.bench;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.ServalPeer;
import dev.serval.bench.scenario.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The options after the scenario's name.
///
/// @param cells names of cells; empty for all
/// @param peers names of peers; empty for all
/// @param before the jar of an earlier build, or null for no comparison with one
/// @param xitami the program of a local build of Xitami, or null
/// @param configuration the text of a configuration file by which Serval is started, or null for the
///     command line
/// @param peerFiles files that describe more peers
record Options(
        Settings settings,
        List<String> cells,
        List<String> peers,
        Path out,
        List<String> jvmOptions,
        boolean list,
        @Nullable Path before,
        @Nullable Path xitami,
        @Nullable String configuration,
        List<Path> peerFiles) {
    /// The fewest rounds for a comparison with an earlier build. Fewer give wide intervals.
    static final int BEFORE_ROUNDS = 15;

    private static final Path RESULTS = Path.of("bench", "results");

    /// Reads options in any order. The last of a kind counts.
    ///
    /// @throws BenchFailure if an option is unknown or its value is not valid
    static Options parse(List<String> arguments) {
        Arguments rest = new Arguments(arguments);
        Settings settings = arguments.contains("--quick") ? Settings.QUICK : Settings.FULL;
        List<String> cells = List.of();
        List<String> peers = List.of();
        List<String> jvm = List.of();
        Path out = RESULTS;
        boolean list = false;
        Path before = null;
        Path xitami = null;
        String configuration = null;
        List<Path> peerFiles = new ArrayList<>();
        while (!rest.isEmpty()) {
            String option = rest.next();
            switch (option) {
                case "--quick" -> {}
                case "--list" -> list = true;
                case "--rounds" -> settings = settings.withRounds(rest.number());
                case "--seconds" -> settings = settings.withSeconds(rest.number());
                case "--cells" -> cells = rest.names();
                case "--peers" -> peers = rest.names();
                case "--peer" -> peerFiles.add(rest.path());
                case "--jvm" -> jvm = rest.words();
                case "--before" -> before = rest.path();
                case "--before-gate" -> settings = settings.withBeforeGate(rest.ratio());
                case "--xitami" -> xitami = rest.path();
                case "--configured" -> configuration = rules();
                case "--config" -> configuration = configuration(rest.path());
                case "--out" -> out = rest.path();
                default -> throw new BenchFailure("unknown option " + option);
            }
        }
        if (before == null && arguments.contains("--before-gate")) {
            throw new BenchFailure("--before-gate needs --before");
        }
        if (before != null && settings.rounds() < BEFORE_ROUNDS) {
            settings = settings.withRounds(BEFORE_ROUNDS);
        }
        return new Options(
                settings,
                cells,
                peers,
                out,
                jvm,
                list,
                before,
                xitami,
                configuration,
                List.copyOf(peerFiles));
    }

    private static String rules() {
        try {
            return ServalPeer.rules();
        } catch (IOException e) {
            throw new UncheckedIOException("the suite's configuration cannot be read", e);
        }
    }

    private static String configuration(Path file) {
        String text;
        try {
            text = Files.readString(file);
        } catch (IOException e) {
            throw new BenchFailure("the configuration " + file + " cannot be read: " + e, e);
        }
        if (!text.contains("${port}") || !text.contains("${mount}")) {
            throw new BenchFailure(
                    file
                            + " must have ${port} in its listener and ${mount} below a [[mount]],"
                            + " which the suite replaces");
        }
        return text;
    }
}
