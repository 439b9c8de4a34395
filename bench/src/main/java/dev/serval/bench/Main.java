package dev.serval.bench;

import dev.serval.bench.load.Hyperfoil;
import dev.serval.bench.lrwp.LrwpPrograms;
import dev.serval.bench.lrwp.LrwpRun;
import dev.serval.bench.page.Planned;
import dev.serval.bench.page.ReportFolder;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.Peers;
import dev.serval.bench.peer.Resources;
import dev.serval.bench.peer.Role;
import dev.serval.bench.peer.ServalPeer;
import dev.serval.bench.peer.Site;
import dev.serval.bench.report.BeforeResult;
import dev.serval.bench.run.Estimate;
import dev.serval.bench.run.ScenarioRun;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.scenario.Scenario;
import dev.serval.bench.scenario.Selection;
import dev.serval.bench.servlet.WarFolder;
import java.io.Console;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/// The command line of the benchmark suite. It runs in the repository's root.
public final class Main {
    private static final Path SERVER_JAR = Path.of("server", "target", "serval.jar");

    private static final Path OSP_JAR = Path.of("examples", "osp", "target", "osp.jar");

    private static final String ALL = "all";

    private final PrintStream out;
    private final PrintStream err;
    private final boolean terminal;

    /// @param terminal whether `out` is a terminal
    Main(PrintStream out, PrintStream err, boolean terminal) {
        this.out = out;
        this.err = err;
        this.terminal = terminal;
    }

    /// Runs and exits: 0 if all gates passed, 1 if one failed, 2 after wrong use or a broken setup.
    public static void main(String[] arguments) throws Exception {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        boolean terminal = Stream.ofNullable(System.console()).anyMatch(Console::isTerminal);
        System.exit(new Main(out, err, terminal).run(List.of(arguments)));
    }

    int run(List<String> arguments) throws IOException {
        Locale.setDefault(Locale.ROOT); // figures look the same for every user
        String first = arguments.isEmpty() ? "--help" : arguments.getFirst();
        List<String> rest =
                arguments.isEmpty() ? List.of() : arguments.subList(1, arguments.size());
        try {
            return switch (first) {
                case "--help", "-h", "help" -> {
                    out.print(Resources.text(Main.class, "usage.txt"));
                    yield 0;
                }
                case "--list" -> {
                    for (String name : Scenario.NAMES) {
                        list(Scenario.named(name));
                    }
                    LrwpRun.list(out);
                    out.println("micro  JMH micro benchmarks");
                    Peers.listAll(out);
                    yield 0;
                }
                case "micro" -> {
                    org.openjdk.jmh.Main.main(rest.toArray(String[]::new));
                    yield 0;
                }
                case "report" -> report(rest);
                default -> suite(arguments);
            };
        } catch (BenchFailure e) {
            err.println("serval bench: " + e.getMessage());
            err.println("serval bench --help shows the usage.");
            return 2;
        }
    }

    /// Returns all that the suite can measure.
    static List<Planned> plans() throws IOException {
        List<Planned> plans = new ArrayList<>();
        for (String name : Scenario.NAMES) {
            plans.add(new Planned(name, Scenario.named(name).compared()));
        }
        Map<String, List<String>> lrwp = new LinkedHashMap<>();
        LrwpRun.cells().forEach(cell -> lrwp.put(cell, List.of()));
        plans.add(new Planned(LrwpRun.NAME, lrwp));
        return plans;
    }

    /// Makes the report of a folder's results.
    private int report(List<String> folders) throws IOException {
        BenchFailure.require(folders.size() == 1, "report needs one folder");
        Path results = Path.of(folders.getFirst());
        BenchFailure.require(Files.isDirectory(results), "there is no folder " + results);
        ReportFolder folder = ReportFolder.read(results, plans());
        folder.leftOut().forEach(why -> out.println("left out: " + why));
        out.println("Written: " + folder.write());
        return 0;
    }

    /// Runs the scenarios that stand before the first option.
    private int suite(List<String> arguments) throws IOException {
        List<String> names =
                arguments.stream().takeWhile(word -> !word.startsWith("-")).distinct().toList();
        BenchFailure.require(!names.isEmpty(), "name a scenario before the options, or all");
        Options options = Options.parse(arguments.subList(names.size(), arguments.size()));
        if (names.contains(ALL)) {
            names = new ArrayList<>(Scenario.NAMES);
            names.add(LrwpRun.NAME);
        }
        if (options.xitami() != null && !names.contains(LrwpRun.NAME)) {
            throw new BenchFailure("--xitami is an option of scenario lrwp only");
        }
        List<Scenario> scenarios = new ArrayList<>();
        for (String name : names) {
            if (!name.equals(LrwpRun.NAME)) {
                scenarios.add(Scenario.named(name));
            }
        }
        if (options.list()) {
            for (Scenario scenario : scenarios) {
                list(scenario);
                out.println("peers");
                peers(scenario, options).forEach(peer -> out.println("  " + Peers.state(peer)));
            }
            if (names.contains(LrwpRun.NAME)) {
                LrwpRun.list(out);
            }
            return 0;
        }
        if (options.export()) {
            requireKnown(scenarios, false, options);
            for (Scenario scenario : scenarios) {
                export(scenario, options);
            }
            if (names.contains(LrwpRun.NAME)) {
                out.println(LrwpRun.NAME + " left out: each of its requests has another number");
            }
            return 0;
        }
        List<Job> jobs =
                jobs(scenarios, names.contains(LrwpRun.NAME), options, selection(arguments));
        return new Suite(options.out(), options.resume(), out, terminal).run(jobs);
    }

    /// Returns what is measured of the scenarios. Who chooses cells gets them.
    private static Selection selection(List<String> arguments) throws IOException {
        if (!arguments.contains(ALL) || arguments.contains("--cells")) {
            return Selection.EVERYTHING;
        }
        return arguments.contains("--quick")
                ? Selection.quick()
                : arguments.contains("--short") ? Selection.brief() : Selection.EVERYTHING;
    }

    /// Writes the benchmarks of Hyperfoil for a scenario, and the folder that its servers serve.
    private void export(Scenario scenario, Options options) throws IOException {
        Path folder = options.out().resolve(scenario.name());
        Site site = Site.create(folder.resolve("site"), scenario.files());
        WarFolder.explode(site.root(), Peers.JARS, scenario.requests().values());
        Hyperfoil hyperfoil = new Hyperfoil(scenario, options.settings());
        for (Cell cell : scenario.cells()) {
            if (options.cells().isEmpty() || options.cells().contains(cell.name())) {
                Path file = folder.resolve(cell.name() + Hyperfoil.ENDING);
                Optional<String> benchmark = hyperfoil.benchmark(cell);
                if (benchmark.isPresent()) {
                    out.println("Written: " + Files.writeString(file, benchmark.get()));
                } else {
                    out.println(cell.name() + " left out: it is no load that Hyperfoil can make");
                }
            }
        }
    }

    /// Returns the scenarios as jobs. Of several scenarios, each has those of the chosen cells and
    /// peers that it knows, and one without any is left out.
    List<Job> jobs(List<Scenario> scenarios, boolean lrwp, Options options, Selection selection)
            throws IOException {
        int count = scenarios.size() + (lrwp ? 1 : 0);
        requireKnown(scenarios, lrwp, options);
        List<Job> jobs = new ArrayList<>();
        for (Scenario scenario : scenarios) {
            String name = scenario.name();
            Options asked = options.orElse(selection.of(name), selection.peers());
            Options own = count == 1 ? asked : asked.of(cells(scenario), scenario.peers());
            if (selection.leavesOut(name) || own.choosesNothing(asked)) {
                out.println(name + " left out: it has none of these cells or peers");
            } else {
                jobs.add(job(scenario, own));
            }
        }
        if (lrwp) {
            Options asked = options.orElse(selection.of(LrwpRun.NAME), List.of());
            Options own = count == 1 ? asked : asked.of(LrwpRun.cells(), asked.peers());
            if (own.choosesNothing(asked)) {
                out.println(LrwpRun.NAME + " left out: it has none of these cells");
            } else {
                jobs.add(lrwp(own));
            }
        }
        return jobs;
    }

    /// Rejects cells and peers that no scenario has.
    private static void requireKnown(List<Scenario> scenarios, boolean lrwp, Options options) {
        List<String> cells = new ArrayList<>(lrwp ? LrwpRun.cells() : List.of());
        List<String> peers = new ArrayList<>();
        for (Scenario scenario : scenarios) {
            cells.addAll(cells(scenario));
            peers.addAll(scenario.peers());
        }
        chosen("cell", cells.stream().distinct().toList(), options.cells(), cell -> cell);
        if (scenarios.size() > 1) {
            chosen("peer", peers.stream().distinct().toList(), options.peers(), peer -> peer);
        }
    }

    private static List<String> cells(Scenario scenario) {
        return scenario.cells().stream().map(Cell::name).toList();
    }

    private Job job(Scenario scenario, Options options) throws IOException {
        BenchFailure.require(
                options.configuration() == null || scenario.peers().contains(ServalPeer.NAME),
                "--configured and --config do not work with scenario " + scenario.name());
        List<Peer> peers = peers(scenario, options);
        List<Cell> all = scenario.cells();
        if (options.before() != null) {
            all = all.stream().filter(Cell.Load.class::isInstance).toList();
            BenchFailure.require(
                    !all.isEmpty(), "--before does not work with scenario " + scenario.name());
        }
        List<Cell> cells = chosen("cell", all, options.cells(), Cell::name);
        int present = (int) peers.stream().filter(peer -> peer.missing().isEmpty()).count();
        Estimate estimate = new Estimate(options.settings(), present);
        Map<String, Double> estimates = new LinkedHashMap<>();
        cells.forEach(cell -> estimates.put(cell.name(), estimate.seconds(cell)));
        return new Job(
                scenario.name(),
                cells(scenario),
                estimates,
                present,
                options.facts(peers.stream().map(Peer::name).toList()),
                (names, progress, recorder) ->
                        new ScenarioRun(scenario, options.settings(), peers, progress, recorder)
                                .run(
                                        cells.stream()
                                                .filter(cell -> names.contains(cell.name()))
                                                .toList()));
    }

    /// Returns the peers of a run. An earlier build is compared with the subject, so both take part.
    static List<Peer> peers(Scenario scenario, Options options) {
        Path before = options.before();
        List<String> asked = new ArrayList<>(options.peers());
        if (before != null) {
            requireComparable(scenario, before);
            asked.add(scenario.subject());
        }
        Peers all = peersOf(scenario, options);
        List<Peer> peers = new ArrayList<>();
        for (String name : all.chosen(scenario.peers(), asked)) {
            peers.add(all.named(name));
        }
        for (String name : all.added()) {
            peers.add(all.named(name));
        }
        if (before != null) {
            peers.add(all.earlier(BeforeResult.PEER, before));
        }
        return peers;
    }

    /// Rejects a comparison with something that is not an earlier build of this server.
    private static void requireComparable(Scenario scenario, Path before) {
        if (!scenario.peers().contains(ServalPeer.NAME)) {
            throw new BenchFailure("--before does not work with scenario " + scenario.name());
        }
        new ServalPeer(before, List.of()).requireServer();
    }

    private Job lrwp(Options options) throws IOException {
        BenchFailure.require(
                options.before() == null && options.configuration() == null,
                "--before, --configured and --config do not work with scenario " + LrwpRun.NAME);
        List<String> cells = chosen("cell", LrwpRun.cells(), options.cells(), cell -> cell);
        LrwpPrograms programs =
                LrwpPrograms.ofJars(SERVER_JAR, OSP_JAR, options.jvmOptions(), options.xitami());
        return new Job(
                LrwpRun.NAME,
                LrwpRun.cells(),
                LrwpRun.estimates(cells, options.settings()),
                0,
                options.facts(List.of()),
                (names, progress, recorder) ->
                        new LrwpRun(programs, options.settings(), progress, recorder).run(names));
    }

    private static Peers peersOf(Scenario scenario, Options options) {
        return new Peers(
                role(scenario),
                SERVER_JAR,
                Peers.JARS,
                options.jvmOptions(),
                options.configuration(),
                options.peerFiles());
    }

    private static Role role(Scenario scenario) {
        return switch (scenario.name()) {
            case "proxy" -> Role.PROXY;
            case "fastcgi" -> Role.FASTCGI;
            case "shop" -> Role.WAR;
            case "tls" -> Role.SERVLET; // its servers have the same JVM as those of h2
            default -> scenario.requests().isEmpty() ? Role.FILES : Role.SERVLET;
        };
    }

    /// Returns the requested items in the scenario's order, or all if none was requested.
    private static <T> List<T> chosen(
            String kind, List<T> all, List<String> asked, Function<T, String> name) {
        if (asked.isEmpty()) {
            return all;
        }
        List<String> known = all.stream().map(name).toList();
        for (String one : asked) {
            BenchFailure.require(
                    known.contains(one),
                    "no " + kind + " '" + one + "'; there are: " + String.join(", ", known));
        }
        return all.stream().filter(one -> asked.contains(name.apply(one))).toList();
    }

    private void list(Scenario scenario) {
        out.println(scenario.name() + "  " + scenario.title());
        out.println("  peers: " + String.join(", ", scenario.peers()));
        for (Cell cell : scenario.cells()) {
            out.printf("  %-24s %s%n", cell.name(), cell.title());
        }
    }
}
