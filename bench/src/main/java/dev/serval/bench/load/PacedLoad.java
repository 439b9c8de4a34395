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

/// Requests at fixed instants, whatever becomes of those before them (an open loop). Each is timed
/// from the instant it was to be sent, so that one which had to wait for the answer before it on its
/// connection counts that wait: a server that stands still for a second is seen by all requests of
/// that second, not by one a connection.
///
/// The requests are dealt to the connections in turn; each connection has a thread.
final class PacedLoad implements AutoCloseable {
    /// Latencies are told apart up to here, to three digits.
    static final long HIGHEST_MICROS = 300_000_000;

    private static final int DIGITS = 3;

    /// How long after the last instant answers are waited for.
    private static final long PATIENCE_NANOS = 30_000_000_000L;

    private static final int FIRST_TIMEOUT_MILLIS = 10_000;

    private final List<Caller> callers = new ArrayList<>();

    private PacedLoad() {}

    /// What came of it.
    ///
    /// @param micros latencies; of a request that was not answered what it had waited so far
    /// @param unanswered requests that were given up
    record Outcome(Histogram micros, long unanswered) {
        /// Of no request.
        static Outcome none() {
            return new Outcome(new Histogram(HIGHEST_MICROS, DIGITS), 0);
        }

        /// With another's requests.
        Outcome and(Outcome other) {
            Histogram sum = micros.copy();
            sum.add(other.micros());
            return new Outcome(sum, unanswered + other.unanswered());
        }
    }

    /// When one connection sends.
    ///
    /// @param first instant
    /// @param step from one to the next
    /// @param end no instant then or later
    /// @param giveUp no answer is awaited past it
    private record Instants(long first, long step, long end, long giveUp) {}

    /// Opens the connections; each has one request answered.
    static PacedLoad open(Client.Target target, int connections) throws IOException {
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

    /// Sends so many requests a second in all, and waits for the answers.
    ///
    /// @throws BenchFailure where one is wrong
    Outcome run(int perSecond, int seconds) {
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
