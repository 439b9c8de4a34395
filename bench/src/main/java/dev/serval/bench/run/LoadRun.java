package dev.serval.bench.run;

import dev.serval.bench.load.Browser;
import dev.serval.bench.load.Clients;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.report.BeforeResult;
import dev.serval.bench.report.Figures;
import dev.serval.bench.report.LoadResult;
import dev.serval.bench.report.Round;
import dev.serval.bench.scenario.Cell;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Measures a load cell. Each peer is checked and warmed up first. Then the rounds of all peers are
/// interleaved in a rotating order, so that a drift of the machine affects all peers.
record LoadRun(Bench bench, Clients clients) {
    /// So many make the JIT compiler compile them.
    private static final int HANDSHAKES = 300;

    private static final long HANDSHAKES_NANOS = 10_000_000_000L;

    /// Returns the measurement of loads on the stage of a bench.
    static LoadRun on(Bench bench) throws IOException {
        return new LoadRun(bench, Clients.find(bench.stage()));
    }

    /// The rounds of one peer so far.
    private final class Load {
        private final RunningPeer peer;
        private final Work work;
        private final List<Round> all = new ArrayList<>();
        private final Course<Round> course;
        private final Rounds<Round> rounds;

        Load(RunningPeer peer, Work work) {
            this.peer = peer;
            this.work = work;
            this.course = new Course<>(peer.name());
            this.rounds = new Rounds<>(bench.settings(), this::round, Round::disturbed);
        }

        void checkAndWarm() throws IOException {
            Browser.require(work.target(peer.port()));
            if (work.protocol().tls()) {
                Browser.shakeHands(peer.port(), HANDSHAKES, HANDSHAKES_NANOS);
            }
            rounds.warmUp(List.of(Round::cpuMicrosPerRequest));
        }

        void measure() throws IOException {
            course.rounds().add(rounds.next());
        }

        private Round round(Round.Phase phase) throws IOException {
            Round round = bench.meter().round(peer, clients.of(work.load().client()), work, phase);
            all.add(round);
            bench.say(
                    "%s  %-16s %-8s %8.2f µs/request %9.0f requests/s%s%s",
                    work.load().name(),
                    peer.name(),
                    phase.word(),
                    round.cpuMicrosPerRequest(),
                    round.requestsPerSecond(),
                    round.errors() > 0 ? "  " + round.errors() + " errors" : "",
                    round.disturbed() ? "  disturbed" : "");
            BenchFailure.require(round.errors() == 0, round.errors() + " errors in a round");
            if (round.requests() == 0 && phase == Round.Phase.MEASURED) {
                throw new BenchFailure("no request was answered in a round");
            }
            return round;
        }

        Figures figures() {
            return course.sound()
                    ? Figures.of(peer.name(), all, bench.settings().rounds(), rounds.settled())
                    : Figures.failed(peer.name(), course.failure());
        }
    }

    /// Measures all peers and compares them.
    LoadResult run(Work work, List<RunningPeer> peers, LoadResult.Comparison comparison) {
        Map<String, Load> loads = new LinkedHashMap<>();
        for (RunningPeer peer : peers) {
            Load load = new Load(peer, work);
            loads.put(peer.name(), load);
            load.course.attempt(bench.progress(), load::checkAndWarm);
        }
        List<Runnable> turns = new ArrayList<>();
        loads.values()
                .forEach(l -> turns.add(() -> l.course.attempt(bench.progress(), l::measure)));
        Course.inTurn(bench.settings().rounds(), turns);
        Cell.Load cell = work.load();
        LoadResult result =
                LoadResult.of(
                                cell.name(),
                                cell.title(),
                                cell.gate(),
                                comparison,
                                loads.values().stream().map(Load::figures).toList(),
                                loads.values().stream().flatMap(load -> load.all.stream()).toList())
                        .beside(cell.published());
        Load subject = loads.get(comparison.subject());
        Load before = loads.get(BeforeResult.PEER);
        return subject == null || before == null
                ? result
                : result.with(pairs(subject.course, before.course));
    }

    /// Compares the rounds of the same number, because those ran one after the other.
    private BeforeResult pairs(Course<Round> subject, Course<Round> before) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; subject.sound() && before.sound() && i < bench.settings().rounds(); i++) {
            ratios.add(
                    subject.rounds().get(i).cpuMicrosPerRequest()
                            / before.rounds().get(i).cpuMicrosPerRequest());
        }
        return BeforeResult.of(subject.name(), ratios, bench.settings().beforeGate());
    }

    /// Warms up one peer, for cells that measure only the subject.
    ///
    /// @throws BenchFailure if the peer answers wrongly
    void warm(Work work, RunningPeer peer) throws IOException {
        new Load(peer, work).checkAndWarm();
    }

    /// Measures one counted round. A disturbed round is repeated, up to the limit.
    List<Round> measured(Work work, RunningPeer peer) throws IOException {
        Load load = new Load(peer, work);
        load.measure();
        return load.all;
    }

    /// A counter of a server, such as the bytes that it has allocated.
    interface Counter {
        long read(RunningPeer server) throws IOException;
    }

    /// Warms up a peer, and measures in each round how much a counter grows per request.
    List<Double> growth(Work work, RunningPeer peer, Counter counter, List<Round> all)
            throws IOException {
        warm(work, peer);
        List<Double> growth = new ArrayList<>();
        for (int number = 0; number < bench.settings().rounds(); number++) {
            long before = counter.read(peer);
            List<Round> rounds = measured(work, peer);
            long grown = counter.read(peer) - before;
            growth.add((double) grown / rounds.stream().mapToLong(Round::requests).sum());
            all.addAll(rounds);
        }
        return growth;
    }
}
