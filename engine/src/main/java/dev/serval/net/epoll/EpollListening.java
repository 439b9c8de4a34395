package dev.serval.net.epoll;

import dev.serval.net.Network;
import java.io.IOException;
import java.net.BindException;
import java.net.SocketAddress;

/// A listening socket of an [EpollNetwork]. Owned by the loop.
///
/// Other loops and processes may accept from the same socket, each by its own descriptor. Such a
/// descriptor is registered with EPOLLEXCLUSIVE, so that a connection does not wake all of them. A
/// registration of that kind cannot be changed, only removed and made again (`epoll_ctl(2)`).
final class EpollListening implements Network.Listening, EpollInstance.Registered {
    private static final int ACCEPTS_PER_TURN = 64;

    /// The connections that may wait at a socket whose backlog is not known: the most of Linux by default.
    private static final int USUAL_QUEUE = 4096;

    /// The life of a socket:
    ///
    /// ```
    /// BOUND ──▶ ACCEPTING ◀──▶ PAUSED
    ///   └──────────┴──▶ CLOSED ◀──┘
    /// ```
    private enum State {
        BOUND,
        ACCEPTING,
        PAUSED,
        CLOSED
    }

    private final EpollNetwork network;
    private final Syscalls calls;
    private final SocketAddresses names;
    private final int fd;
    private final SocketAddress address;
    private final Network.Acceptor acceptor;
    private final boolean shared;
    private int backlog; // of a shared socket: as the system says when this begins
    private State state = State.BOUND;

    /// @param backlog 0 for a socket that others use too
    private EpollListening(
            EpollNetwork network,
            SocketAddresses names,
            int fd,
            SocketAddress address,
            Network.Acceptor acceptor,
            int backlog) {
        this.network = network;
        this.calls = network.calls();
        this.names = names;
        this.fd = fd;
        this.address = address;
        this.acceptor = acceptor;
        this.shared = backlog == 0;
        this.backlog = backlog;
        network.instance().note(fd, this);
    }

    /// Accepts by a bound descriptor of a socket that only this loop uses.
    ///
    /// @param names takes the addresses of peers
    static EpollListening own(
            EpollNetwork network,
            SocketAddresses names,
            int fd,
            Network.Binding binding,
            Network.Acceptor acceptor) {
        return new EpollListening(
                network, names, fd, binding.address(), acceptor, binding.backlog());
    }

    /// Accepts by a descriptor of a listening socket that others use too.
    static EpollListening shared(
            EpollNetwork network,
            SocketAddresses names,
            int fd,
            SocketAddress address,
            Network.Acceptor acceptor) {
        return new EpollListening(network, names, fd, address, acceptor, 0);
    }

    @Override
    public void begin() throws IOException {
        if (state != State.BOUND) {
            return;
        }
        if (shared) {
            backlog = network.options().backlog(fd);
        } else {
            int listening = calls.listen(fd, backlog);
            if (listening < 0) {
                throw new BindException(Syscalls.text(listening));
            }
        }
        network.instance().register(fd, interest(), this);
        state = State.ACCEPTING;
    }

    @Override
    public void backlog(int connections) {
        if (!shared) {
            backlog = connections;
            queueAtMost(connections);
        }
    }

    @Override
    public void queueAtMost(int connections) {
        if (state != State.BOUND && state != State.CLOSED && backlog > 0) {
            calls.listen(fd, Math.min(connections, backlog)); // it listens, so nothing can fail
        }
    }

    private int interest() {
        return shared ? Syscalls.EPOLLIN | Syscalls.EPOLLEXCLUSIVE : Syscalls.EPOLLIN;
    }

    @Override
    public void accepting(boolean on) {
        State next = on ? State.ACCEPTING : State.PAUSED;
        if (state == State.BOUND || state == State.CLOSED || state == next) {
            return;
        }
        state = next;
        if (!shared) {
            network.instance().change(fd, on ? Syscalls.EPOLLIN : 0);
        } else if (on) {
            network.instance().register(fd, interest(), this);
        } else {
            network.instance().suspend(fd);
        }
    }

    @Override
    public void ready(int happened) {
        if (state == State.ACCEPTING && acceptor.mayAccept()) {
            accept(ACCEPTS_PER_TURN);
        }
    }

    /// Accepts no more than may have waited before: clients may open connections as fast as the loop
    /// serves them.
    @Override
    public void close() {
        if (state == State.ACCEPTING || state == State.PAUSED) {
            accept(1L + (backlog > 0 ? backlog : USUAL_QUEUE)); // a queue takes one more
        }
        leave();
    }

    /// Closes the descriptor. Its registration must be removed before: a duplicate, in this process or
    /// another, keeps the socket open, and then the system would keep the registration too and report
    /// a socket that nobody accepts from.
    @Override
    public void leave() {
        if (state == State.CLOSED) {
            return;
        }
        boolean registered = state == State.ACCEPTING || (state == State.PAUSED && !shared);
        state = State.CLOSED;
        if (registered) {
            network.instance().suspend(fd);
        }
        network.instance().closeFd(fd);
    }

    @Override
    public int duplicate() throws IOException {
        int duplicate = calls.duplicate(fd);
        if (duplicate < 0) {
            throw new IOException("fcntl: " + Syscalls.text(duplicate));
        }
        return duplicate;
    }

    private EpollTransport transport(int accepted) {
        try {
            return new EpollTransport(network, accepted, address, names.read());
        } catch (Error e) { // out of memory: the socket would stay open
            calls.close(accepted);
            throw e;
        }
    }

    private void accept(long most) {
        for (long i = 0; i < most; i++) {
            int accepted = calls.accept(fd, names.address(), names.lengthAddress());
            if (accepted >= 0) {
                acceptor.accepted(transport(accepted));
            } else if (accepted == -Syscalls.EAGAIN) {
                return;
            } else if (accepted != -Syscalls.ECONNABORTED && accepted != -Syscalls.EINTR) {
                acceptor.acceptFailed(new IOException(Syscalls.text(accepted)));
                return;
            }
        }
    }
}
