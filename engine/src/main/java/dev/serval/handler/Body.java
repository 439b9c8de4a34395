package dev.serval.handler;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/// A piece of content on its way out. Handing one to a [Sink] lends its buffer or file until
/// `released` runs: once, on the loop, when the bytes were sent, copied or dropped. Immutable.
public sealed interface Body {
    /// Bytes in this piece.
    long length();

    /// Runs when the buffer or file is free again; null where nobody asks.
    @Nullable Runnable released();

    /// No bytes.
    record Empty() implements Body {
        /// The only one needed.
        public static final Empty EMPTY = new Empty();

        @Override
        public long length() {
            return 0;
        }

        @Override
        public @Nullable Runnable released() {
            return null;
        }
    }

    /// Bytes in memory, from the buffer's position to its limit. Neither is changed, so one buffer
    /// may be lent to many exchanges at once; nor may its owner change them or the bytes meanwhile.
    ///
    /// @param buffer heap or direct
    /// @param released see [Body#released]
    record Bytes(ByteBuffer buffer, @Nullable Runnable released) implements Body {
        @Override
        public long length() {
            return buffer.remaining();
        }

        /// Bytes nobody needs to hear of again.
        public static Bytes of(byte[] bytes) {
            return new Bytes(ByteBuffer.wrap(bytes), null);
        }
    }

    /// Bytes of a file, sent without passing through our memory where the transport can.
    ///
    /// @param file open until released; its position is not used
    /// @param position first byte
    /// @param length bytes
    /// @param released see [Body#released]
    record FileRegion(FileChannel file, long position, long length, @Nullable Runnable released)
            implements Body {
        /// Checks the region's numbers.
        public FileRegion {
            if (position < 0 || length < 0) {
                throw new IllegalArgumentException(
                        "A file region starts at 0 or later and has 0 bytes or more: "
                                + position
                                + ", "
                                + length);
            }
        }
    }
}
