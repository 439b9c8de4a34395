package dev.serval.bench.run;

import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.Site;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.report.Figures;
import dev.serval.bench.report.Gate;
import dev.serval.bench.report.LoadResult;
import dev.serval.bench.report.SingleResult;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.scenario.Scenario;
import dev.serval.bench.scenario.Settings;
import dev.serval.bench.servlet.Request;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// What every cell of a scenario's run is measured with.
///
/// @param peers those present on this machine
/// @param loads measures loads on the stage of the bench
record Contest(Scenario scenario, List<Peer> peers, Bench bench, LoadRun loads) {
    /// Returns the name of the peer that the figures describe.
    String subject() {
        return scenario.subject();
    }

    Stage stage() {
        return bench.stage();
    }

    Proc proc() {
        return bench.proc();
    }

    Settings settings() {
        return bench.settings();
    }

    Meter meter() {
        return bench.meter();
    }

    /// Prints a line of the progress.
    void say(String format, @Nullable Object... arguments) {
        bench.say(format, arguments);
    }

    /// Returns this contest on another stage.
    Contest on(Stage other) {
        return new Contest(scenario, peers, bench.on(other), loads);
    }

    /// Returns the peers of a kind.
    <P extends Peer> List<P> peers(Class<P> kind) {
        return peers.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /// Returns the work of a load cell.
    Work work(String cell) {
        return work(scenario.loadCell(cell));
    }

    /// Returns the work of requesting a file or the scenario's request of this name, for a cell that
    /// is no load.
    Work work(Cell cell, String file, int connections, Cell.ClientKind client) {
        return work(cell.plain(file, connections, client, Gate.NONE));
    }

    Work work(Cell.Load load) {
        Request request = scenario.requests().get(load.file());
        List<Site.Page> pages =
                request == null
                        ? load.files().stream().map(bench.stage().site()::page).toList()
                        : List.of(request.page());
        return new Work(load, bench.stage().protocol(), pages, request);
    }

    /// Returns the peers to which the subject is compared in a load cell.
    LoadResult.Comparison comparison(Cell.Load load) {
        List<String> references =
                load.references().isEmpty() ? scenario.references() : load.references();
        return new LoadResult.Comparison(subject(), references, scenario.floor());
    }

    /// Starts a peer as the scenario asks for.
    RunningPeer start(Peer peer) throws IOException {
        bench.say("starting %s", peer.name());
        return peer.start(bench.stage());
    }

    /// Returns servers as the entries of a ramp.
    List<RampRun.Entry> entries(List<Peer> some) {
        return some.stream()
                .map(peer -> new RampRun.Entry(peer.name(), () -> start(peer)))
                .toList();
    }

    /// Measures these servers one after the other.
    ///
    /// @param failed makes the result of a server that failed, from its name and the reason
    <T> List<T> inTurn(
            List<Peer> some, OfServer<T> measurement, BiFunction<String, String, T> failed) {
        List<T> all = new ArrayList<>();
        for (Peer peer : some) {
            Bench.Attempt<T> attempt =
                    () -> {
                        try (RunningPeer server = start(peer)) {
                            return measurement.of(server);
                        }
                    };
            all.add(bench.attempt(peer.name(), attempt, why -> failed.apply(peer.name(), why)));
        }
        return all;
    }

    /// Measures a running server, or prepares that.
    interface OfServer<T> {
        T of(RunningPeer server) throws IOException;
    }

    /// Runs these servers at the same time, and measures a round of each in turn.
    ///
    /// @param warmedUp prepares a server, and returns what measures its rounds
    <R> List<Course<R>> together(List<Peer> some, int rounds, OfServer<Bench.Attempt<R>> warmedUp) {
        List<Course<R>> courses = new ArrayList<>();
        List<RunningPeer> running = new ArrayList<>();
        List<Runnable> turns = new ArrayList<>();
        try {
            for (Peer peer : some) {
                Course<R> course = new Course<>(peer.name());
                courses.add(course);
                course.attempt(
                        bench.progress(),
                        () -> {
                            running.add(start(peer));
                            Bench.Attempt<R> round = warmedUp.of(running.getLast());
                            Course.Step step = () -> course.rounds().add(round.take());
                            turns.add(() -> course.attempt(bench.progress(), step));
                        });
            }
            Course.inTurn(rounds, turns);
        } finally {
            running.forEach(RunningPeer::close);
        }
        return courses;
    }

    /// Servers that run at the same time.
    ///
    /// @param failed those that did not start
    record Started(List<RunningPeer> running, List<Figures> failed) implements AutoCloseable {
        @Override
        public void close() {
            running.forEach(RunningPeer::close);
        }
    }

    /// Starts these peers on a stage.
    Started started(List<Peer> some, Stage stage) {
        Started started = new Started(new ArrayList<>(), new ArrayList<>());
        for (Peer peer : some) {
            bench.say("starting %s", peer.name());
            bench.attempt(
                    peer.name(),
                    () -> started.running().add(peer.start(stage)),
                    why -> started.failed().add(Figures.failed(peer.name(), why)));
        }
        return started;
    }

    /// Compares servers in a load.
    LoadResult compared(Started servers, Cell.Load load) {
        LoadResult.Comparison comparison = comparison(load);
        return loads.run(work(load), servers.running(), comparison)
                .with(servers.failed(), comparison);
    }

    /// Starts these peers without an access log, and compares them in a load.
    LoadResult compared(List<Peer> some, Cell.Load load) {
        try (Started servers = started(some, bench.stage().silent())) {
            return compared(servers, load);
        }
    }

    /// Returns the peers of a cell.
    List<Peer> peers(Cell.OfServers cell) {
        return cell.peers().isEmpty()
                ? peers
                : peers.stream().filter(peer -> cell.peers().contains(peer.name())).toList();
    }

    /// Measures the subject only.
    interface OfSubject {
        SingleResult of(SingleResult.Measured what) throws IOException;
    }

    /// Returns the result of a measurement of the subject only, or why there is none.
    ///
    /// @param gate the limit that the median must be below, or NaN for none
    SingleResult single(Cell cell, String unit, double gate, OfSubject measurement) {
        SingleResult.Measured what =
                new SingleResult.Measured(cell.name(), cell.title(), unit, gate);
        return bench.attempt(
                cell.name(), () -> measurement.of(what), why -> SingleResult.failed(what, why));
    }
}
