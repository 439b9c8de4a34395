package dev.serval.net.epoll;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;

/// Sends datagrams to the socket of a service manager (`sd_notify(3)`). The JDK has no datagrams of
/// the Unix domain. Stateless. Any thread.
public final class NotifySocket {
    private static final String ABSTRACT = "@";

    private NotifySocket() {}

    /// Sends one datagram, without waiting.
    ///
    /// @param address the path of a socket, or `@` and the name of one without a file
    /// @throws IOException if nothing receives there, or there is no room; the message names the
    ///     address
    public static void send(String address, String text) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            Syscalls calls = new Syscalls(arena);
            SocketAddresses names = new SocketAddresses(arena);
            if (address.startsWith(ABSTRACT)) {
                names.writeAbstract(address.substring(ABSTRACT.length()));
            } else {
                names.write(UnixDomainSocketAddress.of(address));
            }
            int fd = checked(calls.socket(Syscalls.AF_UNIX, Syscalls.SOCK_DGRAM), address);
            try {
                checked(calls.connect(fd, names.address(), names.written()), address);
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                MemorySegment content = arena.allocateFrom(JAVA_BYTE, bytes);
                checked(
                        (int)
                                calls.send(
                                        fd, content.address(), bytes.length, Syscalls.MSG_NOSIGNAL),
                        address);
            } finally {
                calls.close(fd);
            }
        }
    }

    private static int checked(int result, String address) throws IOException {
        if (result < 0) {
            throw new IOException(address + ": " + Syscalls.text(result));
        }
        return result;
    }
}
