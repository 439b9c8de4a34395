package dev.serval.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.bench.client.HttpConnection;
import dev.serval.bench.lrwp.LrwpRun;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.GatewayPeer;
import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.ServalPeer;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.run.Estimate;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.scenario.Scenario;
import dev.serval.bench.scenario.Selection;
import dev.serval.bench.scenario.Settings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {
    private static final int TIMEOUT_MILLIS = 30_000;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void listsScenariosAndCells() throws IOException {
        assertThat(run("--list")).isZero();
        assertThat(text(out))
                .contains("static ")
                .contains("  pipelined ")
                .contains("  beside-spin ")
                .contains("servlet ")
                .contains("  connection-per-request ")
                .contains("lrwp ")
                .contains("  osp-1 ")
                .contains("micro ")
                .containsPattern("  nginx +files, proxy, fastcgi ");
        assertThat(run("static", "--list")).isZero();
    }

    @Test
    void printsUsageWithoutArguments() throws IOException {
        assertThat(run()).isZero();
        assertThat(text(out)).contains("serval bench NAME");
    }

    @Test
    void figuresAreTheSameForEveryUser() throws IOException {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.GERMANY);
        try {
            run();
            assertThat(Progress.text(9000)).isEqualTo("about 2.5 hours");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void unknownNameListsKnownNames() throws IOException {
        assertThat(run("statik")).isEqualTo(2);
        assertThat(run("static", "--cells", "4k")).isEqualTo(2);
        assertThat(run("static", "--peers", "iis")).isEqualTo(2);
        assertThat(run("static", "--xitami", "/xitami")).isEqualTo(2);
        assertThat(run("lrwp", "--cells", "osp-3")).isEqualTo(2);
        assertThat(text(err))
                .contains("no scenario 'statik'; there are: static, workers, servlet")
                .contains("no cell '4k'; there are: 4k-keep-alive, ")
                .contains("no peer 'iis'; there are: serval, ")
                .contains("no cell 'osp-3'; there are: echo, echo-two-writes, ramp, osp-1, ")
                .contains("--xitami is an option of scenario lrwp only");
    }

    @Test
    void readsOptionsInAnyOrder() {
        Options options =
                Options.parse(List.of("--rounds", "7", "--out", "x", "--quick", "--cells", "a,b"));
        assertThat(options.settings()).isEqualTo(Settings.QUICK.withRounds(7));
        assertThat(options.out()).isEqualTo(Path.of("x"));
        assertThat(options.cells()).containsExactly("a", "b");
        assertThat(Options.parse(List.of()).settings()).isEqualTo(Settings.FULL);
        assertThat(Options.parse(List.of("--full")).settings()).isEqualTo(Settings.PAPER);
        assertThat(Options.parse(List.of("--xitami", "x")).xitami()).isEqualTo(Path.of("x"));
    }

    @Test
    void exportWritesTheLoadsOfAScenarioAndWhatTheyRequest(@TempDir Path folder)
            throws IOException {
        String to = folder.toString();
        assertThat(run("static", "lrwp", "--export", "hyperfoil", "--out", to)).isZero();
        assertThat(text(out))
                .contains("4k-keep-alive.hf.yaml")
                .contains("ready left out: it is no load that Hyperfoil can make")
                .contains("lrwp left out");
        assertThat(folder.resolve("static/4k-keep-alive.hf.yaml"))
                .content()
                .contains("name: 'static-4k-keep-alive'", "GET: '/4k.bin'");
        assertThat(folder.resolve("static/site/4k.bin")).hasSize(4096);
        String cells = "hello,jsp";
        assertThat(run("servlet", "--export", "hyperfoil", "--cells", cells, "--out", to)).isZero();
        try (Stream<Path> files = Files.list(folder.resolve("servlet"))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("hello.hf.yaml", "jsp.hf.yaml", "site");
        }
        assertThat(folder.resolve("servlet/site/WEB-INF/classes")).isDirectory();
    }

    @Test
    void exportNeedsAKnownForm() throws IOException {
        assertThat(run("static", "--export", "gatling")).isEqualTo(2);
        assertThat(text(err)).contains("--export needs hyperfoil, not 'gatling'");
        assertThat(run("static", "--export", "hyperfoil", "--cells", "x")).isEqualTo(2);
    }

    @Test
    void comparisonWithAnEarlierBuildHasAtLeast15Rounds() {
        Options options = Options.parse(List.of("--before", "old.jar", "--quick"));
        assertThat(options.before()).isEqualTo(Path.of("old.jar"));
        assertThat(options.settings()).isEqualTo(Settings.QUICK.withRounds(15));
        assertThat(rounds("--rounds", "14")).isEqualTo(15);
        assertThat(rounds("--rounds", "16")).isEqualTo(16);
        assertThat(Options.parse(List.of("--before", "x", "--before-gate", "1.05")).settings())
                .isEqualTo(Settings.FULL.withRounds(15).withBeforeGate(1.05));
    }

    private static int rounds(String... options) {
        List<String> all = new ArrayList<>(List.of(options));
        all.addAll(List.of("--before", "old.jar"));
        return Options.parse(all).settings().rounds();
    }

    @Test
    void earlierBuildMustBeAJarOfTheServer(@TempDir Path folder) throws IOException {
        Path text = Files.writeString(folder.resolve("text.jar"), "text");
        Path other = jar(folder.resolve("other.jar"), "org.example.Main");
        assertThat(run("static", "--before", "absent.jar")).isEqualTo(2);
        assertThat(run("static", "--before", text.toString())).isEqualTo(2);
        assertThat(run("servlet", "--before", other.toString())).isEqualTo(2);
        assertThat(text(err))
                .contains("there is no file absent.jar")
                .contains(text + " is not a jar of the server: give a copy of server/")
                .contains(other + " is not a jar of the server: give a copy of server/");
    }

    @Test
    void comparesAnEarlierBuildOnlyByLoads(@TempDir Path folder) throws IOException {
        String jar = jar(folder.resolve("serval.jar"), "dev.serval.server.Main").toString();
        assertThat(run("workers", "--before", jar)).isEqualTo(2);
        assertThat(run("lrwp", "--before", jar)).isEqualTo(2);
        assertThat(run("overload", "--before", jar)).isEqualTo(2);
        assertThat(run("static", "--before", jar, "--cells", "idle")).isEqualTo(2);
        assertThat(text(err))
                .contains("--before does not work with scenario workers")
                .contains("--before does not work with scenario overload")
                .contains("--before, --configured and --config do not work with scenario lrwp")
                .contains("no cell 'idle'; there are: 4k-keep-alive, ")
                .doesNotContain(", ready,");
    }

    @Test
    void earlierBuildRunsLikeTheSubject(@TempDir Path folder) throws IOException {
        Path jar = jar(folder.resolve("serval.jar"), "dev.serval.server.Main");
        Options options = Options.parse(List.of("--before", jar.toString(), "--jvm", "-Xss1m"));
        List<Peer> peers = Main.peers(Scenario.named("servlet"), options);
        assertThat(peers).extracting(Peer::name).containsExactly("serval", "before");
        try (Stage stage = Stage.create(Map.of(), Cpus.unpinned(Set.of(0)))) {
            List<String> subject = ((ServalPeer) peers.getFirst()).command(stage, 80);
            List<String> before = ((ServalPeer) peers.getLast()).command(stage, 80);
            assertThat(before)
                    .contains("-Xss1m", "-Xmx256m", jar.toString())
                    .isEqualTo(
                            subject.stream()
                                    .map(word ->
                                            word.endsWith("serval.jar") ? jar.toString() : word)
                                    .toList());
        }
        assertThat(Main.peers(Scenario.named("proxy"), options))
                .hasOnlyElementsOfType(GatewayPeer.class)
                .extracting(Peer::name)
                .containsExactly("serval", "before");
        Options more = Options.parse(List.of("--before", jar.toString(), "--peers", "h2o"));
        assertThat(Main.peers(Scenario.named("static"), more))
                .extracting(Peer::name)
                .containsExactly("serval", "h2o", "before");
    }

    @Test
    void configurationIsComparedWithTheCommandLineOfAnEarlierBuild(@TempDir Path folder)
            throws IOException {
        Path jar = jar(folder.resolve("serval.jar"), "dev.serval.server.Main");
        Options options = Options.parse(List.of("--before", jar.toString(), "--configured"));
        List<Peer> peers = Main.peers(Scenario.named("static"), options);
        try (Stage stage = Stage.create(Map.of(), Cpus.unpinned(Set.of(0)))) {
            List<String> subject = ((ServalPeer) peers.getFirst()).command(stage, 80);
            assertThat(subject).doesNotContain("--port").contains("--config");
            assertThat(Files.readString(Path.of(subject.getLast())))
                    .contains("\"127.0.0.1:80\"", "folder = \"" + stage.site().root() + "\"");
            assertThat(((ServalPeer) peers.getLast()).command(stage, 80))
                    .doesNotContain("--config")
                    .contains(stage.site().root().toString(), "--port");
        }
    }

    @Test
    void configurationOfTheUserHasPlacesForPortAndMount(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("a.toml"), "[[mount]]\n${mount}");
        assertThat(run("static", "--config", file.toString())).isEqualTo(2);
        assertThat(run("static", "--config", "absent.toml")).isEqualTo(2);
        assertThat(text(err))
                .contains(file + " must have ${port}")
                .contains("the configuration absent.toml cannot be read");
        Files.writeString(file, "# ${port}\n[[mount]]\n${mount}");
        assertThat(Options.parse(List.of("--config", file.toString())).configuration())
                .startsWith("# ");
    }

    @Test
    void configurationWorksOnlyWithTheServer() throws IOException {
        assertThat(run("workers", "--configured")).isEqualTo(2);
        assertThat(run("lrwp", "--configured")).isEqualTo(2);
        assertThat(text(err))
                .contains("--configured and --config do not work with scenario workers")
                .contains("--before, --configured and --config do not work with scenario lrwp");
    }

    /// The file is the example of the manual.
    @Test
    void fileOfTheUserAddsAServer(@TempDir Path folder) throws IOException {
        String manual = Files.readString(Path.of("..", "docs", "manual", "bench.md"));
        int begin = manual.indexOf("name = \"python\"");
        Path file = folder.resolve("python.toml");
        Files.writeString(file, manual.substring(begin, manual.indexOf("```", begin)));
        Options options = Options.parse(List.of("--peer", file.toString(), "--peers", "floor"));
        List<Peer> peers = Main.peers(Scenario.named("static"), options);
        assertThat(peers).extracting(Peer::name).containsExactly("floor", "python");
        assertThat(run("proxy", "--peer", file.toString())).isEqualTo(2);
        assertThat(text(err)).contains("peer python cannot take part: its file has no table proxy");
        Peer python = peers.getLast();
        assumeThat(python.missing()).as("needs python3 (Debian package python3)").isEmpty();
        assertThat(run("static", "--peer", file.toString(), "--list")).isZero();
        assertThat(text(out)).containsPattern("  python +3\\.");
        try (Stage stage = Stage.create(Map.of("4k.bin", 4096), Cpus.unpinned(Set.of(0)));
                RunningPeer running = python.start(stage)) {
            assertThat(HttpConnection.get(running.port(), "/4k.bin", TIMEOUT_MILLIS).content())
                    .isEqualTo(Files.readAllBytes(stage.site().root().resolve("4k.bin")));
        }
    }

    private static Path jar(Path file, String mainClass) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, mainClass);
        new JarOutputStream(Files.newOutputStream(file), manifest).close();
        return file;
    }

    @Test
    void allIsEveryScenario() throws IOException {
        assertThat(run("all", "--list")).isZero();
        assertThat(text(out)).contains("static ", "fastcgi ", "lrwp ").doesNotContain("micro ");
        assertThat(run("workers", "lrwp", "--list")).isZero();
    }

    @Test
    void reportIsMadeOfOneFolder(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("x.json"), "{}");
        assertThat(run("report", folder.toString())).isZero();
        assertThat(text(out))
                .contains("left out: " + folder.resolve("x.json") + " is not a report")
                .contains("Written: " + folder.resolve("report.html"));
        assertThat(run("report")).isEqualTo(2);
        assertThat(text(err)).contains("report needs one folder");
        assertThat(run("report", folder.resolve("x.json").toString())).isEqualTo(2);
        assertThat(text(err)).contains("there is no folder " + folder.resolve("x.json"));
    }

    @Test
    void runWithoutAScenarioIsRefused() throws IOException {
        for (List<String> words : List.of(List.of("--quick"), List.of("--quick", "static"))) {
            err.reset();
            assertThat(main().run(words)).isEqualTo(2);
            assertThat(text(err)).contains("name a scenario before the options, or all");
        }
    }

    @Test
    void scenarioHasTheChosenCellsAndPeersThatItKnows() throws IOException {
        List<Scenario> scenarios =
                List.of(
                        Scenario.named("static"),
                        Scenario.named("workers"),
                        Scenario.named("proxy"));
        Options options =
                Options.parse(List.of("--peers", "serval,haproxy", "--cells", "14k-64,14k-1"));
        List<Job> jobs = main().jobs(scenarios, true, options, Selection.EVERYTHING);
        assertThat(jobs).extracting(Job::name).containsExactly("static", "proxy");
        assertThat(jobs.getFirst().estimates()).containsOnlyKeys("14k-64", "14k-1");
        assertThat(jobs.getFirst().settings()).containsEntry("peers", "serval");
        assertThat(jobs.getLast().estimates()).containsOnlyKeys("14k-64");
        assertThat(jobs.getLast().settings()).containsEntry("peers", "serval,haproxy");
        assertThat(text(out))
                .contains("workers left out: it has none of these cells or peers")
                .contains("lrwp left out: it has none of these cells");
        assertThat(run("static", "proxy", "--peers", "iis")).isEqualTo(2);
        assertThat(run("static", "lrwp", "--cells", "osp-3")).isEqualTo(2);
        assertThat(text(err)).contains("no peer 'iis'").contains("no cell 'osp-3'");
    }

    @Test
    void quickRunOfAllHasSomeCellsOfEachScenarioAndFourServers() throws IOException {
        List<Scenario> scenarios = new ArrayList<>();
        for (String name : Scenario.NAMES) {
            scenarios.add(Scenario.named(name));
        }
        Selection quick = Selection.quick();
        Options options = Options.parse(List.of("--quick"));
        List<Job> jobs = main().jobs(scenarios, false, options, quick);
        List<String> names = new ArrayList<>(quick.cells().keySet());
        assertThat(names.removeLast()).isEqualTo("lrwp"); // it needs the jars of other modules
        assertThat(LrwpRun.cells()).containsAll(quick.of("lrwp"));
        assertThat(jobs).extracting(Job::name).containsExactlyElementsOf(names);
        for (Job job : jobs) {
            assertThat(job.estimates().keySet())
                    .as(job.name())
                    .containsExactlyInAnyOrderElementsOf(quick.of(job.name()));
        }
        assertThat(jobs.getFirst().settings()).containsEntry("peers", "serval,nginx");
        assertThat(text(out)).contains("workers left out");
        double seconds =
                jobs.stream()
                        .flatMap(job -> job.estimates().values().stream())
                        .mapToDouble(one -> one)
                        .sum();
        assertThat(seconds).isLessThan(30 * 60);
        Options chosen = Options.parse(List.of("--quick", "--peers", "serval,h2o"));
        assertThat(main().jobs(scenarios, false, chosen, quick).getFirst().settings())
                .containsEntry("peers", "serval,h2o");
    }

    /// The other test counts the servers of this machine. Here all four are there.
    @Test
    void quickRunOfAllTakesLessThanHalfAnHourWithFourServers() throws IOException {
        assertThat(seconds(Selection.quick(), Settings.QUICK)).isBetween(20.0 * 60, 30.0 * 60);
    }

    @Test
    void committedReportHasCellsOfEveryPaperAndTakesLessThanFiveHours() throws IOException {
        Selection report = Selection.brief();
        assertThat(report.of("jigsaw")).contains("1.a", "1.b", "2.a", "2.b", "3", "4.a", "4.b");
        assertThat(report.of("grizzly")).contains("2k", "14k", "954k", "servlet", "jsp");
        assertThat(report.of("httperf"))
                .contains("static", "servlet", "servlet-moderate", "jsp", "jsp-moderate")
                .contains("sessions-memory", "sessions-files", "sessions-database");
        for (String gateway : List.of("lrwp", "fastcgi", "proxy")) {
            assertThat(report.of(gateway)).contains("ramp");
        }
        assertThat(report.of("sympathy")).contains("file", "servlet");
        assertThat(report.of("lrwp")).contains("osp-1", "osp-1-signed", "osp-2");
        assertThat(report.of("shop")).contains("shopping", "shopping-work");
        assertThat(report.peers())
                .contains("nginx", "httpd", "tomcat", "jetty", "undertow", "grizzly");
        assertThat(seconds(report, Settings.SHORT)).isBetween(3600.0, 5.0 * 3600);
    }

    /// Returns how long a run takes if all its servers are installed.
    private static double seconds(Selection selection, Settings settings) throws IOException {
        double seconds =
                LrwpRun.estimates(selection.of("lrwp"), settings).values().stream()
                        .mapToDouble(Double::doubleValue)
                        .sum();
        for (String name : selection.cells().keySet()) {
            if (name.equals("lrwp")) {
                continue;
            }
            Scenario scenario = Scenario.named(name);
            List<String> cells = scenario.cells().stream().map(Cell::name).toList();
            assertThat(cells).as(name).containsAll(selection.of(name));
            int peers = (int) scenario.peers().stream().filter(selection.peers()::contains).count();
            Estimate estimate = new Estimate(settings, peers);
            for (Cell cell : scenario.cells()) {
                if (selection.of(name).contains(cell.name())) {
                    seconds += estimate.seconds(cell);
                }
            }
        }
        return seconds;
    }

    @Test
    void runsThatResumeEachOtherHaveTheSameFacts() {
        assertThat(facts("--cells", "a", "--resume")).isEqualTo(facts());
        assertThat(facts("--rounds", "7")).isNotEqualTo(facts());
        assertThat(facts("--jvm", "-Xss1m")).isNotEqualTo(facts());
        assertThat(facts("--configured")).isNotEqualTo(facts());
        assertThat(facts("--before", "a.jar", "--rounds", "15"))
                .isNotEqualTo(facts("--rounds", "15"));
        assertThat(facts("--xitami", "x")).isNotEqualTo(facts());
        assertThat(Options.parse(List.of("--resume")).resume()).isTrue();
    }

    private static Map<String, String> facts(String... options) {
        return Options.parse(List.of(options)).facts(List.of("serval"));
    }

    @Test
    void splitsOptionsOfTheJvm() {
        Options options = Options.parse(List.of("--jvm", "-Xmx64m  -XX:+UseSerialGC"));
        assertThat(options.jvmOptions()).containsExactly("-Xmx64m", "-XX:+UseSerialGC");
        assertThat(Options.parse(List.of("--jvm", " ")).jvmOptions()).isEmpty();
    }

    @Test
    void resultsAreWrittenIntoAFolder(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("results"), "");
        assertRefused("--out needs a folder: " + file + " is a file", "--out", file.toString());
    }

    @Test
    void rejectsInvalidOptions() {
        assertRefused("unknown option --fast", "--fast");
        assertRefused("--rounds needs a value", "--rounds");
        assertRefused("--quick and --full exclude each other", "--quick", "--full");
        assertRefused("--short and --quick exclude each other", "--short", "--quick");
        assertRefused("--before needs a value", "--before");
        assertRefused("--before-gate needs --before", "--before-gate", "1.05");
        assertRefused(
                "--before-gate needs a ratio such as 1.03, not '0.97'",
                "--before",
                "x",
                "--before-gate",
                "0.97");
        assertRefused("--seconds needs a positive number, not '0'", "--seconds", "0");
    }

    private static void assertRefused(String message, String... arguments) {
        assertThatThrownBy(() -> Options.parse(List.of(arguments)))
                .isInstanceOf(BenchFailure.class)
                .hasMessage(message);
    }

    private int run(String... arguments) throws IOException {
        return main().run(List.of(arguments));
    }

    private Main main() {
        return new Main(stream(out), stream(err), false);
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
