package dev.serval.bench.hello;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/// The ways in which application code keeps its thread for a while. All except `SLEEP` also keep
/// the thread's carrier.
public enum Hog {
    /// Computes for 50 ms by the clock.
    SPIN {
        @Override
        void run(Path root) {
            long start = System.nanoTime();
            while (System.nanoTime() - start < KEPT_NANOS) {
                Thread.onSpinWait();
            }
        }
    },
    /// Waits in a native function for 50 ms. A virtual thread cannot leave its carrier meanwhile.
    PIN {
        @Override
        void run(Path root) {
            Native.sleepMicros((int) (KEPT_NANOS / 1000));
        }
    },
    /// Parks for 100 ms, which keeps no carrier.
    SLEEP {
        @Override
        void run(Path root) throws InterruptedException {
            Thread.sleep(SLEEP_MILLIS);
        }
    },
    /// Reads a large file that is in the page cache.
    READ {
        @Override
        void run(Path root) throws IOException {
            byte[] piece = new byte[PIECE_BYTES];
            try (InputStream in = Files.newInputStream(root.resolve(FILE))) {
                int read = in.read(piece);
                while (read >= 0) {
                    read = in.read(piece);
                }
            }
        }
    };

    /// The file that [#READ] reads, in the document root.
    public static final String FILE = "8m.bin";

    private static final long KEPT_NANOS = 50_000_000;
    private static final int SLEEP_MILLIS = 100;
    private static final int PIECE_BYTES = 64 << 10;

    /// Returns the path at which [HelloServer] runs it.
    public String path() {
        return "/" + name().toLowerCase(Locale.ROOT);
    }

    /// Keeps the thread once.
    abstract void run(Path root) throws IOException, InterruptedException;

    /// Calls the C library's `usleep`, which is looked up on first use.
    private static final class Native {
        private static final MethodHandle USLEEP = usleep();

        static void sleepMicros(int micros) {
            try {
                int result = (int) USLEEP.invokeExact(micros);
                if (result != 0) {
                    throw new IllegalStateException("usleep was interrupted");
                }
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) { // a method handle may throw anything
                throw new IllegalStateException(e);
            }
        }

        @SuppressWarnings("restricted") // the signature is the C library's
        private static MethodHandle usleep() {
            Linker linker = Linker.nativeLinker();
            return linker.downcallHandle(
                    linker.defaultLookup().findOrThrow("usleep"),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        }
    }
}
