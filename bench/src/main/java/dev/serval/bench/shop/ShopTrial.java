package dev.serval.bench.shop;

import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.Proc;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/// One measurement with a number of users.
///
/// @param cost the CPU time that it took
/// @param passes whether enough interactions had a right answer in time
/// @param megabytes the resident memory of the server's processes afterwards, or NaN if it does not pass
record ShopTrial(int users, ShopTally tally, Cost cost, boolean passes, double megabytes) {
    /// The share of its CPUs from which on a component is at its end.
    private static final double BUSY_SHARE = 0.9;

    /// The share of other programs from which on a trial says nothing of the server.
    private static final double OTHERS_SHARE_MAX = 0.2;

    /// CPU time in seconds.
    ///
    /// @param seconds of the clock
    /// @param server of the web server, with a database in its process
    /// @param database of a database with a process of its own
    /// @param generator of the users
    /// @param idle the time in which all these CPUs together were idle
    /// @param cpus how they are assigned
    record Cost(
            double seconds,
            double server,
            double database,
            double generator,
            double idle,
            Cpus cpus) {
        /// Returns the share of its CPUs that the server used.
        double serverShare() {
            return server / seconds / cpus.server().size();
        }

        /// Returns the share of their CPUs that the users and a database of their own used. If nothing
        /// is pinned, the server's share counts, too.
        double clientShare() {
            double used = generator + database + (cpus.pinned() ? 0 : server);
            return used / seconds / cpus.client().size();
        }

        /// Returns the share of all CPUs that other programs used.
        double othersShare() {
            double all = seconds * (cpus.pinned() ? cpus.server().size() : 0);
            all += seconds * cpus.client().size();
            return Math.max(0, (all - idle - server - database - generator) / all);
        }
    }

    /// Reads counters before and after a measurement.
    ///
    /// @param database the process of the database, or -1
    record Clock(Proc proc, Cpus cpus, long server, long database) {
        /// The counters at one moment, in nanoseconds.
        record Reading(long nanos, long server, long database, long suite, long idle) {}

        Reading read() throws IOException {
            return new Reading(
                    System.nanoTime(),
                    proc.treeCpuNanos(server),
                    database < 0 ? 0 : proc.treeCpuNanos(database),
                    proc.treeCpuNanos(ProcessHandle.current().pid()),
                    proc.idleNanos(all()));
        }

        /// Returns the CPU time since a reading. The suite's tree has the server and the database.
        Cost since(Reading before) throws IOException {
            Reading after = read();
            double nanos = after.nanos() - before.nanos();
            long served = after.server() - before.server();
            long stored = after.database() - before.database();
            return new Cost(
                    nanos / 1e9,
                    served / 1e9,
                    stored / 1e9,
                    (after.suite() - before.suite() - served - stored) / 1e9,
                    (after.idle() - before.idle()) / 1e9,
                    cpus);
        }

        private Set<Integer> all() {
            Set<Integer> all = new HashSet<>(cpus.server());
            all.addAll(cpus.client());
            return all;
        }
    }

    /// Returns whether something else than the server was at its end. Then the server may have room for
    /// more users. Not if its own CPU was at its end, too.
    boolean isOfTheGenerator() {
        boolean other =
                tally.isOfTheGenerator() || cost.clientShare() >= BUSY_SHARE || isDisturbed();
        return other && cost.serverShare() < BUSY_SHARE;
    }

    /// Returns whether its times and its memory are those of a server that keeps up, and of nothing else.
    boolean isComparable() {
        return passes && !isOfTheGenerator();
    }

    private boolean isDisturbed() {
        return cost.othersShare() > OTHERS_SHARE_MAX;
    }

    /// Returns what was at its end.
    String end() {
        if (cost.serverShare() >= BUSY_SHARE) {
            return "the server's CPU";
        }
        if (isDisturbed()) {
            return "other programs";
        }
        if (cost.clientShare() >= BUSY_SHARE) {
            return cost.database() > cost.generator()
                    ? "the client's CPU: the database"
                    : "the client's CPU: the generator";
        }
        return tally.isOfTheGenerator() ? "the generator, which sent late" : "no CPU";
    }

    /// Returns the server's CPU time of an interaction in milliseconds.
    double serverMillis() {
        return 1e3 * cost.server() / Math.max(1, tally.ended());
    }

    /// Returns the database's CPU time of an interaction in milliseconds.
    double databaseMillis() {
        return 1e3 * cost.database() / Math.max(1, tally.ended());
    }
}
