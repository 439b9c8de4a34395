package dev.serval.bench.lrwp;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.run.Bench;
import dev.serval.bench.run.Meter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/// A server with a peer behind it, and the rounds that are measured on them.
///
/// @param cpus for the measurement of disturbances
/// @param log of the peer
record Trial(Bench bench, Cpus cpus, RunningPeer server, Process peer, Path log)
        implements AutoCloseable {
    private static final long PATIENCE_NANOS = 120_000_000_000L;
    private static final long POLL_NANOS = 50_000_000;

    /// Starts a server, and a peer behind it. The trial ends both.
    ///
    /// @param cpus for the measurement of disturbances
    /// @param peer returns the command of the peer that dials in to a port
    static Trial start(
            Bench bench,
            LrwpCell cell,
            LrwpPrograms programs,
            Cpus cpus,
            IntFunction<List<String>> peer)
            throws IOException {
        Stage stage = bench.stage();
        int port = stage.freePort();
        int lrwpPort = stage.freePort();
        List<String> command = programs.server(cell, stage.site().root(), port, lrwpPort);
        RunningPeer server =
                stage.launch("serval-" + cell.name(), port, stage.cpus().onServer(command));
        return behind(bench, server, cpus, peer.apply(lrwpPort));
    }

    /// Starts a peer behind a running server.
    static Trial behind(Bench bench, RunningPeer server, Cpus cpus, List<String> command)
            throws IOException {
        try {
            Path log = bench.stage().folder().resolve(server.name() + "-peer.log");
            return new Trial(bench, cpus, server, bench.stage().start(log, command), log);
        } catch (IOException e) {
            server.close();
            throw e;
        }
    }

    /// Returns the server; its end is that of the trial.
    RunningPeer running(String name) {
        return new RunningPeer(name, server.port(), server.pid(), this::close);
    }

    /// Returns the server's port.
    int port() {
        return server.port();
    }

    /// A measured round.
    ///
    /// @param clientNanos CPU time of the suite without server and peer
    /// @param disturbed whether other processes took too much of the CPUs
    record Round(
            PostLoad.Outcome outcome,
            long serverNanos,
            long peerNanos,
            long clientNanos,
            boolean disturbed) {
        /// Returns the server's CPU time per answer in microseconds.
        double serverMicros() {
            return serverNanos / 1e3 / outcome.answers();
        }

        /// Returns the peer's CPU time per answer in microseconds.
        double peerMicros() {
            return peerNanos / 1e3 / outcome.answers();
        }

        /// Returns how many CPUs the server used.
        double serverShare() {
            return (double) serverNanos / outcome.nanos();
        }

        /// Returns how many CPUs the peer used.
        double peerShare() {
            return (double) peerNanos / outcome.nanos();
        }

        /// Returns how many CPUs the clients used.
        double clientShare() {
            return (double) clientNanos / outcome.nanos();
        }
    }

    /// Waits until the peer answers one request of this kind.
    ///
    /// @throws BenchFailure if it does not within 120 s; the message has what it has printed
    void await(PostLoad.Sender sender) throws IOException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        String fault = "";
        while (System.nanoTime() < end && peer.isAlive()) {
            PostLoad.Outcome outcome = PostLoad.run(server.port(), List.of(sender), 0);
            if (outcome.wrong() == 0) {
                return;
            }
            fault = outcome.fault();
            LockSupport.parkNanos(POLL_NANOS);
        }
        throw new BenchFailure(
                "the peer of %s did not answer rightly within 120 s: %s\n%s"
                        .formatted(server.name(), fault, Files.readString(log)));
    }

    /// Makes the load of a round.
    interface Loading {
        PostLoad.Outcome run() throws IOException;
    }

    /// Measures a round of requests.
    ///
    /// @throws BenchFailure if an answer is wrong
    Round round(List<PostLoad.Sender> senders) throws IOException {
        return round(() -> PostLoad.run(server.port(), senders, bench.settings().seconds()));
    }

    /// Measures a round.
    ///
    /// @throws BenchFailure if an answer is wrong
    Round round(Loading loading) throws IOException {
        Meter meter = new Meter(bench.proc(), cpus, bench.settings());
        Meter.Reading before = meter.read(server);
        long peerBefore = bench.proc().treeCpuNanos(peer.pid());
        PostLoad.Outcome outcome = loading.run();
        Meter.Reading after = meter.read(server);
        long peerAfter = bench.proc().treeCpuNanos(peer.pid());
        BenchFailure.require(
                outcome.wrong() == 0,
                outcome.wrong() + " wrong answers; the first: " + outcome.fault());
        long ofServer = after.server() - before.server();
        long ofPeer = peerAfter - peerBefore;
        return new Round(
                outcome,
                ofServer,
                ofPeer,
                after.suite() - before.suite() - ofServer - ofPeer,
                meter.disturbed(before, after));
    }

    /// Returns a sentence for the report about the rounds that were disturbed and count nevertheless.
    static String disturbances(List<Round> rounds) {
        long disturbed = rounds.stream().filter(Round::disturbed).count();
        return disturbed == 0
                ? "no round was disturbed"
                : disturbed + " of " + rounds.size() + " rounds were disturbed and count (~)";
    }

    @Override
    public void close() {
        bench.stage().children().stop(peer);
        server.close();
    }
}
