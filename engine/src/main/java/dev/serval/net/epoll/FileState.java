package dev.serval.net.epoll;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/// The size and the time of the last change of an open file, as the system reports them for its
/// descriptor. So a name that leads to another file in the meantime is no change. Immutable. Any
/// thread.
///
/// The time is known on Linux if `java.base` is opened to us. Otherwise only the size is compared.
///
/// @param size bytes
/// @param modifiedNanos last change of the bytes in nanoseconds since the epoch, or [#UNKNOWN]
public record FileState(long size, long modifiedNanos) {
    /// The value of `modifiedNanos` if the system cannot be asked.
    public static final long UNKNOWN = Long.MIN_VALUE;

    private static final int STATE_BYTES = 256;
    private static final int SIZE_AT = 40;
    private static final int MODIFIED_AT = 112;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int AT_STATX_DONT_SYNC = 0x4000; // never asks a file server
    private static final int STATX_MTIME = 0x40;
    private static final int STATX_SIZE = 0x200;

    /// Not one of [Syscalls]: without the error number, a call allocates nothing on any path of the
    /// compiler. Null if the system cannot be asked.
    private static final @Nullable MethodHandle STATX =
            FileDescriptors.available() ? statx() : null;

    private static final ThreadLocal<Question> QUESTION = ThreadLocal.withInitial(Question::new);

    /// Returns the present state of an open file.
    ///
    /// @throws IOException if the file is closed or the system failed
    public static FileState of(FileChannel file) throws IOException {
        @Nullable Question asked = ask(file);
        return asked == null
                ? new FileState(file.size(), UNKNOWN)
                : new FileState(asked.size(), asked.modifiedNanos());
    }

    /// Returns whether this is the present state of `file`. Allocates nothing and does not wait for
    /// a file server. It costs one system call.
    public boolean isStateOf(FileChannel file) {
        @Nullable Question asked = modifiedNanos == UNKNOWN ? null : ask(file);
        if (asked != null) {
            return asked.size() == size && asked.modifiedNanos() == modifiedNanos;
        }
        try {
            return modifiedNanos == UNKNOWN && file.size() == size;
        } catch (IOException e) {
            return false; // closed, or the disk failed: there is nothing to send
        }
    }

    /// Asks the system.
    ///
    /// @return this thread's answer, until its next question; null if the system cannot be asked
    private static @Nullable Question ask(FileChannel file) {
        int fd = STATX == null ? -1 : FileDescriptors.of(file);
        if (fd < 0) {
            return null;
        }
        Question question = QUESTION.get();
        return question.ask(fd) ? question : null;
    }

    /// Links the function. Its parameters are words, as in [Syscalls]; glibc has it since 2.28.
    @SuppressWarnings("restricted") // this class exists for native access
    private static @Nullable MethodHandle statx() {
        try {
            Linker linker = Linker.nativeLinker();
            FunctionDescriptor words =
                    FunctionDescriptor.of(
                            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
            @Nullable MemorySegment function = linker.defaultLookup().find("statx").orElse(null);
            return function == null ? null : linker.downcallHandle(function, words);
        } catch (IllegalCallerException | UnsupportedOperationException e) {
            return null; // native access is not enabled, or this processor has no linker
        }
    }

    /// The memory of one thread's questions.
    private static final class Question {
        private final Arena arena = Arena.ofAuto(); // freed after its thread
        private final MemorySegment emptyPath = arena.allocate(1);
        private final MemorySegment state = arena.allocate(STATE_BYTES, Long.BYTES);

        boolean ask(int fd) {
            long flags = AT_EMPTY_PATH | AT_STATX_DONT_SYNC;
            long wanted = STATX_SIZE | STATX_MTIME;
            try {
                long result =
                        (long)
                                requireNonNull(STATX)
                                        .invokeExact(
                                                (long) fd,
                                                emptyPath.address(),
                                                flags,
                                                wanted,
                                                state.address());
                return (int) result == 0; // an int is the lower half of the register
            } catch (Throwable broken) {
                throw new IllegalStateException("A system call could not be invoked", broken);
            }
        }

        long size() {
            return state.get(JAVA_LONG_UNALIGNED, SIZE_AT);
        }

        long modifiedNanos() {
            return state.get(JAVA_LONG_UNALIGNED, MODIFIED_AT) * NANOS_PER_SECOND
                    + state.get(JAVA_INT_UNALIGNED, MODIFIED_AT + Long.BYTES);
        }
    }
}
