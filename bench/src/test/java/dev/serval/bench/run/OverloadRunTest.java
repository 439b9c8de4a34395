package dev.serval.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.Peers;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.Role;
import dev.serval.bench.report.OverloadResult;
import dev.serval.bench.report.Report;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.scenario.Scenario;
import dev.serval.bench.scenario.Settings;
import dev.serval.bench.servlet.Request;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Runs the smallest cell with Tomcat as the subject. The test checks how figures are made, not
/// their values.
@Timeout(120)
final class OverloadRunTest {
    private static final Settings TINY = new Settings(1, 1, 1, 0.03, 1.0, 1.0, 1, 1.03);

    private static final List<Cell> CELLS =
            List.of(
                    new Cell.Overload(
                            "burn", "burn", 500, List.of(0.2, 0.4), 3, 5000, 5000, 0.9, 1));

    private static final Scenario SCENARIO =
            new Scenario(
                    "tiny",
                    "Tiny",
                    "",
                    false,
                    Map.of(Scenario.FLOOR, 13),
                    Map.of(
                            "hello",
                            new Request("/hello", Request.Body.NONE, 0, Request.Answer.HELLO)),
                    List.of("tomcat"),
                    "tomcat",
                    List.of(),
                    "",
                    CELLS);

    @Test
    void eachMultipleHasFigures(@TempDir Path peers) throws IOException {
        assumeThat(Path.of("/proc/self")).as("needs Linux").exists();
        // Tomcat's classes are on the test's class path; the peer only looks for the file's name.
        Path jars = Files.createDirectory(peers.resolve("tomcat"));
        Files.createFile(jars.resolve("tomcat-embed-core-11.jar"));
        PrintStream out =
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        Peer peer = tomcat(peers);
        Cpus cpus = Cpus.unpinned(new Proc(Path.of("/proc")).allowedCpus());
        Report report =
                new ScenarioRun(SCENARIO, TINY, List.of(peer), out, Recorder.NONE).run(CELLS, cpus);
        OverloadResult result = (OverloadResult) report.cells().getFirst();
        assertThat(result.notes()).anyMatch(note -> note.contains("the generator's ceiling is "));
        OverloadResult.Server server = result.servers().getFirst();
        assertThat(server.failure()).isNull();
        assertThat(server.capacity()).isPositive();
        assertThat(server.steps()).hasSize(2);
        for (OverloadResult.Step step : server.steps()) {
            assertThat(step.goodput()).isPositive().isLessThanOrEqualTo(step.offered());
            assertThat(step.p99Millis()).isPositive();
            assertThat(step.ends()).containsKeys("503", "429", "reset", "refused", "timeout");
        }
        assertThat(server.steps().getLast().offered())
                .isGreaterThan(server.steps().getFirst().offered());
    }

    private static Peer tomcat(Path jars) {
        Path noJar = Path.of("serval.jar");
        return new Peers(Role.SERVLET, noJar, jars, List.of(), null, List.of()).named("tomcat");
    }
}
