package dev.serval.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.bench.hello.HelloServer;
import dev.serval.bench.hello.Hog;
import dev.serval.bench.hello.Way;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.HelloPeer;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.report.Gate;
import dev.serval.bench.scenario.Cell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Checks the generator itself: against wrk, and with a server that is stopped for a while.
@Tag("long")
@Timeout(180)
final class OpenLoadCheckTest {
    private static final int USERS = 20;
    private static final int SECONDS = 4;

    /// Other programs may disturb a round.
    private static final int ROUNDS_MAX = 4;

    private static final OpenLoad.Terms TERMS =
            new OpenLoad.Terms(4, 1_000_000_000, 30_000_000_000L, 5000);

    private static Stage stage() throws IOException {
        assumeThat(Path.of("/proc/self")).as("needs Linux").exists();
        Cpus cpus = Cpus.unpinned(new Proc(Path.of("/proc")).allowedCpus());
        return Stage.create(Map.of(HelloServer.PAGE, 13), cpus);
    }

    /// Each request sleeps for 100 ms in the server, so 20 users have up to 200 answers a second
    /// whatever the client costs. The rate is also the mean latency: users ÷ rate.
    @Test
    void closedLoadIsThatOfWrk() throws IOException {
        try (Stage stage = stage();
                RunningPeer server = new HelloPeer(Way.WORKER, List.of()).start(stage)) {
            Optional<Wrk> wrk = Wrk.find(stage);
            assumeThat(wrk).as("needs wrk (Debian package wrk)").isPresent();
            Client.Target target =
                    new Client.Target(
                            server.port(),
                            stage.site().page(HelloServer.PAGE).at(Hog.SLEEP.path()));
            Cell.Load load =
                    new Cell.Load(
                            "sleep",
                            "sleep",
                            "sleep",
                            List.of(),
                            USERS,
                            1,
                            1,
                            Cell.ClientKind.WRK,
                            Cell.HeadKind.SHORT,
                            List.of(),
                            Gate.NONE,
                            List.of());
            List<String> rounds = new ArrayList<>();
            boolean near = false;
            try (OpenLoad own = OpenLoad.on(target, TERMS)) {
                own.run(Offer.closed(USERS, 1)); // warms up
                for (int round = 0; round < ROUNDS_MAX && !near; round++) {
                    Client.Tally theirs = wrk.get().run(target, load, SECONDS);
                    Fates ours = own.run(Offer.closed(USERS, SECONDS));
                    double rate = theirs.requests() / (theirs.nanos() / 1e9);
                    assertThat(ours.count(Fate.RIGHT)).isEqualTo(ours.all());
                    near = Math.abs(ours.rightPerSecond() - rate) <= 0.1 * rate;
                    rounds.add(
                            "%.1f and %.1f requests/s, p99 %.1f and %.1f ms"
                                    .formatted(
                                            ours.rightPerSecond(),
                                            rate,
                                            ours.rightMillis(99),
                                            theirs.p99Micros() / 1e3));
                }
            }
            assertThat(near).as("own and wrk: " + rounds).isTrue();
        }
    }

    /// Of six seconds of requests, those of two seconds wait for the server, the first of them for
    /// two seconds. A closed load would show one late request for each user.
    @Test
    void percentilesShowThatTheServerStood() throws IOException, InterruptedException {
        try (Stage stage = stage();
                RunningPeer server = new HelloPeer(Way.LOOP, List.of()).start(stage)) {
            Client.Target target =
                    new Client.Target(server.port(), stage.site().page(HelloServer.PAGE));
            Process stopping =
                    new ProcessBuilder(
                                    "sh",
                                    "-c",
                                    "sleep 2; kill -STOP $0; sleep 2; kill -CONT $0",
                                    String.valueOf(server.pid()))
                            .inheritIO()
                            .start();
            try (OpenLoad load = OpenLoad.on(target, TERMS)) {
                Fates fates = load.run(Offer.open(300, 6));
                assertThat(stopping.waitFor()).isZero();
                assertThat(fates.count(Fate.RIGHT)).isEqualTo(fates.all());
                assertThat(fates.rightMillis(100)).isGreaterThan(1900);
                assertThat(fates.rightMillis(99)).isGreaterThan(1700);
                assertThat(fates.rightMillis(90)).isGreaterThan(1000);
                assertThat(fates.goodput() * 6 / fates.all()).isBetween(0.4, 0.95);
            }
        }
    }
}
