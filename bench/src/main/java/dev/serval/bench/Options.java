package dev.serval.bench;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.ServalPeer;
import dev.serval.bench.report.Environment;
import dev.serval.bench.scenario.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The options after the scenario's name.
///
/// @param export whether benchmarks of Hyperfoil are written, and nothing runs
/// @param resume whether cells of an interrupted run are skipped
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
        boolean export,
        boolean resume,
        @Nullable Path before,
        @Nullable Path xitami,
        @Nullable String configuration,
        List<Path> peerFiles) {
    /// The fewest rounds for a comparison with an earlier build. Fewer give wide intervals.
    static final int BEFORE_ROUNDS = 15;

    private static final Map<String, Settings> FORMS =
            Map.of(
                    "--quick", Settings.QUICK,
                    "--short", Settings.SHORT,
                    "--full", Settings.PAPER);

    private static final Path RESULTS = Path.of("bench", "results");

    /// Reads options in any order. The last of a kind counts.
    ///
    /// @throws BenchFailure if an option is unknown or its value is not valid
    static Options parse(List<String> arguments) {
        Arguments rest = new Arguments(arguments);
        Settings settings = settings(arguments);
        List<String> cells = List.of();
        List<String> peers = List.of();
        List<String> jvm = List.of();
        Path out = RESULTS;
        boolean list = false;
        boolean export = false;
        boolean resume = false;
        Path before = null;
        Path xitami = null;
        String configuration = null;
        List<Path> peerFiles = new ArrayList<>();
        while (!rest.isEmpty()) {
            String option = rest.next();
            switch (option) {
                case "--quick", "--short", "--full" -> {}
                case "--resume" -> resume = true;
                case "--list" -> list = true;
                case "--export" -> export = isHyperfoil(rest.value());
                case "--rounds" -> settings = settings.withRounds(rest.number());
                case "--seconds" -> settings = settings.withSeconds(rest.number());
                case "--cells" -> cells = rest.names();
                case "--peers" -> peers = rest.names();
                case "--peer" -> peerFiles.add(rest.path());
                case "--jvm" -> jvm = rest.words();
                case "--before" -> before = rest.path();
                case "--before-gate" -> settings = settings.withBeforeGate(rest.ratio());
                case "--xitami" -> xitami = rest.path();
                case "--configured" -> configuration = ServalPeer.rules();
                case "--config" -> configuration = configuration(rest.path());
                case "--out" -> out = rest.path();
                default -> throw new BenchFailure("unknown option " + option);
            }
        }
        BenchFailure.require(
                before != null || !arguments.contains("--before-gate"),
                "--before-gate needs --before");
        BenchFailure.require(
                !Files.isRegularFile(out), "--out needs a folder: " + out + " is a file");
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
                export,
                resume,
                before,
                xitami,
                configuration,
                List.copyOf(peerFiles));
    }

    private static boolean isHyperfoil(String form) {
        BenchFailure.require(
                form.equals("hyperfoil"), "--export needs hyperfoil, not '" + form + "'");
        return true;
    }

    private static Settings settings(List<String> arguments) {
        List<String> chosen = arguments.stream().filter(FORMS::containsKey).distinct().toList();
        if (chosen.size() > 1) {
            throw new BenchFailure(String.join(" and ", chosen) + " exclude each other");
        }
        return chosen.isEmpty()
                ? Settings.FULL
                : FORMS.getOrDefault(chosen.getFirst(), Settings.FULL);
    }

    /// Returns these options with those of the chosen cells and peers that a scenario has.
    Options of(List<String> itsCells, List<String> itsPeers) {
        return with(
                cells.stream().filter(itsCells::contains).toList(),
                peers.stream().filter(itsPeers::contains).toList());
    }

    /// Returns these options with cells and peers for those that were not chosen.
    Options orElse(List<String> otherCells, List<String> otherPeers) {
        return with(cells.isEmpty() ? otherCells : cells, peers.isEmpty() ? otherPeers : peers);
    }

    private Options with(List<String> otherCells, List<String> otherPeers) {
        return new Options(
                settings,
                otherCells,
                otherPeers,
                out,
                jvmOptions,
                list,
                export,
                resume,
                before,
                xitami,
                configuration,
                peerFiles);
    }

    /// Returns whether nothing is left of the cells or of the peers that were chosen.
    boolean choosesNothing(Options chosen) {
        return (cells.isEmpty() && !chosen.cells.isEmpty())
                || (peers.isEmpty() && !chosen.peers.isEmpty());
    }

    /// Returns what two runs must have in common so that one can resume the other.
    ///
    /// @param names of the peers that take part
    Map<String, String> facts(List<String> names) {
        Map<String, String> facts = new TreeMap<>(settings.facts());
        facts.put(Environment.PEERS, String.join(",", names));
        facts.put("jvm", String.join(" ", jvmOptions));
        if (before != null) {
            facts.put("before", before.toString());
        }
        if (xitami != null) {
            facts.put("xitami", xitami.toString());
        }
        if (configuration != null) {
            facts.put("configuration", "hash " + Integer.toHexString(configuration.hashCode()));
        }
        return facts;
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
