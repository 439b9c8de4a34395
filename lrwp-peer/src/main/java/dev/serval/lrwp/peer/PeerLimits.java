package dev.serval.lrwp.peer;

import java.util.concurrent.TimeUnit;

/// The limits of a peer. Immutable.
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
    public static final PeerLimits STANDARD =
            new PeerLimits(1 << 20, 1 << 20, 5_000, 10_000, 60_000, 100, 2_000, 30_000, 10_000);

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

    /// Returns these limits with another `bodyMemoryMaxBytes`.
    public PeerLimits withBodyMemoryMaxBytes(int bytes) {
        return new PeerLimits(
                environmentMaxBytes,
                bytes,
                connectTimeoutMillis,
                handshakeTimeoutMillis,
                readTimeoutMillis,
                retryMinMillis,
                refusedMinMillis,
                retryMaxMillis,
                stableMillis);
    }

    /// Returns these limits with another `environmentMaxBytes`.
    public PeerLimits withEnvironmentMaxBytes(int bytes) {
        return new PeerLimits(
                bytes,
                bodyMemoryMaxBytes,
                connectTimeoutMillis,
                handshakeTimeoutMillis,
                readTimeoutMillis,
                retryMinMillis,
                refusedMinMillis,
                retryMaxMillis,
                stableMillis);
    }

    /// Returns these limits with other pauses between attempts.
    public PeerLimits withRetryMillis(int min, int refusedMin, int max) {
        return new PeerLimits(
                environmentMaxBytes,
                bodyMemoryMaxBytes,
                connectTimeoutMillis,
                handshakeTimeoutMillis,
                readTimeoutMillis,
                min,
                refusedMin,
                max,
                stableMillis);
    }

    /// Returns these limits with other times to wait for the agent.
    public PeerLimits withTimeoutMillis(int connect, int handshake, int read) {
        return new PeerLimits(
                environmentMaxBytes,
                bodyMemoryMaxBytes,
                connect,
                handshake,
                read,
                retryMinMillis,
                refusedMinMillis,
                retryMaxMillis,
                stableMillis);
    }

    private static void check(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    name + " is " + value + ": it must be from " + min + " to " + max);
        }
    }
}
