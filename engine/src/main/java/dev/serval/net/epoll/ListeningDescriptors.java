package dev.serval.net.epoll;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.SocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Descriptors of listening sockets that pass between processes. Stateless. Any thread.
public final class ListeningDescriptors {
    private ListeningDescriptors() {}

    /// Returns the address of a listening socket, after checking that it is one of a kind that a
    /// listener can use. Programs that this process starts do not get the descriptor from now on.
    ///
    /// @throws IOException if it is no such socket, or there is no epoll; the message names the
    ///     descriptor
    public static SocketAddress address(int descriptor) throws IOException {
        @Nullable String missing = EpollNetwork.unavailable();
        if (missing != null) {
            throw new IOException(
                    "A listening socket cannot be taken over without epoll: " + missing);
        }
        try (Arena arena = Arena.ofConfined()) {
            Syscalls calls = new Syscalls(arena);
            MemorySegment value = arena.allocate(8, 8);
            List<Integer> families = List.of(Syscalls.AF_UNIX, Syscalls.AF_INET, Syscalls.AF_INET6);
            boolean fits =
                    option(calls, value, descriptor, Syscalls.SO_ACCEPTCONN) == 1
                            && option(calls, value, descriptor, Syscalls.SO_TYPE)
                                    == Syscalls.SOCK_STREAM
                            && families.contains(
                                    option(calls, value, descriptor, Syscalls.SO_DOMAIN));
            if (!fits) {
                throw new IOException(
                        "Descriptor "
                                + descriptor
                                + " is no listening socket of TCP or the Unix domain");
            }
            calls.closeOnExec(descriptor);
            return SocketAddresses.local(descriptor);
        }
    }

    private static int option(Syscalls calls, MemorySegment value, int descriptor, int name)
            throws IOException {
        value.set(JAVA_INT_UNALIGNED, 4, 4);
        long at = value.address();
        int result = calls.getOption(descriptor, Syscalls.SOL_SOCKET, name, at, at + 4);
        if (result < 0) {
            throw new IOException("Descriptor " + descriptor + ": " + Syscalls.text(result));
        }
        return value.get(JAVA_INT_UNALIGNED, 0);
    }

    /// Closes descriptors of this process.
    public static void close(List<Integer> descriptors) {
        if (descriptors.isEmpty()) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            Syscalls calls = new Syscalls(arena);
            descriptors.forEach(calls::close);
        }
    }
}
