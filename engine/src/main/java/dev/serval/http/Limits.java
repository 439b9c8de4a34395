package dev.serval.http;

import static java.util.concurrent.TimeUnit.SECONDS;

/// Every bound of a listener with its default. Immutable; change one with the `with…` methods.
///
/// @param head of request heads
/// @param content of request content
/// @param pace in time
/// @param counts of connections and requests
/// @param buffers of memory
public record Limits(Heads head, Contents content, Paces pace, Counts counts, Buffers buffers) {
    /// What a server has that was told nothing.
    public static final Limits DEFAULT =
            new Limits(
                    Heads.DEFAULT,
                    Contents.DEFAULT,
                    Paces.DEFAULT,
                    Counts.DEFAULT,
                    Buffers.DEFAULT);

    /// With other bounds of heads.
    public Limits withHead(Heads other) {
        return new Limits(other, content, pace, counts, buffers);
    }

    /// With other bounds of content.
    public Limits withContent(Contents other) {
        return new Limits(head, other, pace, counts, buffers);
    }

    /// With other bounds in time.
    public Limits withPace(Paces other) {
        return new Limits(head, content, other, counts, buffers);
    }

    /// With other bounds of connections and requests.
    public Limits withCounts(Counts other) {
        return new Limits(head, content, pace, other, buffers);
    }

    /// With other bounds of memory.
    public Limits withBuffers(Buffers other) {
        return new Limits(head, content, pace, counts, other);
    }

    /// Bounds of a request head.
    ///
    /// @param lineMaxBytes request line without its end; past it 414
    /// @param maxBytes request line and fields in all, line ends included; past it 431
    /// @param fieldsMax fields; past it 431
    public record Heads(int lineMaxBytes, int maxBytes, int fieldsMax) {
        /// 8 KiB, 32 KiB, 100.
        public static final Heads DEFAULT = new Heads(8 << 10, 32 << 10, 100);
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
    public record Contents(
            long maxBytes,
            long discardMaxBytes,
            int chunkLineMaxBytes,
            int trailersMaxBytes,
            int trailersMax) {
        /// 10 MiB, 256 KiB, 256 B, 8 KiB, 32.
        public static final Contents DEFAULT =
                new Contents(10L << 20, 256L << 10, 256, 8 << 10, 32);

        /// With another bound of the content itself.
        public Contents withMaxBytes(long other) {
            return new Contents(
                    other, discardMaxBytes, chunkLineMaxBytes, trailersMaxBytes, trailersMax);
        }
    }

    /// Bounds in time, in nanoseconds.
    ///
    /// @param headNanos a whole request head from its first octet, on a new connection from accept;
    ///     past it 408, or a close where nothing was sent
    /// @param idleNanos a kept connection without a request
    /// @param graceNanos how long content may lie below the minimum rate at its start
    /// @param minBytesPerSecond content read and responses taken, while we wait for the peer
    /// @param stallNanos unsent octets of which the peer takes none
    /// @param lingerNanos a closing connection is read on so long, that the peer can read our answer
    /// @param exchangeNanos a whole exchange from its head to the end of its response; 0 for none
    public record Paces(
            long headNanos,
            long idleNanos,
            long graceNanos,
            long minBytesPerSecond,
            long stallNanos,
            long lingerNanos,
            long exchangeNanos) {
        /// 10 s, 75 s, 5 s, 240 B/s, 30 s, 2 s, none.
        public static final Paces DEFAULT =
                new Paces(
                        SECONDS.toNanos(10),
                        SECONDS.toNanos(75),
                        SECONDS.toNanos(5),
                        240,
                        SECONDS.toNanos(30),
                        SECONDS.toNanos(2),
                        0);
    }

    /// Bounds of how many.
    ///
    /// @param connectionsMax open connections of the server; past it new ones are closed at once
    /// @param perAddressMax connections of one client address; 0 for no bound
    /// @param exchangesMax requests in progress of the server; past it 503
    /// @param requestsPerConnectionMax requests one connection serves; 0 for no bound
    public record Counts(
            int connectionsMax,
            int perAddressMax,
            int exchangesMax,
            long requestsPerConnectionMax) {
        /// 20,000, no bound, 10,000, no bound.
        public static final Counts DEFAULT = new Counts(20_000, 0, 10_000, 0);
    }

    /// Bounds of memory.
    ///
    /// @param readBytes the loop's buffer for reading: what one read of a connection takes at most
    /// @param unsentMaxBytes octets of an exchange waiting to be sent before its writer should
    ///     pause
    /// @param turnBytes answers of one connection that are gathered before they are sent
    public record Buffers(int readBytes, int unsentMaxBytes, int turnBytes) {
        /// 64 KiB, 64 KiB, 128 KiB.
        public static final Buffers DEFAULT = new Buffers(64 << 10, 64 << 10, 128 << 10);
    }
}
