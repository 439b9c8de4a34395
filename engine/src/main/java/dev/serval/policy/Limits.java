package dev.serval.policy;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

/// Every bound of a listener with its default. Immutable; change one with the `with…` methods.
///
/// @param head of request heads
/// @param content of request content
/// @param pace in time
/// @param counts of connections and requests
/// @param buffers of memory
/// @param workers of application code
public record Limits(
        Heads head, Contents content, Paces pace, Counts counts, Buffers buffers, Workers workers) {
    /// What a server has that was told nothing.
    public static final Limits DEFAULT =
            new Limits(
                    Heads.DEFAULT,
                    Contents.DEFAULT,
                    Paces.DEFAULT,
                    Counts.DEFAULT,
                    Buffers.DEFAULT,
                    Workers.DEFAULT);

    /// With other bounds of heads.
    public Limits withHead(Heads other) {
        return new Limits(other, content, pace, counts, buffers, workers);
    }

    /// With other bounds of content.
    public Limits withContent(Contents other) {
        return new Limits(head, other, pace, counts, buffers, workers);
    }

    /// With other bounds in time.
    public Limits withPace(Paces other) {
        return new Limits(head, content, other, counts, buffers, workers);
    }

    /// With other bounds of connections and requests.
    public Limits withCounts(Counts other) {
        return new Limits(head, content, pace, other, buffers, workers);
    }

    /// With other bounds of memory.
    public Limits withBuffers(Buffers other) {
        return new Limits(head, content, pace, counts, other, workers);
    }

    /// With other bounds of application code.
    public Limits withWorkers(Workers other) {
        return new Limits(head, content, pace, counts, buffers, other);
    }

    /// Bounds of a request head.
    ///
    /// @param lineMaxBytes request line without its end; past it 414
    /// @param maxBytes request line and fields in all, line ends included; past it 431
    /// @param fieldsMax fields; past it 431
    public record Heads(int lineMaxBytes, int maxBytes, int fieldsMax) {
        /// 8 KiB, 32 KiB, 100.
        public static final Heads DEFAULT = new Heads(8 << 10, 32 << 10, 100);

        /// With another bound of the request line.
        public Heads withLineMaxBytes(int other) {
            return new Heads(other, maxBytes, fieldsMax);
        }

        /// With another bound of the whole head.
        public Heads withMaxBytes(int other) {
            return new Heads(lineMaxBytes, other, fieldsMax);
        }

        /// With another number of fields.
        public Heads withFieldsMax(int other) {
            return new Heads(lineMaxBytes, maxBytes, other);
        }
    }

    /// Bounds of request content.
    ///
    /// @param maxBytes content without its framing; past it 413
    /// @param discardMaxBytes what is read and dropped of content nobody asked for, so that the
    ///     connection can go on
    /// @param chunkLineMaxBytes a chunk's size line with its extensions, line end included; past it
    ///     400
    /// @param trailersMaxBytes all trailer fields; past it 431
    /// @param trailersMax trailer fields; past it 431
    /// @param lingerMaxBytes what a closing connection is read on besides the content that maxBytes
    ///     allows, so that the peer can read our answer; past it closed
    public record Contents(
            long maxBytes,
            long discardMaxBytes,
            int chunkLineMaxBytes,
            int trailersMaxBytes,
            int trailersMax,
            long lingerMaxBytes) {
        /// 10 MiB, 256 KiB, 256 B, 8 KiB, 32, 16 MiB.
        public static final Contents DEFAULT =
                new Contents(10L << 20, 256L << 10, 256, 8 << 10, 32, 16L << 20);

        /// With another bound of the content itself.
        public Contents withMaxBytes(long other) {
            return new Contents(
                    other,
                    discardMaxBytes,
                    chunkLineMaxBytes,
                    trailersMaxBytes,
                    trailersMax,
                    lingerMaxBytes);
        }

        /// With another bound of what is dropped so that the connection can go on.
        public Contents withDiscardMaxBytes(long other) {
            return new Contents(
                    maxBytes,
                    other,
                    chunkLineMaxBytes,
                    trailersMaxBytes,
                    trailersMax,
                    lingerMaxBytes);
        }

        /// With another bound of a chunk's size line.
        public Contents withChunkLineMaxBytes(int other) {
            return new Contents(
                    maxBytes,
                    discardMaxBytes,
                    other,
                    trailersMaxBytes,
                    trailersMax,
                    lingerMaxBytes);
        }

        /// With another bound of the trailer fields in all.
        public Contents withTrailersMaxBytes(int other) {
            return new Contents(
                    maxBytes,
                    discardMaxBytes,
                    chunkLineMaxBytes,
                    other,
                    trailersMax,
                    lingerMaxBytes);
        }

        /// With another number of trailer fields.
        public Contents withTrailersMax(int other) {
            return new Contents(
                    maxBytes,
                    discardMaxBytes,
                    chunkLineMaxBytes,
                    trailersMaxBytes,
                    other,
                    lingerMaxBytes);
        }

        /// With another bound of what a closing connection is read on.
        public Contents withLingerMaxBytes(long other) {
            return new Contents(
                    maxBytes,
                    discardMaxBytes,
                    chunkLineMaxBytes,
                    trailersMaxBytes,
                    trailersMax,
                    other);
        }
    }

    /// Bounds in time, in nanoseconds.
    ///
    /// @param headNanos a whole request head from its first byte, on a new connection from accept;
    ///     past it 408, or a close where nothing was sent
    /// @param idleNanos a kept connection without a request
    /// @param graceNanos how long content may lie below the minimum rate at its start
    /// @param minBytesPerSecond content read and responses taken, while we wait for the peer
    /// @param stallNanos unsent bytes of which the peer takes none
    /// @param lingerNanos a closing connection is read on so long, that the peer can read our answer
    /// @param exchangeNanos a whole exchange from its head to the end of its response; 0 for none
    /// @param lastRequestNanos a connection at rest may send one more request while the server drains
    /// @param executorWaitNanos a response that has begun waits so long for room at an executor; past it the
    ///     exchange is aborted
    public record Paces(
            long headNanos,
            long idleNanos,
            long graceNanos,
            long minBytesPerSecond,
            long stallNanos,
            long lingerNanos,
            long exchangeNanos,
            long lastRequestNanos,
            long executorWaitNanos) {
        /// 10 s, 75 s, 5 s, 240 B/s, 30 s, 2 s, none, 0.5 s, 30 s.
        public static final Paces DEFAULT =
                new Paces(
                        SECONDS.toNanos(10),
                        SECONDS.toNanos(75),
                        SECONDS.toNanos(5),
                        240,
                        SECONDS.toNanos(30),
                        SECONDS.toNanos(2),
                        0,
                        MILLISECONDS.toNanos(500),
                        SECONDS.toNanos(30));

        /// With another time for a head.
        public Paces withHeadNanos(long other) {
            return new Paces(
                    other,
                    idleNanos,
                    graceNanos,
                    minBytesPerSecond,
                    stallNanos,
                    lingerNanos,
                    exchangeNanos,
                    lastRequestNanos,
                    executorWaitNanos);
        }

        /// With another time between requests.
        public Paces withIdleNanos(long other) {
            return new Paces(
                    headNanos,
                    other,
                    graceNanos,
                    minBytesPerSecond,
                    stallNanos,
                    lingerNanos,
                    exchangeNanos,
                    lastRequestNanos,
                    executorWaitNanos);
        }

        /// With another grace.
        public Paces withGraceNanos(long other) {
            return new Paces(
                    headNanos,
                    idleNanos,
                    other,
                    minBytesPerSecond,
                    stallNanos,
                    lingerNanos,
                    exchangeNanos,
                    lastRequestNanos,
                    executorWaitNanos);
        }

        /// With another minimum rate.
        public Paces withMinBytesPerSecond(long other) {
            return new Paces(
                    headNanos,
                    idleNanos,
                    graceNanos,
                    other,
                    stallNanos,
                    lingerNanos,
                    exchangeNanos,
                    lastRequestNanos,
                    executorWaitNanos);
        }

        /// With another time for a peer that takes nothing.
        public Paces withStallNanos(long other) {
            return new Paces(
                    headNanos,
                    idleNanos,
                    graceNanos,
                    minBytesPerSecond,
                    other,
                    lingerNanos,
                    exchangeNanos,
                    lastRequestNanos,
                    executorWaitNanos);
        }

        /// With another time for a closing connection.
        public Paces withLingerNanos(long other) {
            return new Paces(
                    headNanos,
                    idleNanos,
                    graceNanos,
                    minBytesPerSecond,
                    stallNanos,
                    other,
                    exchangeNanos,
                    lastRequestNanos,
                    executorWaitNanos);
        }

        /// With another time for a whole exchange; 0 for none.
        public Paces withExchangeNanos(long other) {
            return new Paces(
                    headNanos,
                    idleNanos,
                    graceNanos,
                    minBytesPerSecond,
                    stallNanos,
                    lingerNanos,
                    other,
                    lastRequestNanos,
                    executorWaitNanos);
        }

        /// With another time for the last request of a drain.
        public Paces withLastRequestNanos(long other) {
            return new Paces(
                    headNanos,
                    idleNanos,
                    graceNanos,
                    minBytesPerSecond,
                    stallNanos,
                    lingerNanos,
                    exchangeNanos,
                    other,
                    executorWaitNanos);
        }

        /// With another time to wait for room at a place.
        public Paces withExecutorWaitNanos(long other) {
            return new Paces(
                    headNanos,
                    idleNanos,
                    graceNanos,
                    minBytesPerSecond,
                    stallNanos,
                    lingerNanos,
                    exchangeNanos,
                    lastRequestNanos,
                    other);
        }
    }

    /// Bounds of how many.
    ///
    /// @param connectionsMax open connections of the server; past it new ones are closed at once
    /// @param perAddressMax connections of one client address; 0 for no bound
    /// @param exchangesMax requests in progress of the server; past it 503
    /// @param requestsPerConnectionMax requests one connection serves; 0 for no bound
    /// @param requestsPerTurnMax pipelined requests one connection serves before others have their
    ///     turn
    public record Counts(
            int connectionsMax,
            int perAddressMax,
            int exchangesMax,
            long requestsPerConnectionMax,
            int requestsPerTurnMax) {
        /// 20,000, no bound, 10,000, no bound, 256.
        public static final Counts DEFAULT = new Counts(20_000, 0, 10_000, 0, 256);

        /// With another number of connections.
        public Counts withConnectionsMax(int other) {
            return new Counts(
                    other,
                    perAddressMax,
                    exchangesMax,
                    requestsPerConnectionMax,
                    requestsPerTurnMax);
        }

        /// With another number of connections of one client address; 0 for no bound.
        public Counts withPerAddressMax(int other) {
            return new Counts(
                    connectionsMax,
                    other,
                    exchangesMax,
                    requestsPerConnectionMax,
                    requestsPerTurnMax);
        }

        /// With another number of requests in progress.
        public Counts withExchangesMax(int other) {
            return new Counts(
                    connectionsMax,
                    perAddressMax,
                    other,
                    requestsPerConnectionMax,
                    requestsPerTurnMax);
        }

        /// With another number of requests of a connection; 0 for no bound.
        public Counts withRequestsPerConnectionMax(long other) {
            return new Counts(
                    connectionsMax, perAddressMax, exchangesMax, other, requestsPerTurnMax);
        }

        /// With another number of requests of a connection in a turn.
        public Counts withRequestsPerTurnMax(int other) {
            return new Counts(
                    connectionsMax, perAddressMax, exchangesMax, requestsPerConnectionMax, other);
        }
    }

    /// Bounds of memory.
    ///
    /// @param readBytes the loop's buffer for reading: what one read of a connection takes at most
    /// @param unsentMaxBytes bytes of an exchange waiting to be sent before its writer should
    ///     pause
    /// @param turnBytes answers of one connection that are gathered before they are sent
    /// @param heldMaxBytes what all connections of the server hold: heads that are not complete or in
    ///     use, input that came early, answers that were not taken; past it those end that hold most
    public record Buffers(int readBytes, int unsentMaxBytes, int turnBytes, long heldMaxBytes) {
        /// 64 KiB, 64 KiB, 128 KiB, 256 MiB.
        public static final Buffers DEFAULT =
                new Buffers(64 << 10, 64 << 10, 128 << 10, 256L << 20);

        /// With another size of a loop's buffer for reading.
        public Buffers withReadBytes(int other) {
            return new Buffers(other, unsentMaxBytes, turnBytes, heldMaxBytes);
        }

        /// With another bound of what waits to be sent.
        public Buffers withUnsentMaxBytes(int other) {
            return new Buffers(readBytes, other, turnBytes, heldMaxBytes);
        }

        /// With another size of a loop's buffer for answers.
        public Buffers withTurnBytes(int other) {
            return new Buffers(readBytes, unsentMaxBytes, other, heldMaxBytes);
        }

        /// With another bound of what all connections hold.
        public Buffers withHeldMaxBytes(long other) {
            return new Buffers(readBytes, unsentMaxBytes, turnBytes, other);
        }
    }

    /// Bounds of application code. How many Workers there are is bounded by
    /// [Counts#exchangesMax]: a request counts until its Worker has ended.
    ///
    /// @param startNanos how long a Worker, or a task on `ExecutorKind.BLOCKING`, may wait for its start; past
    ///     it 503
    /// @param keptThreadsMax threads that application code may keep at a time, by computing or in
    ///     calls that do not return; past it 503 for whatever needs a Worker. With 0 no loop is ever
    ///     preempted: application code that computes holds up its loop, which is of use for comparison
    /// @param poolThreadsMax threads for Workers that a loop should not carry, or for all of them
    ///     where Workers are platform threads; past it they wait
    public record Workers(long startNanos, int keptThreadsMax, int poolThreadsMax) {
        /// 10 s, 256, 64.
        public static final Workers DEFAULT = new Workers(SECONDS.toNanos(10), 256, 64);

        /// With another time to wait for a start.
        public Workers withStartNanos(long other) {
            return new Workers(other, keptThreadsMax, poolThreadsMax);
        }

        /// With another number of threads that may be kept.
        public Workers withKeptThreadsMax(int other) {
            return new Workers(startNanos, other, poolThreadsMax);
        }

        /// With another number of threads of the pool.
        public Workers withPoolThreadsMax(int other) {
            return new Workers(startNanos, keptThreadsMax, other);
        }
    }
}
