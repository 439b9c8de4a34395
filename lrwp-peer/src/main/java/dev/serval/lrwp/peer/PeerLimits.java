package dev.serval.lrwp.peer;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// The limits of a peer. Immutable; [#with] returns a changed copy.
///
/// @param environmentMaxBytes the largest environment of a request, in bytes; a larger one is
///     answered with 431. The agent of Serval sends at most 1 MiB
/// @param bodyMemoryMaxBytes a body up to this size, in bytes, is in memory before the handler is
///     called; a larger one is read by the handler as a stream
/// @param connectTimeoutMillis the time to open a connection, in milliseconds
/// @param handshakeTimeoutMillis the longest silence of the agent during registration, in
///     milliseconds
/// @param readTimeoutMillis the longest silence of the agent within a request, in milliseconds; an
///     idle connection has no limit
/// @param retryMinMillis the pause before the first new attempt after a connection was lost, in
///     milliseconds; it doubles with each failure
/// @param refusedMinMillis the same after the agent refused the registration, in milliseconds
/// @param retryMaxMillis the longest pause between two attempts, in milliseconds
/// @param stableMillis a connection that lasted this long, in milliseconds, or served a request,
///     starts the pauses anew
public record PeerLimits(
        int environmentMaxBytes,
        int bodyMemoryMaxBytes,
        int connectTimeoutMillis,
        int handshakeTimeoutMillis,
        int readTimeoutMillis,
        int retryMinMillis,
        int refusedMinMillis,
        int retryMaxMillis,
        int stableMillis) {
    private static final int DAY_MILLIS = (int) TimeUnit.DAYS.toMillis(1);

    /// The limits of a peer that sets none.
    public static final PeerLimits STANDARD = new Draft().build();

    /// Checks the limits.
    ///
    /// @throws IllegalArgumentException if one is outside its range; the message names it
    public PeerLimits {
        check(
                "environmentMaxBytes",
                environmentMaxBytes,
                1_024,
                RequestDecoder.ENVIRONMENT_SKIPPED_MAX_BYTES);
        check("bodyMemoryMaxBytes", bodyMemoryMaxBytes, 0, 1 << 30);
        check("connectTimeoutMillis", connectTimeoutMillis, 1, DAY_MILLIS);
        check("handshakeTimeoutMillis", handshakeTimeoutMillis, 1, DAY_MILLIS);
        check("readTimeoutMillis", readTimeoutMillis, 1, DAY_MILLIS);
        check("retryMinMillis", retryMinMillis, 1, DAY_MILLIS);
        check("refusedMinMillis", refusedMinMillis, 1, DAY_MILLIS);
        check(
                "retryMaxMillis",
                retryMaxMillis,
                Math.max(retryMinMillis, refusedMinMillis),
                DAY_MILLIS);
        check("stableMillis", stableMillis, 1, DAY_MILLIS);
    }

    /// Returns a copy in which `change` has set some limits, such as
    /// `limits.with(draft -> draft.readTimeoutMillis = 5_000)`.
    ///
    /// @throws IllegalArgumentException if one is outside its range; the message names it
    public PeerLimits with(Consumer<Draft> change) {
        Draft draft = new Draft();
        draft.environmentMaxBytes = environmentMaxBytes;
        draft.bodyMemoryMaxBytes = bodyMemoryMaxBytes;
        draft.connectTimeoutMillis = connectTimeoutMillis;
        draft.handshakeTimeoutMillis = handshakeTimeoutMillis;
        draft.readTimeoutMillis = readTimeoutMillis;
        draft.retryMinMillis = retryMinMillis;
        draft.refusedMinMillis = refusedMinMillis;
        draft.retryMaxMillis = retryMaxMillis;
        draft.stableMillis = stableMillis;
        change.accept(draft);
        return draft.build();
    }

    private static void check(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    name + " is " + value + ": it must be from " + min + " to " + max);
        }
    }

    /// Limits while they are chosen, at first the standard ones. Each is a field, so that wherever a
    /// number is set, its name stands beside it. Used by one thread, within [#with].
    public static final class Draft {
        public int environmentMaxBytes = 1 << 20;
        public int bodyMemoryMaxBytes = 1 << 20;
        public int connectTimeoutMillis = 5_000;
        public int handshakeTimeoutMillis = 10_000;
        public int readTimeoutMillis = 60_000;
        public int retryMinMillis = 100;
        public int refusedMinMillis = 2_000;
        public int retryMaxMillis = 30_000;
        public int stableMillis = 10_000;

        private Draft() {}

        private PeerLimits build() {
            return new PeerLimits(
                    environmentMaxBytes,
                    bodyMemoryMaxBytes,
                    connectTimeoutMillis,
                    handshakeTimeoutMillis,
                    readTimeoutMillis,
                    retryMinMillis,
                    refusedMinMillis,
                    retryMaxMillis,
                    stableMillis);
        }
    }
}
