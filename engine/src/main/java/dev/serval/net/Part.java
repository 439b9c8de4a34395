package dev.serval.net;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A part of an [Output]'s queue, which is sent after the shared buffer. Owned by the Output.
sealed interface Part {
    /// A buffer. After it is sent, the pool gets it back, or `released` runs.
    record Bytes(ByteBuffer buffer, boolean pooled, @Nullable Runnable released) implements Part {}

    /// Bytes in a conduit. `left` sinks as they are sent.
    final class Inside implements Part {
        final Conduit conduit;
        final @Nullable Runnable released;
        long left;

        Inside(Conduit conduit, long length, @Nullable Runnable released) {
            this.conduit = conduit;
            this.left = length;
            this.released = released;
        }
    }

    /// A region of a file. `at` advances as it is sent or read.
    final class Region implements Part {
        final FileChannel file;
        long at;
        final long end;
        final @Nullable Runnable released;
        final @Nullable BooleanSupplier intact;
        boolean begun;

        Region(
                FileChannel file,
                long at,
                long end,
                @Nullable Runnable released,
                @Nullable BooleanSupplier intact) {
            this.file = file;
            this.at = at;
            this.end = end;
            this.released = released;
            this.intact = intact;
        }

        /// Returns whether the file is still the one whose first bytes were sent.
        boolean mayContinue() {
            return !begun || intact == null || intact.getAsBoolean();
        }
    }
}
