package dev.serval.bench.scenario;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.scenario.Cell.Ramp;
import java.util.List;

/// Creates sessions on each server: at rising rates, with scripts that end with and without a logout,
/// and up to a number. The results are those of a [Ramp] for each script, and the memory of the
/// server as the sessions grow and after they have expired, and what it has after a restart.
///
/// @param store where the sessions are kept
/// @param image the file of the images of a page
/// @param images of each page, requested at once after it
/// @param thinkSeconds between a page with its images and the next page
/// @param timeouts seconds after which sessions expire, by default
/// @param paperTimeouts the same in the paper's form
/// @param sessions the number up to which they grow with the first timeout; with others, to a quarter
/// @param rates the steps of the ramp by default, in sessions per second
/// @param paperRates the same in the paper's form
/// @param factor of each step to the next beyond the last planned rate
/// @param patienceMillis how long a client waits for the answers to what it has sent at once
/// @param addresses loopback addresses from which the clients come
public record SessionsCell(
        String name,
        String title,
        List<String> peers,
        Store store,
        String image,
        int images,
        double thinkSeconds,
        List<Integer> timeouts,
        List<Integer> paperTimeouts,
        int sessions,
        Ramp.Steps rates,
        Ramp.Steps paperRates,
        double factor,
        int patienceMillis,
        int addresses)
        implements Cell.OfServers {
    /// The lowest rate of right sessions at twice the highest rate ÷ the peak, as of single requests,
    /// although a session is right only if all its answers are.
    private static final double GATE = 0.9;

    /// Where a server keeps sessions.
    public enum Store {
        /// In its memory, or as it does by default.
        MEMORY,
        /// In files.
        FILES,
        /// In PostgreSQL.
        DATABASE
    }

    /// Rejects sessions that cannot be made.
    public SessionsCell {
        boolean expire =
                !timeouts.isEmpty()
                        && !paperTimeouts.isEmpty()
                        && timeouts.stream().allMatch(seconds -> seconds > 0)
                        && paperTimeouts.stream().allMatch(seconds -> seconds > 0);
        BenchFailure.require(
                expire && images > 0 && thinkSeconds > 0 && sessions >= 4,
                name + ": counts and timeouts must be positive");
    }

    /// Returns the ramp of sessions that end with or without a logout.
    public Ramp ramp(boolean logout) {
        return new Ramp(
                name + (logout ? "-logout" : "-stay"),
                title + (logout ? ", with a logout at their end" : ", without a logout"),
                peers,
                image,
                rates,
                paperRates,
                factor,
                patienceMillis,
                addresses,
                GATE,
                List.of());
    }
}
