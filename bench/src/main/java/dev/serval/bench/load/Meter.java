package dev.serval.bench.load;

import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.report.Round;
import java.io.IOException;

/// Measures one round: what the server's process tree used, what was answered, and what others took
/// of the server's CPU meanwhile.
final class Meter {
    private final Proc proc;
    private final Cpus cpus;
    private final Settings settings;

    Meter(Proc proc, Cpus cpus, Settings settings) {
        this.proc = proc;
        this.cpus = cpus;
        this.settings = settings;
    }

    /// What is counted at one moment.
    ///
    /// @param nanos the clock
    /// @param server CPU time of the server's tree
    /// @param suite CPU time of the suite and all it started
    /// @param idle idle time of the server's CPUs
    private record Reading(long nanos, long server, long suite, long idle) {}

    /// Runs the client against a peer and reads the counters before and after.
    Round round(RunningPeer peer, Client client, Work work, Round.Phase phase) throws IOException {
        Reading before = read(peer);
        Client.Tally tally =
                client.run(
                        new Client.Target(peer.port(), work.page()),
                        work.load(),
                        settings.seconds());
        Reading after = read(peer);
        double others = othersShare(before, after);
        return new Round(
                peer.name(),
                phase,
                tally.nanos() / 1e9,
                tally.requests(),
                tally.contentBytes(),
                tally.errors(),
                after.server() - before.server(),
                others,
                others > settings.disturbedShare());
    }

    private Reading read(RunningPeer peer) throws IOException {
        long server = proc.treeCpuNanos(peer.pid());
        long suite = proc.treeCpuNanos(ProcessHandle.current().pid());
        return new Reading(System.nanoTime(), server, suite, proc.idleNanos(cpus.server()));
    }

    /// Busy time of the server's CPUs that was not the server's, nor, where nothing is pinned, the
    /// suite's own; as a share of the time there was. Never negative: the counters have 10 ms.
    private double othersShare(Reading before, Reading after) {
        long time = (after.nanos() - before.nanos()) * cpus.server().size();
        long busy = time - (after.idle() - before.idle());
        long ours =
                cpus.pinned() ? after.server() - before.server() : after.suite() - before.suite();
        return Math.max(0.0, (double) (busy - ours) / time);
    }
}
