package dev.serval.server;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.Optional;

/// Returns memory outside of the heap to the system that the process has freed.
///
/// The C library glibc keeps it otherwise, in an arena for each thread that has used much. In a
/// small server, what the JVM's compilers have freed after the start is a sixth of the resident
/// memory. Other C libraries have no such function, and nothing happens. Immutable.
final class NativeMemory {
    /// Time between two calls. One call takes less than a millisecond if there is little to return.
    static final Duration PAUSE = Duration.ofSeconds(5);

    private static final MethodType TRIM = MethodType.methodType(int.class, long.class);

    private final MethodHandle trim; // does nothing if there is no such function
    private final boolean available;

    /// Looks the function up.
    NativeMemory() {
        Optional<MethodHandle> found = trim();
        this.trim = found.orElse(MethodHandles.empty(TRIM));
        this.available = found.isPresent();
    }

    /// Returns whether the C library has the function, and the process may call it.
    boolean isAvailable() {
        return available;
    }

    /// Returns freed memory to the system. Never throws, because its caller must not end.
    void release() {
        try {
            int _ = (int) trim.invokeExact(0L);
        } catch (Throwable e) { // out of memory: nothing is lost but this attempt
            return;
        }
    }

    @SuppressWarnings("restricted") // the manifest enables native access
    private static Optional<MethodHandle> trim() {
        try {
            Linker linker = Linker.nativeLinker();
            return linker.defaultLookup()
                    .find("malloc_trim")
                    .map(address ->
                            linker.downcallHandle(
                                    address, FunctionDescriptor.of(JAVA_INT, JAVA_LONG)));
        } catch (IllegalCallerException | UnsupportedOperationException e) {
            return Optional.empty(); // native access is not enabled, or this system has no linker
        }
    }
}
