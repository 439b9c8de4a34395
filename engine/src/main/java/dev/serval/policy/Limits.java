package dev.serval.policy;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import dev.serval.handler.RequestRate;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Holds every limit of a listener, with its default. Immutable; [#with] returns a changed copy.
///
/// @param head the limits of request heads
/// @param content the limits of request content
/// @param pace the limits of time
/// @param counts the limits of connections and requests
/// @param buffers the limits of memory
/// @param workers the limits of application code
/// @param load the load modes
/// @param rate how fast each client may send requests
/// @param http2 the limits of HTTP/2 connections
public record Limits(
        Heads head,
        Contents content,
        Paces pace,
        Counts counts,
        Buffers buffers,
        Workers workers,
        Loads load,
        Rates rate,
        Http2Limits http2) {
    /// The limits of a server that is not configured.
    public static final Limits DEFAULT =
            new Limits(
                    Heads.DEFAULT,
                    Contents.DEFAULT,
                    Paces.DEFAULT,
                    Counts.DEFAULT,
                    Buffers.DEFAULT,
                    Workers.DEFAULT,
                    Loads.DEFAULT,
                    Rates.NONE,
                    Http2Limits.DEFAULT);

    /// Returns a copy in which `change` has set some limits, such as
    /// `limits.with(draft -> draft.content.maxBytes = 1L << 30)`.
    public Limits with(Consumer<Limits.Draft> change) {
        return changed(new Limits.Draft(this), change).build();
    }

    /// Returns a draft after `change` has set some of its limits.
    private static <D> D changed(D draft, Consumer<D> change) {
        change.accept(draft);
        return draft;
    }

    /// Limits while they are chosen. Each is a field, so that wherever a number is set, its name stands
    /// beside it. Used by one thread, within [#with].
    public static final class Draft {
        public final Heads.Draft head;
        public final Contents.Draft content;
        public final Paces.Draft pace;
        public final Counts.Draft counts;
        public final Buffers.Draft buffers;
        public final Workers.Draft workers;
        public final Loads.Draft load;
        public final Rates.Draft rate;
        public final Http2Limits.Draft http2;

        private Draft(Limits limits) {
            head = limits.head.draft();
            content = limits.content.draft();
            pace = limits.pace.draft();
            counts = limits.counts.draft();
            buffers = limits.buffers.draft();
            workers = limits.workers.draft();
            load = limits.load.draft();
            rate = limits.rate.draft();
            http2 = limits.http2.draft();
        }

        private Limits build() {
            return new Limits(
                    head.build(),
                    content.build(),
                    pace.build(),
                    counts.build(),
                    buffers.build(),
                    workers.build(),
                    load.build(),
                    rate.build(),
                    http2.build());
        }
    }

    /// The limits of a request head.
    ///
    /// @param lineMaxBytes bytes of the request line without its line end; past it 414
    /// @param maxBytes bytes of the request line and all fields with their line ends; past it 431
    /// @param fieldsMax number of fields; past it 431
    public record Heads(int lineMaxBytes, int maxBytes, int fieldsMax) {
        /// 8 KiB, 32 KiB, 100.
        public static final Heads DEFAULT = new Heads.Draft().build();

        /// Returns a copy in which `change` has set some limits.
        public Heads with(Consumer<Heads.Draft> change) {
            return changed(draft(), change).build();
        }

        private Heads.Draft draft() {
            Heads.Draft draft = new Heads.Draft();
            draft.lineMaxBytes = lineMaxBytes;
            draft.maxBytes = maxBytes;
            draft.fieldsMax = fieldsMax;
            return draft;
        }

        /// These limits while they are chosen, with the defaults at first.
        public static final class Draft {
            public int lineMaxBytes = 8 << 10;
            public int maxBytes = 32 << 10;
            public int fieldsMax = 100;

            private Draft() {}

            private Heads build() {
                return new Heads(lineMaxBytes, maxBytes, fieldsMax);
            }
        }
    }

    /// The limits of request content.
    ///
    /// @param maxBytes bytes of content without its framing; past it 413
    /// @param mountMaxBytes the most that a mount may allow in place of `maxBytes`; 0 for no more than
    ///     that
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
            long mountMaxBytes,
            long discardMaxBytes,
            int chunkLineMaxBytes,
            int chunkExtensionsMaxBytes,
            int trailersMaxBytes,
            int trailersMax,
            long lingerMaxBytes) {
        /// 10 MiB, none, 256 KiB, 256 B, 8 KiB, 8 KiB, 32, 16 MiB.
        public static final Contents DEFAULT = new Contents.Draft().build();

        /// Returns the most bytes that any request may have.
        public long mostBytes() {
            return Math.max(maxBytes, mountMaxBytes);
        }

        /// Returns a copy in which `change` has set some limits.
        public Contents with(Consumer<Contents.Draft> change) {
            return changed(draft(), change).build();
        }

        private Contents.Draft draft() {
            Contents.Draft draft = new Contents.Draft();
            draft.maxBytes = maxBytes;
            draft.mountMaxBytes = mountMaxBytes;
            draft.discardMaxBytes = discardMaxBytes;
            draft.chunkLineMaxBytes = chunkLineMaxBytes;
            draft.chunkExtensionsMaxBytes = chunkExtensionsMaxBytes;
            draft.trailersMaxBytes = trailersMaxBytes;
            draft.trailersMax = trailersMax;
            draft.lingerMaxBytes = lingerMaxBytes;
            return draft;
        }

        /// These limits while they are chosen, with the defaults at first.
        public static final class Draft {
            public long maxBytes = 10L << 20;
            public long mountMaxBytes = 0;
            public long discardMaxBytes = 256L << 10;
            public int chunkLineMaxBytes = 256;
            public int chunkExtensionsMaxBytes = 8 << 10;
            public int trailersMaxBytes = 8 << 10;
            public int trailersMax = 32;
            public long lingerMaxBytes = 16L << 20;

            private Draft() {}

            private Contents build() {
                return new Contents(
                        maxBytes,
                        mountMaxBytes,
                        discardMaxBytes,
                        chunkLineMaxBytes,
                        chunkExtensionsMaxBytes,
                        trailersMaxBytes,
                        trailersMax,
                        lingerMaxBytes);
            }
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
    /// @param stallNanos how long the peer may take no unsent byte, leave a window of HTTP/2 used up, or
    ///     send no byte of awaited content
    /// @param lingerNanos how long a closing connection is read, so that the peer can read our
    ///     answer; up to 15 times in a row if 64 KiB come each time
    /// @param exchangeNanos how long an exchange may take from its head to the end of its response;
    ///     0 for no limit
    /// @param lastRequestNanos how long an idle connection may send one more request while the
    ///     server drains, at least, and at most twice as long
    /// @param executorWaitNanos how long a response that has begun may wait for room at an
    ///     executor; past it the exchange is aborted
    /// @param handshakeNanos how long a TLS handshake may take, from accept; past it a close
    public record Paces(
            long headNanos,
            long idleNanos,
            long graceNanos,
            long minBytesPerSecond,
            long stallNanos,
            long lingerNanos,
            long exchangeNanos,
            long lastRequestNanos,
            long executorWaitNanos,
            long handshakeNanos) {
        /// 10 s, 75 s, 5 s, 240 B/s, 30 s, 2 s, none, 0.5 s, 30 s, 10 s.
        public static final Paces DEFAULT = new Paces.Draft().build();

        /// Returns a copy in which `change` has set some limits.
        public Paces with(Consumer<Paces.Draft> change) {
            return changed(draft(), change).build();
        }

        private Paces.Draft draft() {
            Paces.Draft draft = new Paces.Draft();
            draft.headNanos = headNanos;
            draft.idleNanos = idleNanos;
            draft.graceNanos = graceNanos;
            draft.minBytesPerSecond = minBytesPerSecond;
            draft.stallNanos = stallNanos;
            draft.lingerNanos = lingerNanos;
            draft.exchangeNanos = exchangeNanos;
            draft.lastRequestNanos = lastRequestNanos;
            draft.executorWaitNanos = executorWaitNanos;
            draft.handshakeNanos = handshakeNanos;
            return draft;
        }

        /// These limits while they are chosen, with the defaults at first.
        public static final class Draft {
            public long headNanos = SECONDS.toNanos(10);
            public long idleNanos = SECONDS.toNanos(75);
            public long graceNanos = SECONDS.toNanos(5);
            public long minBytesPerSecond = 240;
            public long stallNanos = SECONDS.toNanos(30);
            public long lingerNanos = SECONDS.toNanos(2);
            public long exchangeNanos = 0;
            public long lastRequestNanos = MILLISECONDS.toNanos(500);
            public long executorWaitNanos = SECONDS.toNanos(30);
            public long handshakeNanos = SECONDS.toNanos(10);

            private Draft() {}

            private Paces build() {
                return new Paces(
                        headNanos,
                        idleNanos,
                        graceNanos,
                        minBytesPerSecond,
                        stallNanos,
                        lingerNanos,
                        exchangeNanos,
                        lastRequestNanos,
                        executorWaitNanos,
                        handshakeNanos);
            }
        }
    }

    /// The limits of numbers.
    ///
    /// @param connectionsMax open connections of the server; past it new ones are reset
    /// @param perAddressMax open connections of one client address (for IPv6, of its first 64 bits), or
    ///     0 for no limit; past it new ones are reset
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
        public static final Counts DEFAULT = new Counts.Draft().build();

        /// Returns a copy in which `change` has set some limits.
        public Counts with(Consumer<Counts.Draft> change) {
            return changed(draft(), change).build();
        }

        private Counts.Draft draft() {
            Counts.Draft draft = new Counts.Draft();
            draft.connectionsMax = connectionsMax;
            draft.perAddressMax = perAddressMax;
            draft.exchangesMax = exchangesMax;
            draft.requestsPerConnectionMax = requestsPerConnectionMax;
            draft.requestsPerTurnMax = requestsPerTurnMax;
            return draft;
        }

        /// These limits while they are chosen, with the defaults at first.
        public static final class Draft {
            public int connectionsMax = 20_000;
            public int perAddressMax = 0;
            public int exchangesMax = 10_000;
            public long requestsPerConnectionMax = 0;
            public int requestsPerTurnMax = 256;

            private Draft() {}

            private Counts build() {
                return new Counts(
                        connectionsMax,
                        perAddressMax,
                        exchangesMax,
                        requestsPerConnectionMax,
                        requestsPerTurnMax);
            }
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
    /// @param compressorsMax responses that one loop compresses at the same time, each with 264 KiB;
    ///     past it they are sent as they are
    public record Buffers(
            int readBytes,
            int unsentMaxBytes,
            int turnBytes,
            long heldMaxBytes,
            int compressorsMax) {
        /// 64 KiB, 64 KiB, 128 KiB, 256 MiB, 64.
        public static final Buffers DEFAULT = new Buffers.Draft().build();

        /// Returns a copy in which `change` has set some limits.
        public Buffers with(Consumer<Buffers.Draft> change) {
            return changed(draft(), change).build();
        }

        private Buffers.Draft draft() {
            Buffers.Draft draft = new Buffers.Draft();
            draft.readBytes = readBytes;
            draft.unsentMaxBytes = unsentMaxBytes;
            draft.turnBytes = turnBytes;
            draft.heldMaxBytes = heldMaxBytes;
            draft.compressorsMax = compressorsMax;
            return draft;
        }

        /// These limits while they are chosen, with the defaults at first.
        public static final class Draft {
            public int readBytes = 64 << 10;
            public int unsentMaxBytes = 64 << 10;
            public int turnBytes = 128 << 10;
            public long heldMaxBytes = 256L << 20;
            public int compressorsMax = 64;

            private Draft() {}

            private Buffers build() {
                return new Buffers(
                        readBytes, unsentMaxBytes, turnBytes, heldMaxBytes, compressorsMax);
            }
        }
    }

    /// The limits of application code. [Counts#exchangesMax] bounds the number of Workers, because
    /// a request counts until its Worker has ended.
    ///
    /// @param workingMax Workers of new requests that work at once, from their begin to their end,
    ///     equally divided among the loops; past it, others wait. At least 1. From 8 for each loop on,
    ///     an eighth of them is for requests that are short
    /// @param startNanos how long a Worker, or a task on `ExecutorKind.BLOCKING`, may wait for its
    ///     start; past it 503
    /// @param keptThreadsMax threads that application code may keep at a time, by computing or in
    ///     calls that do not return; past it 503 for requests that need a Worker. With 0 no loop is
    ///     ever preempted, so application code that computes holds up its loop. That is useful only
    ///     for comparison
    /// @param poolThreadsMax threads for Workers that a loop should not carry, or for all Workers
    ///     if they are platform threads; past it Workers wait
    public record Workers(int workingMax, long startNanos, int keptThreadsMax, int poolThreadsMax) {
        /// No limit, 10 s, 256, 64.
        public static final Workers DEFAULT = new Workers.Draft().build();

        /// Returns a copy in which `change` has set some limits.
        public Workers with(Consumer<Workers.Draft> change) {
            return changed(draft(), change).build();
        }

        private Workers.Draft draft() {
            Workers.Draft draft = new Workers.Draft();
            draft.workingMax = workingMax;
            draft.startNanos = startNanos;
            draft.keptThreadsMax = keptThreadsMax;
            draft.poolThreadsMax = poolThreadsMax;
            return draft;
        }

        /// These limits while they are chosen, with the defaults at first.
        public static final class Draft {
            public int workingMax = Integer.MAX_VALUE;
            public long startNanos = SECONDS.toNanos(10);
            public int keptThreadsMax = 256;
            public int poolThreadsMax = 64;

            private Draft() {}

            private Workers build() {
                return new Workers(workingMax, startNanos, keptThreadsMax, poolThreadsMax);
            }
        }
    }

    /// The load modes.
    ///
    /// @param light the settings of [LoadMode#LIGHT], which applies below the other modes
    /// @param normal when [LoadMode#NORMAL] begins, and its settings
    /// @param heavy likewise, of [LoadMode#HEAVY]
    /// @param critical likewise, of [LoadMode#CRITICAL]
    /// @param forced the mode in force whatever the load is; null for that of the load
    /// @param refusingPercent the part of its time that a loop may spend on refusing requests
    ///     because of the load; past it, accepting pauses
    /// @param resets whether such a refusal resets the connection, in place of 503
    public record Loads(
            LoadRow light,
            LoadRow normal,
            LoadRow heavy,
            LoadRow critical,
            @Nullable LoadMode forced,
            int refusingPercent,
            boolean resets) {
        /// From 5 ms, 20 ms, 500 ms of delay or 50, 80, 95 percent of the connections.
        public static final Loads DEFAULT = new Loads.Draft().build();

        /// Checks the number.
        public Loads {
            if (refusingPercent < 1 || refusingPercent > 100) {
                throw new IllegalArgumentException(
                        "The part of the time for refusals must be from 1 to 100 percent, not "
                                + refusingPercent);
            }
        }

        /// Returns the settings of a mode, or those of the forced one.
        public LoadRow row(LoadMode mode) {
            @Nullable LoadMode fixed = forced;
            return switch (fixed == null ? mode : fixed) {
                case LIGHT -> light;
                case NORMAL -> normal;
                case HEAVY -> heavy;
                case CRITICAL -> critical;
            };
        }

        /// Returns a copy in which `change` has set some values.
        public Loads with(Consumer<Loads.Draft> change) {
            return changed(draft(), change).build();
        }

        private Loads.Draft draft() {
            Loads.Draft draft = new Loads.Draft();
            draft.light = light;
            draft.normal = normal;
            draft.heavy = heavy;
            draft.critical = critical;
            draft.forced = forced;
            draft.refusingPercent = refusingPercent;
            draft.resets = resets;
            return draft;
        }

        /// These settings while they are chosen, with the defaults at first.
        public static final class Draft {
            private static final long DAY_SECONDS = 86_400; // so that only Paces.idleNanos applies

            public LoadRow light = row(0, 0, DAY_SECONDS, true, 2000, 3000);
            public LoadRow normal = row(5, 50, 30, true, 2000, 3000);
            public LoadRow heavy = row(20, 80, 5, true, 2000, 3000);
            public LoadRow critical = row(500, 95, 1, false, 100, 3000);
            public @Nullable LoadMode forced = null;
            public int refusingPercent = 10;
            public boolean resets = false;

            private Draft() {}

            private static LoadRow row(
                    long delayMillis,
                    int connectionsPercent,
                    long idleSeconds,
                    boolean persistent,
                    long waitMillis,
                    long returningMillis) {
                return new LoadRow(
                        MILLISECONDS.toNanos(delayMillis),
                        connectionsPercent,
                        SECONDS.toNanos(idleSeconds),
                        persistent,
                        MILLISECONDS.toNanos(waitMillis),
                        MILLISECONDS.toNanos(returningMillis));
            }

            private Loads build() {
                return new Loads(light, normal, heavy, critical, forced, refusingPercent, resets);
            }
        }
    }

    /// The rate at which each client address may send requests.
    ///
    /// @param requests how many in `perNanos`; past it 429; 0 for no limit
    /// @param perNanos the time in which that many may come
    /// @param burst how many may come at once
    /// @param clientsMax how many clients are remembered; past it, those that send least are forgotten
    /// @param except the addresses without this limit
    public record Rates(
            int requests, long perNanos, int burst, int clientsMax, List<AddressRange> except) {
        /// No limit.
        public static final Rates NONE = new Rates.Draft().build();

        /// Copies the list.
        public Rates {
            except = List.copyOf(except);
        }

        /// Returns the clients of a limit that begins now; null if there is none.
        public @Nullable RequestRate begin() {
            List<AddressRange> free = except;
            return requests == 0
                    ? null
                    : new RequestRate(
                            requests,
                            perNanos,
                            burst,
                            clientsMax,
                            client -> AddressRange.contain(free, client));
        }

        /// Returns a copy in which `change` has set some values.
        public Rates with(Consumer<Rates.Draft> change) {
            return changed(draft(), change).build();
        }

        private Rates.Draft draft() {
            Rates.Draft draft = new Rates.Draft();
            draft.requests = requests;
            draft.perNanos = perNanos;
            draft.burst = burst;
            draft.clientsMax = clientsMax;
            draft.except = except;
            return draft;
        }

        /// These limits while they are chosen, with the defaults at first.
        public static final class Draft {
            public int requests = 0;
            public long perNanos = SECONDS.toNanos(1);
            public int burst = 1;
            public int clientsMax = 16_384;
            public List<AddressRange> except = List.of();

            private Draft() {}

            private Rates build() {
                return new Rates(requests, perNanos, burst, clientsMax, except);
            }
        }
    }
}
