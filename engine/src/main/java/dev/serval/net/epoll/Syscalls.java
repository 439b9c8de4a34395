package dev.serval.net.epoll;

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
import org.jspecify.annotations.Nullable;

/// Makes Linux system calls on sockets through the foreign-function API. Memory is passed by
/// address.
///
/// A failed call returns the negated error number instead of -1. An instance belongs to one thread,
/// since its memory holds the error number of the last call.
///
/// Each function has its own constant handle, because a call through a handle that is not a
/// constant allocates about 100 bytes. With a constant handle, the JDK still slices the segment for
/// the error number in each call, which allocates 40 bytes. That slice costs nothing only if the
/// compiler inlines all eight methods below the call. The compiler stops inlining after a long
/// chain of inlined methods (MaxInlineLevel). Therefore all functions are called in [#call], which
/// is too long to be inlined itself (FreqInlineSize). The chain starts again there, and most runs
/// allocate nothing. ServalTest measures the allocation per request.
final class Syscalls {
    static final int ENOENT = 2;
    static final int ENOSYS = 38;
    static final int EINTR = 4;
    static final int EBADF = 9;
    static final int EAGAIN = 11;
    static final int ENOMEM = 12;
    static final int ENFILE = 23;
    static final int EMFILE = 24;
    static final int EADDRINUSE = 98;
    static final int ECONNABORTED = 103;
    static final int ENOBUFS = 105;
    static final int ECONNREFUSED = 111;
    static final int EINPROGRESS = 115;

    static final int AF_UNIX = 1;
    static final int AF_INET = 2;
    static final int AF_INET6 = 10;
    static final int SOCK_STREAM = 1;
    static final int SOCK_DGRAM = 2;
    static final int SOCK_SEQPACKET = 5;
    static final int NONBLOCK = 0x800; // SOCK_NONBLOCK, EFD_NONBLOCK
    static final int CLOEXEC = 0x80000; // SOCK_CLOEXEC, EFD_CLOEXEC, EPOLL_CLOEXEC
    static final int SOL_SOCKET = 1;
    static final int SO_REUSEADDR = 2;
    static final int SO_TYPE = 3;
    static final int SO_ERROR = 4;
    static final int SO_KEEPALIVE = 9;
    static final int SO_LINGER = 13;
    static final int SO_REUSEPORT = 15;
    static final int SO_ACCEPTCONN = 30;
    static final int SO_DOMAIN = 39;
    static final int SCM_RIGHTS = 1;
    static final int IPPROTO_IP = 0;
    static final int IP_BIND_ADDRESS_NO_PORT = 24;
    static final int IPPROTO_TCP = 6;
    static final int TCP_NODELAY = 1;
    static final int TCP_KEEPIDLE = 4;
    static final int TCP_KEEPINTVL = 5;
    static final int TCP_KEEPCNT = 6;
    static final int TCP_DEFER_ACCEPT = 9;
    static final int TCP_INFO = 11;
    static final int TCP_QUICKACK = 12;
    static final int TCP_NOTSENT_LOWAT = 25;
    static final int IPPROTO_IPV6 = 41;
    static final int IPV6_V6ONLY = 26;
    static final int SHUT_WR = 1;
    static final int MSG_CTRUNC = 8;
    static final int MSG_TRUNC = 0x20;
    static final int MSG_NOSIGNAL = 0x4000;
    static final int MSG_MORE = 0x8000;
    static final int MSG_CMSG_CLOEXEC = 0x40000000;
    static final int SPLICE_F_MOVE = 1;
    static final int SPLICE_F_NONBLOCK = 2;
    static final int RWF_NOWAIT = 8; // since Linux 4.14
    static final int F_SETFD = 2;
    static final int F_GETFL = 3;
    static final int F_SETFL = 4;
    static final int F_DUPFD_CLOEXEC = 1030;
    static final int F_SETPIPE_SZ = 1031;
    static final int FD_CLOEXEC = 1;
    static final int EPOLL_CTL_ADD = 1;
    static final int EPOLL_CTL_DEL = 2;
    static final int EPOLL_CTL_MOD = 3;
    static final int EPOLLIN = 1;
    static final int EPOLLOUT = 4;
    static final int EPOLLERR = 8;
    static final int EPOLLHUP = 0x10;
    static final int EPOLLEXCLUSIVE = 1 << 28; // since Linux 4.5

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
    private static final MethodHandle RECV = link("recv");
    private static final MethodHandle SEND = link("send");
    private static final MethodHandle WRITEV = link("writev");
    private static final MethodHandle SENDFILE = link("sendfile");
    private static final MethodHandle SHUTDOWN = link("shutdown");
    private static final MethodHandle CLOSE = link("close");
    private static final MethodHandle READ = link("read");
    private static final MethodHandle WRITE = link("write");
    private static final MethodHandle PIPE = link("pipe2");
    private static final MethodHandle FCNTL = link("fcntl");
    private static final MethodHandle CLOCK = link("clock_gettime");

    private final MemorySegment state;

    /// Makes an instance for one thread. `arena` holds its memory.
    Syscalls(Arena arena) {
        state = arena.allocate(CAPTURE);
    }

    int epollCreate() {
        return number(call(Function.EPOLL_CREATE, CLOEXEC, 0, 0, 0, 0));
    }

    int epollControl(int epoll, int operation, int fd, long event) {
        return number(call(Function.EPOLL_CTL, epoll, operation, fd, event, 0));
    }

    int epollWait(int epoll, long events, int most, int timeoutMillis) {
        return number(call(Function.EPOLL_WAIT, epoll, events, most, timeoutMillis, 0));
    }

    int eventfd() {
        return number(call(Function.EVENTFD, 0, (NONBLOCK | CLOEXEC), 0, 0, 0));
    }

    int socket(int family) {
        return socket(family, SOCK_STREAM);
    }

    /// @param type such as [#SOCK_STREAM]
    int socket(int family, int type) {
        return number(call(Function.SOCKET, family, type | NONBLOCK | CLOEXEC, 0, 0, 0));
    }

    int bind(int fd, long address, int length) {
        return number(call(Function.BIND, fd, address, length, 0, 0));
    }

    int listen(int fd, int backlog) {
        return number(call(Function.LISTEN, fd, backlog, 0, 0, 0));
    }

    /// Accepts a connection and stores the peer's address.
    int accept(int fd, long address, long length) {
        return number(call(Function.ACCEPT, fd, address, length, (NONBLOCK | CLOEXEC), 0));
    }

    int connect(int fd, long address, int length) {
        return number(call(Function.CONNECT, fd, address, length, 0, 0));
    }

    int setOption(int fd, int level, int name, long value, int length) {
        return number(call(Function.SETSOCKOPT, fd, level, name, value, length));
    }

    int getOption(int fd, int level, int name, long value, long length) {
        return number(call(Function.GETSOCKOPT, fd, level, name, value, length));
    }

    int socketName(int fd, long address, long length) {
        return number(call(Function.GETSOCKNAME, fd, address, length, 0, 0));
    }

    long receive(int fd, long into, long length) {
        return count(call(Function.RECV, fd, into, length, 0, 0));
    }

    long send(int fd, long from, long length, int flags) {
        return count(call(Function.SEND, fd, from, length, flags, 0));
    }

    long writev(int fd, long vector, int count) {
        return count(call(Function.WRITEV, fd, vector, count, 0, 0));
    }

    long sendfile(int fd, int file, long offset, long length) {
        return count(call(Function.SENDFILE, fd, file, offset, length, 0));
    }

    /// Reads bytes of a file into a vector, if no disk must be awaited for that (`preadv2`).
    long readNow(int file, long vector, int count, long position) {
        @Nullable MethodHandle preadv2 = Reads.PREADV2;
        try {
            return preadv2 == null
                    ? -ENOSYS
                    : count(
                            (long)
                                    preadv2.invokeExact(
                                            state,
                                            (long) file,
                                            vector,
                                            (long) count,
                                            position,
                                            (long) RWF_NOWAIT));
        } catch (Throwable broken) {
            throw impossible(broken);
        }
    }

    int shutdown(int fd, int how) {
        return number(call(Function.SHUTDOWN, fd, how, 0, 0, 0));
    }

    int close(int fd) {
        return number(call(Function.CLOSE, fd, 0, 0, 0, 0));
    }

    long read(int fd, long into, long length) {
        return count(call(Function.READ, fd, into, length, 0, 0));
    }

    long write(int fd, long from, long length) {
        return count(call(Function.WRITE, fd, from, length, 0, 0));
    }

    /// Makes a pipe and stores its two descriptors: the one to read, and the one to write.
    int pipe(long descriptors) {
        return number(call(Function.PIPE, descriptors, NONBLOCK | CLOEXEC, 0, 0, 0));
    }

    /// Sets the size of a pipe. Its result is the size that it has then. (An `int` that follows `...`
    /// is passed as any other one here.)
    int pipeSize(int fd, int bytes) {
        return number(call(Function.FCNTL, fd, F_SETPIPE_SZ, bytes, 0, 0));
    }

    /// Duplicates a descriptor. Programs that this process starts do not get the duplicate.
    int duplicate(int fd) {
        return number(call(Function.FCNTL, fd, F_DUPFD_CLOEXEC, 0, 0, 0));
    }

    /// Keeps a descriptor from programs that this process starts.
    int closeOnExec(int fd) {
        return number(call(Function.FCNTL, fd, F_SETFD, FD_CLOEXEC, 0, 0));
    }

    /// Lets calls on a descriptor, and on all its duplicates, return instead of waiting.
    int neverWait(int fd) {
        int flags = number(call(Function.FCNTL, fd, F_GETFL, 0, 0, 0));
        return flags < 0
                ? flags
                : number(call(Function.FCNTL, fd, F_SETFL, flags | NONBLOCK, 0, 0));
    }

    /// Stores the time of a clock (`clock_gettime`).
    int clockTime(int clock, long time) {
        return number(call(Function.CLOCK, clock, time, 0, 0, 0));
    }

    /// Sends a message with descriptors (`sendmsg`).
    long sendMessage(int fd, long message, int flags) {
        try {
            return count(
                    (long)
                            Messages.SENDMSG.invokeExact(
                                    state, (long) fd, message, (long) flags, 0L, 0L));
        } catch (Throwable broken) {
            throw impossible(broken);
        }
    }

    /// Receives a message with descriptors (`recvmsg`).
    long receiveMessage(int fd, long message, int flags) {
        try {
            return count(
                    (long)
                            Messages.RECVMSG.invokeExact(
                                    state, (long) fd, message, (long) flags, 0L, 0L));
        } catch (Throwable broken) {
            throw impossible(broken);
        }
    }

    /// Moves bytes from a pipe or into one.
    long splice(int from, int to, long length, int flags) {
        try {
            return count(
                    (long)
                            Six.SPLICE.invokeExact(
                                    state, (long) from, 0L, (long) to, 0L, length, (long) flags));
        } catch (Throwable broken) {
            throw impossible(broken);
        }
    }

    /// Links the function with six words, which [#splice] needs. Otherwise its first call does that.
    static void linkSplice() {
        MethodHandle _ = Six.SPLICE;
    }

    /// Calls a function with five words. Unused ones are 0.
    @SuppressWarnings("CyclomaticComplexity") // one case for each function, and nothing else
    private long call(int function, long a, long b, long c, long d, long e) {
        try {
            return switch (function) {
                case Function.EPOLL_CREATE -> (long) EPOLL_CREATE.invokeExact(state, a, b, c, d, e);
                case Function.EPOLL_CTL -> (long) EPOLL_CTL.invokeExact(state, a, b, c, d, e);
                case Function.EPOLL_WAIT -> (long) EPOLL_WAIT.invokeExact(state, a, b, c, d, e);
                case Function.EVENTFD -> (long) EVENTFD.invokeExact(state, a, b, c, d, e);
                case Function.SOCKET -> (long) SOCKET.invokeExact(state, a, b, c, d, e);
                case Function.BIND -> (long) BIND.invokeExact(state, a, b, c, d, e);
                case Function.LISTEN -> (long) LISTEN.invokeExact(state, a, b, c, d, e);
                case Function.ACCEPT -> (long) ACCEPT.invokeExact(state, a, b, c, d, e);
                case Function.CONNECT -> (long) CONNECT.invokeExact(state, a, b, c, d, e);
                case Function.SETSOCKOPT -> (long) SETSOCKOPT.invokeExact(state, a, b, c, d, e);
                case Function.GETSOCKOPT -> (long) GETSOCKOPT.invokeExact(state, a, b, c, d, e);
                case Function.GETSOCKNAME -> (long) GETSOCKNAME.invokeExact(state, a, b, c, d, e);
                case Function.RECV -> (long) RECV.invokeExact(state, a, b, c, d, e);
                case Function.SEND -> (long) SEND.invokeExact(state, a, b, c, d, e);
                case Function.WRITEV -> (long) WRITEV.invokeExact(state, a, b, c, d, e);
                case Function.SENDFILE -> (long) SENDFILE.invokeExact(state, a, b, c, d, e);
                case Function.SHUTDOWN -> (long) SHUTDOWN.invokeExact(state, a, b, c, d, e);
                case Function.CLOSE -> (long) CLOSE.invokeExact(state, a, b, c, d, e);
                case Function.READ -> (long) READ.invokeExact(state, a, b, c, d, e);
                case Function.WRITE -> (long) WRITE.invokeExact(state, a, b, c, d, e);
                case Function.PIPE -> (long) PIPE.invokeExact(state, a, b, c, d, e);
                case Function.FCNTL -> (long) FCNTL.invokeExact(state, a, b, c, d, e);
                case Function.CLOCK -> (long) CLOCK.invokeExact(state, a, b, c, d, e);
                default -> throw new IllegalArgumentException("No function " + function);
            };
        } catch (Throwable broken) {
            throw impossible(broken);
        }
    }

    /// Returns the text of an error number, for messages.
    static String text(long error) {
        return switch ((int) Math.abs(error)) {
            case ENOENT -> "No such file or directory";
            case EBADF -> "Bad file descriptor";
            case 13 -> "Permission denied";
            case 20 -> "Not a directory";
            case 30 -> "Read-only file system";
            case ENFILE, EMFILE -> "Too many open files";
            case ENOMEM, ENOBUFS -> "Out of memory for sockets";
            case 88 -> "Not a socket";
            case 97 -> "Address family not supported";
            case EADDRINUSE -> "Address already in use";
            case 99 -> "Cannot assign requested address";
            case 32, 104 -> "Connection reset by peer";
            case ECONNABORTED -> "Connection aborted";
            case 110 -> "Connection timed out";
            case ECONNREFUSED -> "Connection refused";
            case 113 -> "No route to host";
            default -> "System error " + Math.abs(error);
        };
    }

    /// Returns the result of a function that returns an `int`, which is the lower half of the
    /// register.
    private int number(long register) {
        int result = (int) register;
        return result >= 0 ? result : -state.get(JAVA_INT, ERRNO_AT);
    }

    /// Returns the result of a function that returns a `ssize_t`.
    private long count(long result) {
        return result >= 0 ? result : -state.get(JAVA_INT, ERRNO_AT);
    }

    private static IllegalStateException impossible(Throwable broken) {
        return new IllegalStateException("A system call could not be invoked", broken);
    }

    /// Returns the offset of the error number in [#CAPTURE]. A look-up by its path would cost 5 ms
    /// at start.
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

    /// Links a function. All functions have the same signature of five words in registers, since
    /// linking a signature costs about 20 ms at start. An `int` is the lower half of its register,
    /// and a function ignores registers beyond its parameters (System V ABI for AMD64 §3.2.3,
    /// AAPCS64 §6.4).
    private static MethodHandle link(String name) {
        return link(
                name,
                FunctionDescriptor.of(
                        JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @SuppressWarnings("restricted") // this class exists for native access
    private static MethodHandle link(String name, FunctionDescriptor words) {
        MemorySegment function =
                LINKER.defaultLookup()
                        .find(name)
                        .orElseThrow(() -> new IllegalStateException("No system call " + name));
        return LINKER.downcallHandle(function, words, Linker.Option.captureCallState("errno"));
    }

    /// The one function with six words. Linked when it is first needed.
    private static final class Six {
        static final MethodHandle SPLICE =
                link(
                        "splice",
                        FunctionDescriptor.of(
                                JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                                JAVA_LONG));

        private Six() {}
    }

    /// The functions that pass descriptors between processes. Linked when they are first needed.
    private static final class Messages {
        static final MethodHandle SENDMSG = link("sendmsg");
        static final MethodHandle RECVMSG = link("recvmsg");

        private Messages() {}
    }

    /// A function that not every C library has. Linked when it is first needed.
    private static final class Reads {
        static final @Nullable MethodHandle PREADV2 =
                LINKER.defaultLookup().find("preadv2").isPresent() ? link("preadv2") : null;

        private Reads() {}
    }

    /// The functions that [#call] knows. Their numbers are dense, so that a compiler turns the
    /// switch into one jump.
    private static final class Function {
        static final int EPOLL_CREATE = 0;
        static final int EPOLL_CTL = 1;
        static final int EPOLL_WAIT = 2;
        static final int EVENTFD = 3;
        static final int SOCKET = 4;
        static final int BIND = 5;
        static final int LISTEN = 6;
        static final int ACCEPT = 7;
        static final int CONNECT = 8;
        static final int SETSOCKOPT = 9;
        static final int GETSOCKOPT = 10;
        static final int GETSOCKNAME = 11;
        static final int RECV = 12;
        static final int SEND = 13;
        static final int WRITEV = 14;
        static final int SENDFILE = 15;
        static final int SHUTDOWN = 16;
        static final int CLOSE = 17;
        static final int READ = 18;
        static final int WRITE = 19;
        static final int PIPE = 20;
        static final int FCNTL = 21;
        static final int CLOCK = 22;

        private Function() {}
    }
}
