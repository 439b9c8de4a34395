package dev.serval.bench.bare;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/// The system calls of [FloorServer], with pointers as addresses. A call that fails returns a
/// negative number. Each call passes five words, and a function ignores those beyond its
/// parameters.
final class Calls {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle SOCKET = link("socket");
    private static final MethodHandle SETSOCKOPT = link("setsockopt");
    private static final MethodHandle BIND = link("bind");
    private static final MethodHandle LISTEN = link("listen");
    private static final MethodHandle ACCEPT = link("accept4");
    private static final MethodHandle EPOLL_CREATE = link("epoll_create1");
    private static final MethodHandle EPOLL_CTL = link("epoll_ctl");
    private static final MethodHandle EPOLL_WAIT = link("epoll_wait");
    private static final MethodHandle RECV = link("recv");
    private static final MethodHandle SEND = link("send");
    private static final MethodHandle CLOSE = link("close");

    private Calls() {}

    static int socket(int family, int type) {
        return call(SOCKET, family, type, 0, 0, 0);
    }

    static int setOption(int fd, int level, int name, long value) {
        return call(SETSOCKOPT, fd, level, name, value, Integer.BYTES);
    }

    static int bind(int fd, long address, int length) {
        return call(BIND, fd, address, length, 0, 0);
    }

    static int listen(int fd, int backlog) {
        return call(LISTEN, fd, backlog, 0, 0, 0);
    }

    static int epollCreate() {
        return call(EPOLL_CREATE, 0, 0, 0, 0, 0);
    }

    static int epollControl(int epoll, int operation, int fd, long event) {
        return call(EPOLL_CTL, epoll, operation, fd, event, 0);
    }

    static int accept(int fd, int flags) {
        return call(ACCEPT, fd, 0, 0, flags, 0);
    }

    static int close(int fd) {
        return call(CLOSE, fd, 0, 0, 0, 0);
    }

    // The methods below run for each request, so each calls a constant handle.

    static int epollWait(int epoll, long events, int most) {
        try {
            return (int) (long) EPOLL_WAIT.invokeExact((long) epoll, events, (long) most, -1L, 0L);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    static long receive(int fd, long into, long length) {
        try {
            return (long) RECV.invokeExact((long) fd, into, length, 0L, 0L);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    static long send(int fd, long from, long length, int flags) {
        try {
            return (long) SEND.invokeExact((long) fd, from, length, (long) flags, 0L);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static int call(
            MethodHandle function, long first, long second, long third, long fourth, long fifth) {
        try {
            return (int) (long) function.invokeExact(first, second, third, fourth, fifth);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("restricted") // the class exists for native access
    private static MethodHandle link(String name) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().find(name).orElseThrow(),
                FunctionDescriptor.of(
                        JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }
}
