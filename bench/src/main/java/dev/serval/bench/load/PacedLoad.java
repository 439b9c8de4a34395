package dev.serval.bench.load;

import dev.serval.bench.peer.BenchFailure;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/// Sends requests at fixed instants, whether or not earlier ones were answered (an open loop). The
/// latency of a request is measured from its instant. Therefore it includes the wait for the
/// previous answer on the same connection. If a server hangs for a second, all requests of that
/// second show it, and not only one per connection.
///
/// The requests are distributed over the connections in turn. Each connection has a thread.
public final class PacedLoad implements AutoCloseable {
    /// The highest latency that is recorded. Latencies have three digits.
    static final long HIGHEST_MICROS = 300_000_000;

    private static final int DIGITS = 3;

    /// How long to wait for answers after the last instant.
    private static final long PATIENCE_NANOS = 30_000_000_000L;

    private static final int FIRST_TIMEOUT_MILLIS = 10_000;

    private final List<Caller> callers = new ArrayList<>();

    private PacedLoad() {}

    /// The result of a load.
    ///
    /// @param micros latencies; of an unanswered request the time it had waited
    /// @param unanswered requests that timed out
    public record Outcome(Histogram micros, long unanswered) {
        /// Returns the result of no request.
        public static Outcome none() {
            return new Outcome(new Histogram(HIGHEST_MICROS, DIGITS), 0);
        }

        /// Returns the sum of both results.
        public Outcome and(Outcome other) {
            Histogram sum = micros.copy();
            sum.add(other.micros());
            return new Outcome(sum, unanswered + other.unanswered());
        }
    }

    /// The instants at which one connection sends.
    ///
    /// @param end the time before which all instants are
    /// @param giveUp the time until which answers are awaited
    private record Instants(long first, long step, long end, long giveUp) {}

    /// Opens the connections and sends one request on each.
    public static PacedLoad open(Client.Target target, int connections) throws IOException {
        PacedLoad load = new PacedLoad();
        try {
            for (int i = 0; i < connections; i++) {
                Caller caller = Caller.to(target);
                load.callers.add(caller);
                caller.ask(FIRST_TIMEOUT_MILLIS);
            }
            return load;
        } catch (IOException | BenchFailure e) {
            load.close();
            throw e;
        }
    }

    /// Sends this many requests per second on all connections together, and waits for the answers.
    ///
    /// @throws BenchFailure if an answer is wrong
    public Outcome run(int perSecond, int seconds) {
        long between = 1_000_000_000L / perSecond;
        long start = System.nanoTime() + between;
        long end = start + seconds * 1_000_000_000L;
        List<Future<Outcome>> outcomes = new ArrayList<>();
        try (ExecutorService threads =
                Executors.newThreadPerTaskExecutor(
                        Thread.ofPlatform().daemon().name("paced-", 0).factory())) {
            for (int i = 0; i < callers.size(); i++) {
                Caller caller = callers.get(i);
                Instants instants =
                        new Instants(
                                start + i * between,
                                between * callers.size(),
                                end,
                                end + PATIENCE_NANOS);
                outcomes.add(threads.submit(() -> run(caller, instants)));
            }
        }
        Outcome sum = Outcome.none();
        for (Future<Outcome> outcome : outcomes) {
            sum = sum.and(Joined.result(outcome, "a paced request failed"));
        }
        return sum;
    }

    private static Outcome run(Caller caller, Instants instants) throws IOException {
        Histogram micros = new Histogram(HIGHEST_MICROS, DIGITS);
        boolean usable = true;
        long unanswered = 0;
        for (long at = instants.first(); at - instants.end() < 0; at += instants.step()) {
            usable = usable && answered(caller, at, instants.giveUp());
            unanswered += usable ? 0 : 1;
            long until = usable ? System.nanoTime() : instants.giveUp();
            micros.recordValue(Math.min((until - at) / 1000, HIGHEST_MICROS));
        }
        return new Outcome(micros, unanswered);
    }

    private static boolean answered(Caller caller, long at, long giveUp) throws IOException {
        for (long left = at - System.nanoTime(); left > 0; left = at - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        long timeoutMillis = (giveUp - System.nanoTime()) / 1_000_000;
        if (timeoutMillis < 1) {
            return false;
        }
        try {
            caller.ask((int) timeoutMillis);
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        for (Caller caller : callers) {
            caller.close();
        }
    }
}
