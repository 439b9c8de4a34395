package dev.serval.policy;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

/// Holds every limit of a listener, with its default. Immutable. The `with…` methods return a copy
/// with one limit changed.
///
/// @param head the limits of request heads
/// @param content the limits of request content
/// @param pace the limits of time
/// @param counts the limits of connections and requests
/// @param buffers the limits of memory
/// @param workers the limits of application code
public record Limits(
        Heads head, Contents content, Paces pace, Counts counts, Buffers buffers, Workers workers) {
    /// The limits of a server that is not configured.
    public static final Limits DEFAULT =
            new Limits(
                    Heads.DEFAULT,
                    Contents.DEFAULT,
                    Paces.DEFAULT,
                    Counts.DEFAULT,
                    Buffers.DEFAULT,
                    Workers.DEFAULT);

    /// Returns a copy with other limits of heads.
    public Limits withHead(Heads other) {
        return new Limits(other, content, pace, counts, buffers, workers);
    }

    /// Returns a copy with other limits of content.
    public Limits withContent(Contents other) {
        return new Limits(head, other, pace, counts, buffers, workers);
    }

    /// Returns a copy with other limits of time.
    public Limits withPace(Paces other) {
        return new Limits(head, content, other, counts, buffers, workers);
    }

    /// Returns a copy with other limits of connections and requests.
    public Limits withCounts(Counts other) {
        return new Limits(head, content, pace, other, buffers, workers);
    }

    /// Returns a copy with other limits of memory.
    public Limits withBuffers(Buffers other) {
        return new Limits(head, content, pace, counts, other, workers);
    }

    /// Returns a copy with other limits of application code.
    public Limits withWorkers(Workers other) {
        return new Limits(head, content, pace, counts, buffers, other);
    }

    /// The limits of a request head.
    ///
    /// @param lineMaxBytes bytes of the request line without its line end; past it 414
    /// @param maxBytes bytes of the request line and all fields with their line ends; past it 431
    /// @param fieldsMax number of fields; past it 431
    public record Heads(int lineMaxBytes, int maxBytes, int fieldsMax) {
        /// 8 KiB, 32 KiB, 100.
        public static final Heads DEFAULT = new Heads(8 << 10, 32 << 10, 100);

        /// Returns a copy with another limit of the request line.
        public Heads withLineMaxBytes(int other) {
            return new Heads(other, maxBytes, fieldsMax);
        }

        /// Returns a copy with another limit of the whole head.
        public Heads withMaxBytes(int other) {
            return new Heads(lineMaxBytes, other, fieldsMax);
        }

        /// Returns a copy with another limit of the number of fields.
        public Heads withFieldsMax(int other) {
            return new Heads(lineMaxBytes, maxBytes, other);
        }
    }

    /// The limits of request content.
    ///
    /// @param maxBytes bytes of content without its framing; past it 413
    /// @param discardMaxBytes bytes of unread content that are read and dropped, so that the
    ///     connection can serve another request; past it the connection closes
    /// @param chunkLineMaxBytes bytes of a chunk's size line with its extensions and line end; past
    ///     it 400
    /// @param chunkExtensionsMaxBytes bytes of all chunk extensions of a message; past it 400
    /// @param trailersMaxBytes bytes of all trailer fields; past it 431
    /// @param trailersMax number of trailer fields; past it 431
    /// @param lingerMaxBytes bytes read from a closing connection in addition to `maxBytes`, so
    ///     that the peer can read our answer; past it the connection closes
    public record Contents(
            long maxBytes,
            long discardMaxBytes,
            int chunkLineMaxBytes,
            int chunkExtensionsMaxBytes,
            int trailersMaxBytes,
            int trailersMax,
            long lingerMaxBytes) {
        /// 10 MiB, 256 KiB, 256 B, 8 KiB, 8 KiB, 32, 16 MiB.
        public static final Contents DEFAULT =
                new Contents(10L << 20, 256L << 10, 256, 8 << 10, 8 << 10, 32, 16L << 20);

        /// Returns a copy with another limit of the content itself.
        public Contents withMaxBytes(long other) {
            return new Contents(
                    other,
                    discardMaxBytes,
                    chunkLineMaxBytes,
                    chunkExtensionsMaxBytes,
                    trailersMaxBytes,
                    trailersMax,
                    lingerMaxBytes);
        }

        /// Returns a copy with another limit of content that is read and dropped.
        public Contents withDiscardMaxBytes(long other) {
            return new Contents(
                    maxBytes,
                    other,
                    chunkLineMaxBytes,
                    chunkExtensionsMaxBytes,
                    trailersMaxBytes,
                    trailersMax,
                    lingerMaxBytes);
        }

        /// Returns a copy with another limit of a chunk's size line.
        public Contents withChunkLineMaxBytes(int other) {
            return new Contents(
                    maxBytes,
                    discardMaxBytes,
                    other,
                    chunkExtensionsMaxBytes,
                    trailersMaxBytes,
                    trailersMax,
                    lingerMaxBytes);
        }

        /// Returns a copy with another limit of all chunk extensions together.
        public Contents withChunkExtensionsMaxBytes(int other) {
            return new Contents(
                    maxBytes,
                    discardMaxBytes,
                    chunkLineMaxBytes,
                    other,
                    trailersMaxBytes,
                    trailersMax,
                    lingerMaxBytes);
        }

        /// Returns a copy with another limit of all trailer fields together.
        public Contents withTrailersMaxBytes(int other) {
            return new Contents(
                    maxBytes,
                    discardMaxBytes,
                    chunkLineMaxBytes,
                    chunkExtensionsMaxBytes,
                    other,
                    trailersMax,
                    lingerMaxBytes);
        }

        /// Returns a copy with another limit of the number of trailer fields.
        public Contents withTrailersMax(int other) {
            return new Contents(
                    maxBytes,
                    discardMaxBytes,
                    chunkLineMaxBytes,
                    chunkExtensionsMaxBytes,
                    trailersMaxBytes,
                    other,
                    lingerMaxBytes);
        }

        /// Returns a copy with another limit of bytes read from a closing connection.
        public Contents withLingerMaxBytes(long other) {
            return new Contents(
                    maxBytes,
                    discardMaxBytes,
                    chunkLineMaxBytes,
                    chunkExtensionsMaxBytes,
                    trailersMaxBytes,
                    trailersMax,
                    other);
        }
    }

    /// The limits of time, in nanoseconds.
    ///
    /// @param headNanos how long a request head may take from its first byte, or from accept on a
    ///     new connection; past it 408, or a close if no byte was received
    /// @param idleNanos how long a keep-alive connection may wait for a request
    /// @param graceNanos how long the peer may stay below the minimum rate at the start
    /// @param minBytesPerSecond the minimum rate at which the peer sends content and takes
    ///     responses, measured while we wait for it
    /// @param stallNanos how long the peer may take no unsent byte, or send no byte of awaited
    ///     content
    /// @param lingerNanos how long a closing connection is read, so that the peer can read our
    ///     answer
    /// @param exchangeNanos how long an exchange may take from its head to the end of its response;
    ///     0 for no limit
    /// @param lastRequestNanos how long an idle connection may send one more request while the
    ///     server drains
    /// @param executorWaitNanos how long a response that has begun may wait for room at an
    ///     executor; past it the exchange is aborted
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

        /// Returns a copy with another time for a head.
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

        /// Returns a copy with another time between requests.
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

        /// Returns a copy with another grace.
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

        /// Returns a copy with another minimum rate.
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

        /// Returns a copy with another time for a peer that moves no byte.
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

        /// Returns a copy with another time for a closing connection.
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

        /// Returns a copy with another time for a whole exchange; 0 for no limit.
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

        /// Returns a copy with another time for the last request of a drain.
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

        /// Returns a copy with another time to wait for room at an executor.
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

    /// The limits of numbers.
    ///
    /// @param connectionsMax open connections of the server; past it new ones are reset
    /// @param perAddressMax open connections of one client address, or 0 for no limit; past it new
    ///     ones are reset
    /// @param exchangesMax requests in progress of the server; past it 503
    /// @param requestsPerConnectionMax requests that one connection serves; 0 for no limit
    /// @param requestsPerTurnMax pipelined requests that one connection serves before other
    ///     connections have their turn
    public record Counts(
            int connectionsMax,
            int perAddressMax,
            int exchangesMax,
            long requestsPerConnectionMax,
            int requestsPerTurnMax) {
        /// 20,000, no limit, 10,000, no limit, 256.
        public static final Counts DEFAULT = new Counts(20_000, 0, 10_000, 0, 256);

        /// Returns a copy with another limit of connections.
        public Counts withConnectionsMax(int other) {
            return new Counts(
                    other,
                    perAddressMax,
                    exchangesMax,
                    requestsPerConnectionMax,
                    requestsPerTurnMax);
        }

        /// Returns a copy with another limit of connections of one client address; 0 for no limit.
        public Counts withPerAddressMax(int other) {
            return new Counts(
                    connectionsMax,
                    other,
                    exchangesMax,
                    requestsPerConnectionMax,
                    requestsPerTurnMax);
        }

        /// Returns a copy with another limit of requests in progress.
        public Counts withExchangesMax(int other) {
            return new Counts(
                    connectionsMax,
                    perAddressMax,
                    other,
                    requestsPerConnectionMax,
                    requestsPerTurnMax);
        }

        /// Returns a copy with another limit of requests of a connection; 0 for no limit.
        public Counts withRequestsPerConnectionMax(long other) {
            return new Counts(
                    connectionsMax, perAddressMax, exchangesMax, other, requestsPerTurnMax);
        }

        /// Returns a copy with another limit of requests of a connection in a turn.
        public Counts withRequestsPerTurnMax(int other) {
            return new Counts(
                    connectionsMax, perAddressMax, exchangesMax, requestsPerConnectionMax, other);
        }
    }

    /// The limits of memory.
    ///
    /// @param readBytes bytes of a loop's read buffer, which bounds one read of a connection
    /// @param unsentMaxBytes unsent bytes of an exchange at which its writer should pause
    /// @param turnBytes bytes of a loop's buffer that gathers the answers of one connection before
    ///     they are sent
    /// @param heldMaxBytes bytes that all connections of the server hold in heads that are
    ///     incomplete or in use, early input, and answers that were not taken; past it the
    ///     connections that hold most end
    public record Buffers(int readBytes, int unsentMaxBytes, int turnBytes, long heldMaxBytes) {
        /// 64 KiB, 64 KiB, 128 KiB, 256 MiB.
        public static final Buffers DEFAULT =
                new Buffers(64 << 10, 64 << 10, 128 << 10, 256L << 20);

        /// Returns a copy with another size of a loop's read buffer.
        public Buffers withReadBytes(int other) {
            return new Buffers(other, unsentMaxBytes, turnBytes, heldMaxBytes);
        }

        /// Returns a copy with another limit of unsent bytes.
        public Buffers withUnsentMaxBytes(int other) {
            return new Buffers(readBytes, other, turnBytes, heldMaxBytes);
        }

        /// Returns a copy with another size of a loop's buffer for answers.
        public Buffers withTurnBytes(int other) {
            return new Buffers(readBytes, unsentMaxBytes, other, heldMaxBytes);
        }

        /// Returns a copy with another limit of what all connections hold.
        public Buffers withHeldMaxBytes(long other) {
            return new Buffers(readBytes, unsentMaxBytes, turnBytes, other);
        }
    }

    /// The limits of application code. [Counts#exchangesMax] bounds the number of Workers, because
    /// a request counts until its Worker has ended.
    ///
    /// @param startNanos how long a Worker, or a task on `ExecutorKind.BLOCKING`, may wait for its
    ///     start; past it 503
    /// @param keptThreadsMax threads that application code may keep at a time, by computing or in
    ///     calls that do not return; past it 503 for requests that need a Worker. With 0 no loop is
    ///     ever preempted, so application code that computes holds up its loop. That is useful only
    ///     for comparison
    /// @param poolThreadsMax threads for Workers that a loop should not carry, or for all Workers
    ///     if they are platform threads; past it Workers wait
    public record Workers(long startNanos, int keptThreadsMax, int poolThreadsMax) {
        /// 10 s, 256, 64.
        public static final Workers DEFAULT = new Workers(SECONDS.toNanos(10), 256, 64);

        /// Returns a copy with another time to wait for a start.
        public Workers withStartNanos(long other) {
            return new Workers(other, keptThreadsMax, poolThreadsMax);
        }

        /// Returns a copy with another limit of kept threads.
        public Workers withKeptThreadsMax(int other) {
            return new Workers(startNanos, other, poolThreadsMax);
        }

        /// Returns a copy with another limit of threads in the pool.
        public Workers withPoolThreadsMax(int other) {
            return new Workers(startNanos, keptThreadsMax, other);
        }
    }
}
