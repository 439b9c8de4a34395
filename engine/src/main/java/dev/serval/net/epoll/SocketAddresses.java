package dev.serval.net.epoll;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// Converts socket addresses to and from the system's structures: `sockaddr_in`, `sockaddr_in6`,
/// `sockaddr_un`. Owned by one thread.
final class SocketAddresses {
    private static final int MOST = 128;
    private static final int PATH_AT = 2;
    private static final int PATH_MOST = 107;
    private static final ValueLayout.OfShort PORT =
            JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final MemorySegment name;
    private final MemorySegment length;
    private int written;

    SocketAddresses(Arena arena) {
        name = arena.allocate(MOST, 8);
        length = arena.allocate(4, 4);
    }

    /// Returns the memory address of the structure.
    long address() {
        return name.address();
    }

    /// Returns the memory address of the structure's length. The length is set to the available
    /// space.
    long lengthAddress() {
        length.set(JAVA_INT_UNALIGNED, 0, MOST);
        return length.address();
    }

    /// Returns the bytes of the structure that [#write] wrote.
    int written() {
        return written;
    }

    static int family(SocketAddress address) {
        if (address instanceof UnixDomainSocketAddress) {
            return Syscalls.AF_UNIX;
        }
        boolean six =
                address instanceof InetSocketAddress inet
                        && inet.getAddress() instanceof Inet6Address;
        return six ? Syscalls.AF_INET6 : Syscalls.AF_INET;
    }

    void write(SocketAddress address) throws IOException {
        name.fill((byte) 0);
        name.set(JAVA_SHORT_UNALIGNED, 0, (short) family(address));
        if (address instanceof UnixDomainSocketAddress unix) {
            writePath(unix.getPath().toString());
        } else if (address instanceof InetSocketAddress inet) {
            writeInternet(inet);
        } else {
            throw new IOException("Not a stream socket's address: " + address);
        }
    }

    /// Asks the system for a socket's local address. Any thread.
    static SocketAddress local(int fd) throws IOException {
        try (Arena own = Arena.ofConfined()) {
            SocketAddresses names = new SocketAddresses(own);
            int result = new Syscalls(own).socketName(fd, names.address(), names.lengthAddress());
            if (result < 0) {
                throw new IOException("getsockname: " + Syscalls.text(result));
            }
            boolean unix = names.name.get(JAVA_SHORT_UNALIGNED, 0) == Syscalls.AF_UNIX;
            return unix ? names.readPath() : names.read();
        }
    }

    /// Reads the path of a Unix-domain socket; an empty one for a socket without a file.
    private SocketAddress readPath() {
        int end = length.get(JAVA_INT_UNALIGNED, 0);
        int to = PATH_AT;
        while (to < end && name.get(JAVA_BYTE, to) != 0) {
            to++;
        }
        byte[] path = new byte[to - PATH_AT];
        MemorySegment.copy(name, JAVA_BYTE, PATH_AT, path, 0, path.length);
        return UnixDomainSocketAddress.of(new String(path, StandardCharsets.UTF_8));
    }

    /// Reads the address that the system wrote.
    SocketAddress read() {
        int family = name.get(JAVA_SHORT_UNALIGNED, 0);
        int port = Short.toUnsignedInt(name.get(PORT, 2));
        return switch (family) {
            case Syscalls.AF_INET -> new InetSocketAddress(internet(4, 4), port);
            case Syscalls.AF_INET6 -> new InetSocketAddress(internet(8, 16), port);
            default -> UnixDomainSocketAddress.of("");
        };
    }

    private InetAddress internet(int at, int bytes) {
        byte[] address = new byte[bytes];
        MemorySegment.copy(name, JAVA_BYTE, at, address, 0, bytes);
        try {
            return InetAddress.getByAddress(address); // maps ::ffff:a.b.c.d to a.b.c.d
        } catch (UnknownHostException e) {
            throw new IllegalStateException("An address of " + bytes + " bytes", e);
        }
    }

    private void writeInternet(InetSocketAddress inet) throws IOException {
        InetAddress address = inet.getAddress();
        if (address == null) {
            throw new UnknownHostException("Unknown host: " + inet.getHostString());
        }
        byte[] bytes = address.getAddress();
        name.set(PORT, 2, (short) inet.getPort());
        MemorySegment.copy(bytes, 0, name, JAVA_BYTE, bytes.length == 4 ? 4 : 8, bytes.length);
        if (address instanceof Inet6Address six) {
            name.set(JAVA_INT_UNALIGNED, 24, six.getScopeId());
        }
        written = bytes.length == 4 ? 16 : 28;
    }

    private void writePath(String path) throws IOException {
        written = put(path) + 1;
    }

    /// Writes an address of the Unix domain that has no file: its name begins with a zero byte and
    /// ends where the structure ends (`unix(7)`).
    ///
    /// @param text the name after that byte
    void writeAbstract(String text) throws IOException {
        name.fill((byte) 0);
        name.set(JAVA_SHORT_UNALIGNED, 0, (short) Syscalls.AF_UNIX);
        written = put("\0" + text);
    }

    /// Returns the bytes of the structure with this name.
    private int put(String path) throws IOException {
        byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > PATH_MOST) {
            throw new IOException("Socket path longer than " + PATH_MOST + " bytes: " + path);
        }
        MemorySegment.copy(bytes, 0, name, JAVA_BYTE, PATH_AT, bytes.length);
        return PATH_AT + bytes.length;
    }
}
