package dev.serval.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.report.Figures;
import dev.serval.bench.scenario.Scenario;
import dev.serval.bench.scenario.Settings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Tests how the servers of a cell take turns. The servers are no processes.
class ContestTest {
    private final List<String> calls = new ArrayList<>();
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private Stage stage;
    private Contest contest;

    /// A server that notes its start and its end. The one of the name `absent` does not start.
    private record Noted(String name, List<String> calls) implements Peer {
        @Override
        public String version() {
            return "1";
        }

        @Override
        public String configuration() {
            return "";
        }

        @Override
        public RunningPeer start(Stage stage) throws IOException {
            if (name.equals("absent")) {
                throw new IOException("no such program");
            }
            calls.add("start " + name);
            return new RunningPeer(name, 1, 1, () -> calls.add("close " + name));
        }
    }

    @BeforeEach
    void create() throws IOException {
        assumeThat(Path.of("/proc/self")).as("needs Linux").exists();
        stage = Stage.create(Map.of(), Cpus.unpinned(Set.of(0)));
        Bench bench =
                new Bench(
                        stage,
                        new Proc(Path.of("/proc")),
                        Settings.QUICK,
                        new PrintStream(said, true, StandardCharsets.UTF_8));
        contest = new Contest(Scenario.named("static"), List.of(), bench, LoadRun.on(bench));
    }

    @AfterEach
    void close() {
        if (stage != null) {
            stage.close();
        }
    }

    private List<Peer> peers(String... names) {
        List<Peer> peers = new ArrayList<>();
        for (String name : names) {
            peers.add(new Noted(name, calls));
        }
        return peers;
    }

    @Test
    void roundsAreInterleavedInARotatingOrder() {
        List<Course<String>> courses =
                contest.together(
                        peers("a", "b"),
                        2,
                        server ->
                                () -> {
                                    calls.add(server.name());
                                    return server.name();
                                });
        assertThat(calls)
                .containsExactly("start a", "start b", "a", "b", "b", "a", "close a", "close b");
        assertThat(courses)
                .extracting(Course::rounds)
                .containsExactly(List.of("a", "a"), List.of("b", "b"));
    }

    @Test
    void serverThatFailsLeavesTheOthers() {
        List<Course<String>> courses =
                contest.together(
                        peers("a", "absent", "b"),
                        2,
                        server ->
                                () -> {
                                    if (server.name().equals("a")) {
                                        throw new BenchFailure("wrong answer");
                                    }
                                    return "round";
                                });
        assertThat(courses).extracting(Course::name).containsExactly("a", "absent", "b");
        assertThat(courses)
                .extracting(Course::failure)
                .containsExactly("wrong answer", "no such program", "");
        assertThat(courses.getLast().rounds()).hasSize(2);
        assertThat(calls).contains("close a", "close b");
        assertThat(said.toString(StandardCharsets.UTF_8))
                .contains("a failed: wrong answer", "absent failed: no such program");
    }

    @Test
    void oneAfterTheOtherEndsBeforeTheNextStarts() {
        List<String> results =
                contest.inTurn(
                        peers("a", "absent", "b"),
                        RunningPeer::name,
                        (name, why) -> name + ": " + why);
        assertThat(results).containsExactly("a", "absent: no such program", "b");
        assertThat(calls).containsExactly("start a", "close a", "start b", "close b");
    }

    @Test
    void serverThatDoesNotStartHasFailedFigures() {
        try (Contest.Started started = contest.started(peers("a", "absent"), stage)) {
            assertThat(started.running()).extracting(RunningPeer::name).containsExactly("a");
            assertThat(started.failed())
                    .containsExactly(Figures.failed("absent", "no such program"));
        }
        assertThat(calls).containsExactly("start a", "close a");
    }
}
