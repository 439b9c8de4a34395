package dev.serval.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.bench.report.Gate;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.scenario.Scenario;
import dev.serval.bench.scenario.Settings;
import io.hyperfoil.api.config.Benchmark;
import io.hyperfoil.api.config.BenchmarkData;
import io.hyperfoil.api.config.Model;
import io.hyperfoil.api.config.Phase;
import io.hyperfoil.core.parser.BenchmarkParser;
import io.hyperfoil.core.parser.ParserException;
import io.hyperfoil.http.config.ConnectionStrategy;
import io.hyperfoil.http.config.Http;
import io.hyperfoil.http.config.HttpPluginConfig;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Has Hyperfoil's own parser read what the suite writes.
final class HyperfoilTest {
    /// The names of the scenarios.
    static final Iterable<String> NAMES = Scenario.NAMES;

    private static String text(String scenario, String cell) throws IOException {
        return text(Scenario.named(scenario), cell, Settings.FULL);
    }

    private static String text(Scenario all, String cell, Settings settings) {
        Cell one =
                all.cells().stream().filter(c -> c.name().equals(cell)).findFirst().orElseThrow();
        return new Hyperfoil(all, settings).benchmark(one).orElseThrow();
    }

    private static Benchmark parsed(String text) throws IOException, ParserException {
        return BenchmarkParser.instance()
                .buildBenchmark(
                        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
                        BenchmarkData.EMPTY,
                        Map.of("SERVER", "http://sut.example:8081", "AGENT_2", "other.example"));
    }

    private static Http http(Benchmark benchmark) {
        return benchmark.plugin(HttpPluginConfig.class).http().values().iterator().next();
    }

    private static Phase phase(Benchmark benchmark, String name) {
        return benchmark.phases().stream()
                .filter(phase -> phase.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static int users(Phase phase) {
        return ((Model.Always) phase.model).users;
    }

    @ParameterizedTest
    @FieldSource("NAMES")
    void everyLoadOfAScenarioIsABenchmark(String name) throws Exception {
        Scenario scenario = Scenario.named(name);
        for (Settings settings : List.of(Settings.FULL, Settings.PAPER)) {
            Hyperfoil hyperfoil = new Hyperfoil(scenario, settings);
            for (Cell cell : scenario.cells()) {
                Optional<String> text = hyperfoil.benchmark(cell);
                boolean load = cell instanceof Cell.Load || cell instanceof Cell.Ramp;
                assertThat(text.isPresent()).as(cell.name()).isEqualTo(load);
                if (load) {
                    assertThat(parsed(text.orElseThrow()).name())
                            .isEqualTo(name + "-" + cell.name());
                }
            }
        }
    }

    @Test
    void closedLoadKeepsItsConnections() throws Exception {
        Benchmark benchmark = parsed(text("static", "4k-keep-alive"));
        assertThat(benchmark.agents()).hasSize(2);
        assertThat(benchmark.agents()[1].properties).containsEntry("host", "other.example");
        Http http = http(benchmark);
        assertThat(http.host() + ":" + http.port()).isEqualTo("sut.example:8081");
        assertThat(http.sharedConnections().max()).isEqualTo(64);
        assertThat(http.connectionStrategy()).isEqualTo(ConnectionStrategy.SHARED_POOL);
        Phase warmUp = phase(benchmark, "warm-up");
        assertThat(users(warmUp)).isEqualTo(64);
        assertThat(warmUp.isWarmup).isTrue();
        Phase run = phase(benchmark, "run");
        assertThat(users(run)).isEqualTo(64);
        assertThat(run.isWarmup).isFalse();
        assertThat(run.duration()).isEqualTo(15_000);
        assertThat(run.startAfter()).containsExactly("warm-up");
    }

    @Test
    void pipelineHasAUserForEachRequest() throws Exception {
        Benchmark benchmark = parsed(text("static", "pipelined"));
        assertThat(http(benchmark).sharedConnections().max()).isEqualTo(1);
        assertThat(http(benchmark).pipeliningLimit()).isEqualTo(64);
        assertThat(users(phase(benchmark, "run"))).isEqualTo(64);
        assertThat(text("static", "pipelined"))
                .contains("User-Agent: 'Mozilla/5.0 (X11; Linux x86_64)");
    }

    @Test
    void connectionsEndAsInTheLoad() throws Exception {
        String once = text("static", "connection-per-request");
        assertThat(http(parsed(once)).connectionStrategy())
                .isEqualTo(ConnectionStrategy.ALWAYS_NEW);
        assertThat(once).contains("Connection: 'close'");
        String five = text("static", "five-requests");
        assertThat(http(parsed(five)).connectionStrategy())
                .isEqualTo(ConnectionStrategy.OPEN_ON_REQUEST);
        assertThat(five).contains("repeats: 5").doesNotContain("Connection:");
    }

    @Test
    void requestHasItsContentAndASessionManyRequests() throws IOException {
        assertThat(text("servlet", "json-1k"))
                .contains("POST: '/", "Content-Type: 'application/json'", "text: '{\"items\":[")
                .doesNotContain("Host:", "Content-Length");
        assertThat(text("servlet", "session")).contains("repeats: 100");
    }

    @Test
    void usersRequestFilesInTurn() throws IOException {
        String text = text("jigsaw", "2.b");
        int first = text.indexOf("GET: '/4k.bin'");
        int second = text.indexOf("GET: '/10k.bin'");
        assertThat(first).isPositive().isLessThan(second);
        assertThat(second).isLessThan(text.indexOf("GET: '/40k.bin'"));
    }

    @Test
    void eachRateOfARampIsAPhase() throws Exception {
        Benchmark benchmark = parsed(text("httperf", "servlet"));
        assertThat(http(benchmark).connectionStrategy()).isEqualTo(ConnectionStrategy.ALWAYS_NEW);
        assertThat(benchmark.phases())
                .extracting(Phase::name)
                .containsExactlyInAnyOrder(
                        "warm-up",
                        "rate-50",
                        "rate-240",
                        "rate-430",
                        "rate-620",
                        "rate-810",
                        "rate-1000");
        Phase second = phase(benchmark, "rate-240");
        Model.ConstantRate rate = (Model.ConstantRate) second.model;
        assertThat(rate.usersPerSec).isEqualTo(240);
        assertThat(rate.variance).isTrue();
        assertThat(rate.maxSessions).isEqualTo(1200);
        assertThat(second.duration()).isEqualTo(5000);
        assertThat(second.startAfter()).containsExactly("rate-50");
        assertThat(text("httperf", "servlet")).contains("timeout: 5000ms");
    }

    @Test
    void rampHasTheStepsOfThePaperInItsForm() throws Exception {
        Scenario httperf = Scenario.named("httperf");
        Benchmark benchmark = parsed(text(httperf, "servlet", Settings.PAPER));
        assertThat(phase(benchmark, "rate-60").duration()).isEqualTo(150_000);
    }

    @Test
    void quoteInANameDoesNotEndTheText() throws Exception {
        Scenario old = Scenario.named("static");
        Cell.Load cell = Cell.Load.plain("a", "a", "4'k.bin", 1, Cell.ClientKind.OWN, Gate.NONE);
        Scenario quoted =
                new Scenario(
                        "static",
                        "Static",
                        "",
                        false,
                        Map.of("4'k.bin", 4096),
                        Map.of(),
                        old.peers(),
                        old.subject(),
                        old.references(),
                        old.floor(),
                        List.of(cell));
        String text = text(quoted, "a", Settings.FULL);
        assertThat(text).contains("GET: '/4''k.bin'");
        assertThat(parsed(text).name()).isEqualTo("static-a");
    }
}
