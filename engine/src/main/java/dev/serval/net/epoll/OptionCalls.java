package dev.serval.net.epoll;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.serval.net.Transport;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Sets and reads the options of sockets, and what the system tells of TCP connections. Owned by the
/// loop.
final class OptionCalls {
    /// The bytes that a socket takes beyond what it may send at once. More bytes would only wait in
    /// the kernel, leave the processor's cache, and be sent in the receiver's time. See
    /// docs/decisions/0005-unsent-bytes-per-socket.md.
    private static final int NOT_SENT_BYTES_MAX = 64 << 10;

    /// The offsets of tcpi_sacked, the backlog of a listening socket, and of tcpi_bytes_acked in struct
    /// tcp_info (linux/tcp.h, since Linux 4.1).
    private static final int TCP_INFO_BACKLOG_AT = 28;

    private static final int TCP_INFO_ACKNOWLEDGED_AT = 120;
    private static final int TCP_INFO_BYTES = TCP_INFO_ACKNOWLEDGED_AT + 8;

    private final Syscalls calls;
    private final MemorySegment value; // of an option, or its length behind it
    private final MemorySegment info;

    /// @param arena holds its memory
    OptionCalls(Arena arena, Syscalls calls) {
        this.calls = calls;
        this.value = arena.allocate(8, 8);
        this.info = arena.allocate(TCP_INFO_BYTES, 8);
    }

    /// Sets an option to a number.
    ///
    /// @throws IOException if the system refuses it
    void set(int fd, int level, int name, int number) throws IOException {
        value.set(JAVA_INT_UNALIGNED, 0, number);
        int result = calls.setOption(fd, level, name, value.address(), 4);
        if (result < 0) {
            throw new IOException("setsockopt: " + Syscalls.text(result));
        }
    }

    /// Sets the options of a socket that is to send.
    void setForSending(int fd) throws IOException {
        set(fd, Syscalls.IPPROTO_TCP, Syscalls.TCP_NODELAY, 1);
        set(fd, Syscalls.IPPROTO_TCP, Syscalls.TCP_NOTSENT_LOWAT, NOT_SENT_BYTES_MAX);
    }

    /// Sets the options that accepted TCP sockets inherit, and the wait for the first bytes. See
    /// docs/decisions/0002-accept-with-the-first-bytes.md.
    void setForAccepted(int fd) throws IOException {
        setForSending(fd);
        set(fd, Syscalls.IPPROTO_TCP, Syscalls.TCP_DEFER_ACCEPT, 1);
    }

    /// Has the system find a peer that has vanished.
    void keepAlive(int fd) throws IOException {
        set(fd, Syscalls.SOL_SOCKET, Syscalls.SO_KEEPALIVE, 1);
        set(fd, Syscalls.IPPROTO_TCP, Syscalls.TCP_KEEPIDLE, Transport.SILENCE_SECONDS);
        set(fd, Syscalls.IPPROTO_TCP, Syscalls.TCP_KEEPINTVL, Transport.PROBE_SECONDS);
        set(fd, Syscalls.IPPROTO_TCP, Syscalls.TCP_KEEPCNT, Transport.PROBES);
    }

    /// Has the close of a socket reset its connection.
    void setLinger(int fd) {
        value.set(JAVA_INT_UNALIGNED, 0, 1);
        value.set(JAVA_INT_UNALIGNED, 4, 0);
        calls.setOption(fd, Syscalls.SOL_SOCKET, Syscalls.SO_LINGER, value.address(), 8);
    }

    /// Sends an acknowledgement that the system has delayed. TCP_QUICKACK is no lasting setting: the
    /// system soon delays acknowledgements again (`tcp(7)`).
    void acknowledgeNow(int fd) {
        value.set(JAVA_INT_UNALIGNED, 0, 1);
        calls.setOption(fd, Syscalls.IPPROTO_TCP, Syscalls.TCP_QUICKACK, value.address(), 4);
    }

    /// Returns the bytes that the peer of a TCP connection has acknowledged; -1 if the system does
    /// not tell.
    long acknowledged(int fd) {
        return readsInfo(fd)
                ? info.get(JAVA_LONG_UNALIGNED, TCP_INFO_ACKNOWLEDGED_AT)
                : Transport.UNKNOWN;
    }

    /// Returns how many connections the system queues for a listening TCP socket; 0 if it does not
    /// tell.
    int backlog(int fd) {
        return readsInfo(fd) ? info.get(JAVA_INT_UNALIGNED, TCP_INFO_BACKLOG_AT) : 0;
    }

    private boolean readsInfo(int fd) {
        value.set(JAVA_INT_UNALIGNED, 0, TCP_INFO_BYTES);
        long size = value.address();
        int result =
                calls.getOption(fd, Syscalls.IPPROTO_TCP, Syscalls.TCP_INFO, info.address(), size);
        return result >= 0 && value.get(JAVA_INT_UNALIGNED, 0) >= TCP_INFO_BYTES;
    }

    /// Returns the error of a socket, and clears it; 0 if there is none.
    int pendingError(int fd) {
        value.set(JAVA_INT_UNALIGNED, 4, 4);
        long at = value.address();
        int result = calls.getOption(fd, Syscalls.SOL_SOCKET, Syscalls.SO_ERROR, at, at + 4);
        return result < 0 ? -result : value.get(JAVA_INT_UNALIGNED, 0);
    }
}
