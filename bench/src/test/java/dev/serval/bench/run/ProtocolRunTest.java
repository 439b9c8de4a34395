package dev.serval.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.bench.load.AbsentClients;
import dev.serval.bench.load.Browser;
import dev.serval.bench.load.Client;
import dev.serval.bench.load.Clients;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.Peers;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.Programs;
import dev.serval.bench.peer.Protocol;
import dev.serval.bench.peer.Role;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.Site;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Figures;
import dev.serval.bench.report.Gate;
import dev.serval.bench.report.LoadResult;
import dev.serval.bench.report.PeersResult;
import dev.serval.bench.report.Verdict;
import dev.serval.bench.scenario.Cell.ClientKind;
import dev.serval.bench.scenario.ProtocolCell;
import dev.serval.bench.scenario.Scenario;
import dev.serval.bench.scenario.Settings;
import dev.serval.bench.servlet.Request;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Runs the smallest cells of HTTP/2 and TLS. The tests check how figures are made, not their values.
@Timeout(180)
final class ProtocolRunTest {
    private static final Settings TINY = new Settings(1, 1, 1, 0.03, 1.0, 1.0, 1, 1.03);
    private static final Settings PATIENT = new Settings(1, 10, 1, 0.03, 1.0, 1.0, 1, 1.03);
    private static final Gate GATE = new Gate(1e6, 0, 0);
    private static final Request UPLOAD =
            new Request("/upload", Request.Body.JSON, 100_000, Request.Answer.LENGTH);

    private static void assumeClients() {
        assumeThat(Path.of("/proc/self")).as("needs Linux").exists();
        assumeThat(Programs.find("h2load"))
                .as("needs h2load (Debian package nghttp2-client)")
                .isPresent();
    }

    private static Peer other(String name) {
        Peer peer =
                new Peers(
                                Role.SERVLET,
                                Path.of("serval.jar"),
                                Path.of("target", "no-jars"),
                                List.of(),
                                null,
                                List.of())
                        .named(name);
        // Jars are on the class path of the tests.
        String missing = peer.missing().filter(what -> !what.contains("-*.jar")).orElse("");
        assumeThat(missing)
                .as(
                        missing.replaceFirst(
                                "(.*) is not installed: apt-get install (.*)",
                                "needs $1 (Debian package $2)"))
                .isEmpty();
        return peer;
    }

    private static ProtocolCell cell(
            String name, Protocol protocol, String file, int streams, ClientKind client) {
        boolean once =
                List.of(ClientKind.FULL, ClientKind.RESUMED, ClientKind.HTTPERF).contains(client);
        int each = once ? 1 : 0;
        return new ProtocolCell(
                name,
                client == ClientKind.HTTPERF ? "a rate by httperf" : "a title",
                List.of(),
                protocol,
                file,
                2,
                streams,
                each,
                client,
                GATE,
                Map.of("nginx", GATE, "absent", GATE));
    }

    private static Scenario scenario(ProtocolCell cell) {
        return new Scenario(
                "tiny",
                "Tiny",
                "",
                false,
                Map.of("4k.bin", 4096),
                Map.of("upload", UPLOAD),
                List.of("serval", "nginx"),
                "serval",
                List.of("nginx"),
                "",
                List.of(cell));
    }

    private static PrintStream quiet() {
        return new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    }

    private static List<CellResult> results(ProtocolCell cell, Peer... peers) throws IOException {
        return results(TINY, cell, peers);
    }

    private static List<CellResult> results(Settings settings, ProtocolCell cell, Peer... peers)
            throws IOException {
        assumeClients();
        Cpus cpus = Cpus.unpinned(new Proc(Path.of("/proc")).allowedCpus());
        return new ScenarioRun(scenario(cell), settings, List.of(peers), quiet(), Recorder.NONE)
                .run(List.of(cell), cpus)
                .cells();
    }

    @Test
    void streamsAreComparedWithAnotherServer() throws IOException {
        ProtocolCell cell = cell("few", Protocol.H2C, "4k.bin", 10, ClientKind.H2LOAD);
        List<CellResult> results = results(cell, new OwnPeer(), other("nginx"));
        assertThat(results).extracting(CellResult::cell).containsExactly("few", "few-nginx");
        LoadResult load = (LoadResult) results.getFirst();
        for (Figures figures : load.figures()) {
            assertThat(figures.failure()).isNull();
            assertThat(figures.cpuMicros().median()).isPositive();
            assertThat(figures.requestsPerSecond()).isPositive();
            assertThat(figures.p99Micros()).isPositive();
        }
        assertThat(load.reference()).isEqualTo("nginx");
        PeersResult beside = (PeersResult) results.getLast();
        assertThat(beside.unit()).isEqualTo("÷ nginx");
        assertThat(beside.figure()).isEqualTo(load.ratio());
        assertThat(beside.verdict()).isEqualTo(Verdict.PASS);
        assertThat(beside.aimVerdict()).isEqualTo(Verdict.MISS);
    }

    @ParameterizedTest
    @CsvSource({
        "H2, upload, H2LOAD",
        "HTTPS, 4k.bin, WRK",
        "HTTPS, 4k.bin, AB",
        "HTTPS, 4k.bin, FULL",
        "HTTPS, 4k.bin, RESUMED",
        "HTTP, 4k.bin, HTTPERF",
    })
    void servalAloneHasFiguresOfEveryClient(Protocol protocol, String file, ClientKind client)
            throws IOException {
        assumeThat(client != ClientKind.HTTPERF || Programs.find("httperf").isPresent())
                .as("needs httperf (Debian package httperf)")
                .isTrue();
        ProtocolCell cell = cell("one", protocol, file, 1, client);
        List<CellResult> results = results(cell, new OwnPeer());
        // On a busy machine no handshake may end within a second.
        if ("no request was answered in a round".equals(failure(results))) {
            results = results(PATIENT, cell, new OwnPeer());
        }
        assertThat(failure(results)).isNull();
        Figures own = ((LoadResult) results.getFirst()).figures().getFirst();
        assertThat(own.cpuMicros().median()).isPositive();
        assertThat(results).hasSize(1);
    }

    private static @Nullable String failure(List<CellResult> results) {
        return ((LoadResult) results.getFirst()).figures().getFirst().failure();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nginx", "h2o", "haproxy", "tomcat", "jetty", "undertow", "netty"})
    void peerAnswersByEveryProtocol(String name) throws IOException {
        assumeClients();
        Peer peer = other(name);
        Cpus cpus = Cpus.unpinned(new Proc(Path.of("/proc")).allowedCpus());
        try (Stage stage = Stage.create(Map.of("4k.bin", 4096), cpus)) {
            Site.Page page = stage.site().page("4k.bin");
            try (RunningPeer server = peer.start(stage.speaking(Protocol.H2C))) {
                assertThat(fault(server, Protocol.H2C, page)).isEmpty();
            }
            try (RunningPeer server = peer.start(stage.speaking(Protocol.H2))) {
                assertThat(fault(server, Protocol.H2, page)).isEmpty();
                assertThat(fault(server, Protocol.HTTPS, page)).isEmpty();
            }
        }
    }

    private static Optional<String> fault(RunningPeer server, Protocol protocol, Site.Page page)
            throws IOException {
        return Browser.fault(new Client.Target(server.port(), protocol, List.of(page), null));
    }

    @Test
    void peerThatDoesNotSpeakAProtocolFailsAtOnce() throws IOException {
        ProtocolCell cell = cell("one", Protocol.H2, "4k.bin", 1, ClientKind.H2LOAD);
        LoadResult result = (LoadResult) results(cell, other("floor")).getFirst();
        assertThat(result.figures().getFirst().failure()).isEqualTo("floor does not speak h2");
    }

    /// Notes what it is asked to serve, and does not start.
    private record Noting(List<String> notes) implements Peer {
        @Override
        public String name() {
            return "serval";
        }

        @Override
        public String version() {
            return "1";
        }

        @Override
        public String configuration() {
            return "";
        }

        @Override
        public RunningPeer start(Stage stage) {
            boolean application = Files.exists(stage.site().root().resolve("WEB-INF"));
            notes.add(
                    stage.protocol()
                            + (application ? " application " : " files ")
                            + Files.exists(stage.site().root().resolve("4k.bin")));
            throw new BenchFailure("noted");
        }
    }

    @Test
    void filesAreServedWithoutTheApplicationBesideThem() throws IOException {
        List<String> notes = new ArrayList<>();
        results(cell("one", Protocol.H2C, "4k.bin", 1, ClientKind.H2LOAD), new Noting(notes));
        results(cell("one", Protocol.H2, "upload", 1, ClientKind.H2LOAD), new Noting(notes));
        assertThat(notes).containsExactly("H2C files true", "H2 application true");
    }

    @Test
    void cellWithoutItsClientIsNotMeasured() throws IOException {
        ProtocolCell cell = cell("one", Protocol.H2, "4k.bin", 1, ClientKind.H2LOAD);
        Cpus cpus = Cpus.unpinned(new Proc(Path.of("/proc")).allowedCpus());
        try (Stage stage = Stage.create(Map.of("4k.bin", 4096), cpus)) {
            Bench bench = new Bench(stage, new Proc(Path.of("/proc")), TINY, quiet());
            Clients none = AbsentClients.all();
            Contest contest =
                    new Contest(
                            scenario(cell),
                            List.of(new OwnPeer()),
                            bench,
                            new LoadRun(bench, none));
            CellResult result = new ServerRuns(contest).run(cell).getFirst();
            assertThat(result.verdict()).isEqualTo(Verdict.NONE);
            assertThat(result.gaps())
                    .extracting(gap -> gap.peer() + gap.text())
                    .containsExactly(
                            "not measured: its client is missing: apt-get install nghttp2-client");
        }
    }

    @Test
    void configurationOfTheUserMayHaveNoTls() throws IOException {
        Peer configured =
                new Peers(
                                Role.FILES,
                                Path.of("serval.jar"),
                                Path.of("no-jars"),
                                List.of(),
                                "text",
                                List.of())
                        .named("serval");
        Cpus cpus = Cpus.unpinned(new Proc(Path.of("/proc")).allowedCpus());
        try (Stage stage = Stage.create(Map.of(), cpus)) {
            assertThatThrownBy(() -> configured.start(stage.speaking(Protocol.H2)))
                    .isInstanceOf(BenchFailure.class)
                    .hasMessageContaining("no ${tls} in its [[listener]]");
        }
    }
}
