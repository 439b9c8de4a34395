package dev.serval.bench;

import dev.serval.bench.lrwp.LrwpPrograms;
import dev.serval.bench.lrwp.LrwpRun;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.Peers;
import dev.serval.bench.peer.Role;
import dev.serval.bench.peer.ServalPeer;
import dev.serval.bench.report.BeforeResult;
import dev.serval.bench.report.Report;
import dev.serval.bench.report.ReportFiles;
import dev.serval.bench.report.ReportText;
import dev.serval.bench.run.ScenarioRun;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.scenario.Scenario;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// The command line of the benchmark suite. It runs in the repository's root.
public final class Main {
    private static final Path SERVER_JAR = Path.of("server", "target", "serval.jar");

    private static final Path OSP_JAR = Path.of("examples", "osp", "target", "osp.jar");

    private static final String USAGE =
            """
            serval bench NAME [options]    run a scenario; exit code 1 if a gate fails
            serval bench micro [PATTERN]   run the JMH micro benchmarks, all or those that match
            serval bench --list            list scenarios, their cells, and peers

              --cells A,B     only these cells
              --peers A,B     only these peers
              --peer FILE     also this server, which the file describes (docs/manual/bench.md)
              --rounds N      counted rounds for each peer and cell (5)
              --seconds N     length of a round (3)
              --quick         3 rounds of 1 s with a short warm-up: checks that all works
              --before JAR    compare with this earlier serval.jar in at least 15 rounds; other
                              peers run only if --peers names them
              --before-gate N fail if the whole interval of the ratio to --before is above N (1.03)
              --jvm OPTIONS   options for the JVM of every server in Java, as one argument
              --configured    start Serval by a configuration file with rules in force; --before
                              still runs by its command line
              --config FILE   the same with this file, which has ${port} and ${mount}
              --xitami FILE   lrwp: also measure this program, a local build of Xitami 2.5
              --out FOLDER    folder for results (bench/results)
              --list          list the scenario's cells and peers without a run
            """;

    private final PrintStream out;
    private final PrintStream err;

    Main(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /// Runs and exits: 0 if all gates passed, 1 if one failed, 2 after wrong use or a broken setup.
    public static void main(String[] arguments) throws Exception {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        System.exit(new Main(out, err).run(List.of(arguments)));
    }

    int run(List<String> arguments) throws IOException {
        String first = arguments.isEmpty() ? "--help" : arguments.getFirst();
        List<String> rest =
                arguments.isEmpty() ? List.of() : arguments.subList(1, arguments.size());
        try {
            return switch (first) {
                case "--help", "-h", "help" -> {
                    out.print(USAGE);
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
                case LrwpRun.NAME -> lrwp(Options.parse(rest));
                default -> scenario(Scenario.named(first), Options.parse(rest));
            };
        } catch (BenchFailure e) {
            err.println("serval bench: " + e.getMessage());
            err.println("serval bench --help shows the usage.");
            return 2;
        }
    }

    private int scenario(Scenario scenario, Options options) throws IOException {
        if (options.xitami() != null) {
            throw new BenchFailure("--xitami is an option of scenario lrwp only");
        }
        if (options.configuration() != null && !scenario.peers().contains(ServalPeer.NAME)) {
            throw new BenchFailure(
                    "--configured and --config do not work with scenario " + scenario.name());
        }
        if (options.list()) {
            list(scenario);
            out.println("peers");
            peers(scenario, options).forEach(peer -> out.println("  " + Peers.state(peer)));
            return 0;
        }
        List<Peer> peers = peers(scenario, options);
        List<Cell> all = scenario.cells();
        if (options.before() != null) {
            all = all.stream().filter(Cell.Load.class::isInstance).toList();
            if (all.isEmpty()) {
                throw new BenchFailure("--before does not work with scenario " + scenario.name());
            }
        }
        List<Cell> cells = chosen("cell", all, options.cells(), Cell::name);
        return report(
                new ScenarioRun(scenario, options.settings(), peers, out).run(cells), options);
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

    private int lrwp(Options options) throws IOException {
        if (options.before() != null || options.configuration() != null) {
            throw new BenchFailure(
                    "--before, --configured and --config do not work with scenario "
                            + LrwpRun.NAME);
        }
        if (options.list()) {
            LrwpRun.list(out);
            return 0;
        }
        return report(
                new LrwpRun(
                                LrwpPrograms.ofJars(
                                        SERVER_JAR,
                                        OSP_JAR,
                                        options.jvmOptions(),
                                        options.xitami()),
                                options.settings(),
                                out)
                        .run(options.cells()),
                options);
    }

    private int report(Report report, Options options) throws IOException {
        out.println();
        out.print(new ReportText(report).text());
        out.println("\nWritten: " + ReportFiles.write(report, options.out()));
        return report.passed() ? 0 : 1;
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
            if (!known.contains(one)) {
                throw new BenchFailure(
                        "no " + kind + " '" + one + "'; there are: " + String.join(", ", known));
            }
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
