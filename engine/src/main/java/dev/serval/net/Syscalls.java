package dev.serval.net;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/// Linux system calls on sockets, through the foreign-function API. Memory is given by address.
///
/// A call that fails returns the negated error number instead of -1. An instance belongs to one
/// thread, since the error number is handed over in its memory.
///
/// Each method calls its own constant handle. Handed to a common method, the handle would be a
/// constant only where the compiler happens to inline that method, and each call would allocate
/// some 100 bytes where it does not.
final class Syscalls {
    static final int EINTR = 4;
    static final int EAGAIN = 11;
    static final int EADDRINUSE = 98;
    static final int ECONNABORTED = 103;
    static final int EINPROGRESS = 115;

    static final int AF_UNIX = 1;
    static final int AF_INET = 2;
    static final int AF_INET6 = 10;
    static final int SOCK_STREAM = 1;
    static final int NONBLOCK = 0x800; // SOCK_NONBLOCK, EFD_NONBLOCK
    static final int CLOEXEC = 0x80000; // SOCK_CLOEXEC, EFD_CLOEXEC, EPOLL_CLOEXEC
    static final int SOL_SOCKET = 1;
    static final int SO_REUSEADDR = 2;
    static final int SO_ERROR = 4;
    static final int SO_LINGER = 13;
    static final int SO_REUSEPORT = 15;
    static final int IPPROTO_TCP = 6;
    static final int TCP_NODELAY = 1;
    static final int TCP_DEFER_ACCEPT = 9;
    static final int TCP_NOTSENT_LOWAT = 25;
    static final int IPPROTO_IPV6 = 41;
    static final int IPV6_V6ONLY = 26;
    static final int SHUT_WR = 1;
    static final int MSG_NOSIGNAL = 0x4000;
    static final int EPOLL_CTL_ADD = 1;
    static final int EPOLL_CTL_MOD = 3;
    static final int EPOLLIN = 1;
    static final int EPOLLOUT = 4;
    static final int EPOLLERR = 8;
    static final int EPOLLHUP = 0x10;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout CAPTURE = Linker.Option.captureStateLayout();
    private static final long ERRNO_AT = errnoAt();

    private static final MethodHandle EPOLL_CREATE = link("epoll_create1");
    private static final MethodHandle EPOLL_CTL = link("epoll_ctl");
    private static final MethodHandle EPOLL_WAIT = link("epoll_wait");
    private static final MethodHandle EVENTFD = link("eventfd");
    private static final MethodHandle SOCKET = link("socket");
    private static final MethodHandle BIND = link("bind");
    private static final MethodHandle LISTEN = link("listen");
    private static final MethodHandle ACCEPT = link("accept4");
    private static final MethodHandle CONNECT = link("connect");
    private static final MethodHandle SETSOCKOPT = link("setsockopt");
    private static final MethodHandle GETSOCKOPT = link("getsockopt");
    private static final MethodHandle GETSOCKNAME = link("getsockname");
    private static final MethodHandle GETPEERNAME = link("getpeername");
    private static final MethodHandle RECV = link("recv");
    private static final MethodHandle SEND = link("send");
    private static final MethodHandle WRITEV = link("writev");
    private static final MethodHandle SENDFILE = link("sendfile");
    private static final MethodHandle SHUTDOWN = link("shutdown");
    private static final MethodHandle CLOSE = link("close");
    private static final MethodHandle READ = link("read");
    private static final MethodHandle WRITE = link("write");

    private final MemorySegment state;

    /// For one thread; `arena` holds its memory.
    Syscalls(Arena arena) {
        state = arena.allocate(CAPTURE);
    }

    int epollCreate() {
        try {
            return number((long) EPOLL_CREATE.invokeExact(state, (long) CLOEXEC, 0L, 0L, 0L, 0L));
        } catch (Throwable broken) {
            throw impossible(broken);
        }
    }

    int epollControl(int epoll, int operation, int fd, long event) {
        try {
            return number(
                    (long)
                            EPOLL_CTL.invokeExact(
                                    state, (long) epoll, (long) operation, (long) fd, event, 0L));
        } catch (Throwable broken) {
            throw impossible(broken);
        }
    }

    int epollWait(int epoll, long events, int most, int timeoutMillis) {
        try {
            return number(
                    (long)
                            EPOLL_WAIT.invokeExact(
                                    state,
                                    (long) epoll,
                                    events,
                                    (long) most,
                                    (long) timeoutMillis,
                                    0L));
        } catch (Throwable broken) {
            throw impossible(broken);
        }
    }

    int eventfd() {
        try {
            return number(
                    (long) EVENTFD.invokeExact(state, 0L, (long) (NONBLOCK | CLOEXEC), 0L, 0L, 0L));
        } catch (Throwable broken) {
            throw impossible(broken);
        }
    }

    int socket(int family) {
        int type = SOCK_STREAM | NONBLOCK | CLOEXEC;
        try {
            return number((long) SOCKET.invokeExact(state, (long) family, (long) type, 0L, 0L, 0L));
        } catch (Throwable broken) {
            throw impossible(broken);
        }
    }

    int bind(int fd, long address, int length) {
        try {
            return number(
                    (long) BIND.invokeExact(state, (long) fd, address, (long) length, 0L, 0L));
        } catch (Throwable broken) {
            throw impossible(broken);
        }
    }

    int listen(int fd, int backlog) {
        try {
            return number((long) LISTEN.invokeExact(state, (long) fd, (long) backlog, 0L, 0L, 0L));
        } catch (Throwable broken) {
            throw impossible(broken);
        }
    }

    /// Accepts without asking for the address, which [#peerName] gives to whoever wants it.
    int accept(int fd) {
        try {
            return number(
                    (long)
                            ACCEPT.invokeExact(
                                    state, (long) fd, 0L, 0L, (long) (NONBLOCK | CLOEXEC), 0L));
        } catch (Throwable broken) {
            throw impossible(broken);
        }
    }

    int connect(int fd, long address, int length) {
        try {
            return number(
                    (long) CONNECT.invokeExact(state, (long) fd, address, (long) length, 0L, 0L));
        } catch (Throwable broken) {
            throw impossible(broken);
        }
    }

    int setOption(int fd, int level, int name, long value, int length) {
        try {
            return number(
                    (long)
                            SETSOCKOPT.invokeExact(
                                    state,
                                    (long) fd,
                                    (long) level,
                                    (long) name,
                                    value,
                                    (long) length));
        } catch (Throwable broken) {
            throw impossible(broken);
        }
    }

    int getOption(int fd, int level, int name, long value, long length) {
        try {
            return number(
                    (long)
                            GETSOCKOPT.invokeExact(
                                    state, (long) fd, (long) level, (long) name, value, length));
        } catch (Throwable broken) {
            throw impossible(broken);
        }
    }

    int socketName(int fd, long address, long length) {
        try {
            return number(
                    (long) GETSOCKNAME.invokeExact(state, (long) fd, address, length, 0L, 0L));
        } catch (Throwable broken) {
            throw impossible(broken);
        }
    }

    int peerName(int fd, long address, long length) {
        try {
            return number(
                    (long) GETPEERNAME.invokeExact(state, (long) fd, address, length, 0L, 0L));
        } catch (Throwable broken) {
            throw impossible(broken);
        }
    }

    long receive(int fd, long into, long length) {
        try {
            return count((long) RECV.invokeExact(state, (long) fd, into, length, 0L, 0L));
        } catch (Throwable broken) {
            throw impossible(broken);
        }
    }

    long send(int fd, long from, long length) {
        try {
            return count(
                    (long)
                            SEND.invokeExact(
                                    state, (long) fd, from, length, (long) MSG_NOSIGNAL, 0L));
        } catch (Throwable broken) {
            throw impossible(broken);
        }
    }

    long writev(int fd, long vector, int count) {
        try {
            return count((long) WRITEV.invokeExact(state, (long) fd, vector, (long) count, 0L, 0L));
        } catch (Throwable broken) {
            throw impossible(broken);
        }
    }

    long sendfile(int fd, int file, long offset, long length) {
        try {
            return count(
                    (long) SENDFILE.invokeExact(state, (long) fd, (long) file, offset, length, 0L));
        } catch (Throwable broken) {
            throw impossible(broken);
        }
    }

    int shutdown(int fd, int how) {
        try {
            return number((long) SHUTDOWN.invokeExact(state, (long) fd, (long) how, 0L, 0L, 0L));
        } catch (Throwable broken) {
            throw impossible(broken);
        }
    }

    int close(int fd) {
        try {
            return number((long) CLOSE.invokeExact(state, (long) fd, 0L, 0L, 0L, 0L));
        } catch (Throwable broken) {
            throw impossible(broken);
        }
    }

    long read(int fd, long into, long length) {
        try {
            return count((long) READ.invokeExact(state, (long) fd, into, length, 0L, 0L));
        } catch (Throwable broken) {
            throw impossible(broken);
        }
    }

    long write(int fd, long from, long length) {
        try {
            return count((long) WRITE.invokeExact(state, (long) fd, from, length, 0L, 0L));
        } catch (Throwable broken) {
            throw impossible(broken);
        }
    }

    /// A name for an error number, for messages.
    static String text(long error) {
        return switch ((int) Math.abs(error)) {
            case 2 -> "No such file or directory";
            case 13 -> "Permission denied";
            case 20 -> "Not a directory";
            case 30 -> "Read-only file system";
            case 23, 24 -> "Too many open files";
            case 12, 105 -> "Out of memory for sockets";
            case 97 -> "Address family not supported";
            case EADDRINUSE -> "Address already in use";
            case 99 -> "Cannot assign requested address";
            case 32, 104 -> "Connection reset by peer";
            case ECONNABORTED -> "Connection aborted";
            case 110 -> "Connection timed out";
            case 111 -> "Connection refused";
            case 113 -> "No route to host";
            default -> "System error " + Math.abs(error);
        };
    }

    /// What a function gave that returns an `int`, of whose register only half is meant.
    private int number(long register) {
        int result = (int) register;
        return result >= 0 ? result : -state.get(JAVA_INT, ERRNO_AT);
    }

    /// What a function gave that returns a `ssize_t`.
    private long count(long result) {
        return result >= 0 ? result : -state.get(JAVA_INT, ERRNO_AT);
    }

    private static IllegalStateException impossible(Throwable broken) {
        return new IllegalStateException("A system call could not be made", broken);
    }

    /// Where the error number is in [#CAPTURE]; asking for it by its path would cost 5 ms at start.
    private static long errnoAt() {
        long at = 0;
        for (MemoryLayout member : CAPTURE.memberLayouts()) {
            if (member.name().equals(Optional.of("errno"))) {
                return at;
            }
            at += member.byteSize();
        }
        throw new IllegalStateException("No errno in " + CAPTURE);
    }

    /// All functions are called in one shape, five words in registers, since a shape costs some 20 ms
    /// to link at start: an `int` is the lower half of its register and a function does not see
    /// registers beyond its parameters (System V ABI for AMD64 §3.2.3, AAPCS64 §6.4).
    @SuppressWarnings("restricted") // native access is what this class is for
    private static MethodHandle link(String name) {
        MemorySegment function =
                LINKER.defaultLookup()
                        .find(name)
                        .orElseThrow(() -> new IllegalStateException("No system call " + name));
        return LINKER.downcallHandle(
                function,
                FunctionDescriptor.of(
                        JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
                Linker.Option.captureCallState("errno"));
    }
}
