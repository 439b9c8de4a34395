package dev.serval.handler;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A piece of content to send. A [Sink] borrows its buffer or file until `released` runs. That
/// happens once, on the loop, after the bytes were sent, copied or dropped: perhaps within the call that
/// writes the piece, so `released` must not write to the response or end it. Immutable.
public sealed interface Body {
    /// Returns the length of this piece in bytes.
    long length();

    /// Returns the callback that runs when the buffer or file is free again, or null.
    @Nullable Runnable released();

    /// Runs the callback of [#released], if there is one. The component that sends the piece calls it once.
    default void release() {
        @Nullable Runnable free = released();
        if (free != null) {
            free.run();
        }
    }

    /// Returns `length` bytes of this piece from `from` on, with another callback. The lender still
    /// waits for the callback of the whole piece.
    Body part(long from, long length, @Nullable Runnable released);

    /// An empty piece.
    record Empty() implements Body {
        /// The only instance needed.
        public static final Empty EMPTY = new Empty();

        @Override
        public long length() {
            return 0;
        }

        @Override
        public @Nullable Runnable released() {
            return null;
        }

        @Override
        public Body part(long from, long length, @Nullable Runnable released) {
            return this;
        }
    }

    /// Bytes in memory, from the buffer's position to its limit. Neither is changed, so many
    /// exchanges may borrow one buffer at once. The owner must not change the buffer or its bytes
    /// before the last `released` has run.
    ///
    /// The owner chooses how long the buffer is, and a client that reads gets it at any length. Over
    /// HTTP/2, where many responses can wait on one connection, heap buffers that wait count as memory of
    /// the connection: those of one response up to `Limits.Buffers.unsentMaxBytes`, and less the more the
    /// client takes. Over HTTP/1.1, one of more than 32 KiB does not count. A read-only buffer counts for
    /// none: it is taken for memory that many connections share, such as a cached file.
    ///
    /// @param buffer heap or direct
    /// @param released see [Body#released]
    record Bytes(ByteBuffer buffer, @Nullable Runnable released) implements Body {
        @Override
        public long length() {
            return buffer.remaining();
        }

        @Override
        public Body part(long from, long length, @Nullable Runnable released) {
            int first = buffer.position() + (int) from;
            return new Bytes(
                    buffer.duplicate().limit(first + (int) length).position(first), released);
        }

        /// Creates a piece without a `released` callback.
        public static Bytes of(byte[] bytes) {
            return new Bytes(ByteBuffer.wrap(bytes), null);
        }
    }

    /// Bytes that a channel holds ready, so that reading them never waits, such as a pipe of the system
    /// into which a socket's bytes were moved. The transport moves them on without copying them into
    /// the JVM if it can.
    ///
    /// @param source has exactly `length` bytes
    /// @param released see [Body#released]
    record Held(ReadableByteChannel source, long length, @Nullable Runnable released)
            implements Body {
        /// Returns the next `length` bytes. Parts must be taken in their order.
        @Override
        public Body part(long from, long length, @Nullable Runnable released) {
            return new Held(source, length, released);
        }
    }

    /// Bytes of a file. The transport sends them without copying them into the JVM if it can.
    ///
    /// @param file stays open until released; its position is not used
    /// @param position index of the first byte
    /// @param length number of bytes
    /// @param released see [Body#released]
    /// @param intact returns whether the file still has the bytes that the response promised, or
    ///     null if no other process changes it. A [Sink] that sends the region in several pieces
    ///     asks before each piece but the first, and ends the connection if it returns false.
    record FileRegion(
            FileChannel file,
            long position,
            long length,
            @Nullable Runnable released,
            @Nullable BooleanSupplier intact)
            implements Body {
        /// Makes a region of a file that no other process changes.
        public FileRegion(
                FileChannel file, long position, long length, @Nullable Runnable released) {
            this(file, position, length, released, null);
        }

        /// Checks the region's numbers.
        public FileRegion {
            if (position < 0 || length < 0) {
                throw new IllegalArgumentException(
                        "A file region must not have a negative position or length: "
                                + position
                                + ", "
                                + length);
            }
        }

        @Override
        public Body part(long from, long length, @Nullable Runnable released) {
            return new FileRegion(file, position + from, length, released, intact);
        }
    }
}
