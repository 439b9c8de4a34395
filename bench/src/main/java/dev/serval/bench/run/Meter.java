package dev.serval.bench.run;

import dev.serval.bench.load.Client;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.report.Round;
import dev.serval.bench.scenario.Settings;
import java.io.IOException;

/// Measures one round: the CPU time of the server's process tree, the answers, and the CPU time
/// that other processes took from the server's CPUs.
public record Meter(Proc proc, Cpus cpus, Settings settings) {
    /// The counters at one moment.
    ///
    /// @param suite CPU time of the suite and all its descendants, including the server
    /// @param serverIdle idle time of the server's CPUs
    /// @param clientIdle idle time of the client's CPUs
    public record Reading(long nanos, long server, long suite, long serverIdle, long clientIdle) {
        /// Returns the CPU time of the suite and its descendants without the server.
        long client() {
            return suite - server;
        }
    }

    /// Runs the client against a peer and reads the counters before and after.
    Round round(RunningPeer peer, Client client, Work work, Round.Phase phase) throws IOException {
        Client.Target target = work.target(peer.port());
        Reading before = read(peer);
        Client.Tally tally = client.run(target, work.load(), settings.seconds());
        Reading after = read(peer);
        return new Round(
                peer.name(),
                phase,
                tally.nanos() / 1e9,
                tally.p99Micros(),
                tally.requests(),
                tally.contentBytes(),
                tally.errors(),
                after.server() - before.server(),
                after.client() - before.client(),
                othersShare(before, after, cpus),
                clientOthersShare(before, after, cpus),
                disturbed(before, after));
    }

    /// Returns whether other processes took more CPU time between two readings than the settings
    /// allow.
    public boolean disturbed(Reading before, Reading after) {
        return othersShare(before, after, cpus) > settings.disturbedShare()
                || clientOthersShare(before, after, cpus) > settings.clientDisturbedShare();
    }

    /// Reads the counters.
    public Reading read(RunningPeer peer) throws IOException {
        long server = proc.treeCpuNanos(peer.pid());
        long suite = proc.treeCpuNanos(ProcessHandle.current().pid());
        return new Reading(
                System.nanoTime(),
                server,
                suite,
                proc.idleNanos(cpus.server()),
                proc.idleNanos(cpus.client()));
    }

    /// Returns the share of the server's CPUs that other processes used. If nothing is pinned, the
    /// suite does not count as another process.
    static double othersShare(Reading before, Reading after, Cpus cpus) {
        long ours =
                cpus.pinned() ? after.server() - before.server() : after.suite() - before.suite();
        long idle = after.serverIdle() - before.serverIdle();
        return share(after.nanos() - before.nanos(), cpus.server().size(), idle, ours);
    }

    /// Returns the share of the client's CPUs that other processes used, apart from the suite
    /// without the server.
    static double clientOthersShare(Reading before, Reading after, Cpus cpus) {
        if (!cpus.pinned()) {
            return 0;
        }
        long ours = after.client() - before.client();
        long idle = after.clientIdle() - before.clientIdle();
        return share(after.nanos() - before.nanos(), cpus.client().size(), idle, ours);
    }

    /// Returns a share, which is never negative. The counters have steps of 10 ms.
    private static double share(long nanos, int cpus, long idle, long ours) {
        long time = nanos * cpus;
        return Math.max(0.0, (double) (time - idle - ours) / time);
    }
}
