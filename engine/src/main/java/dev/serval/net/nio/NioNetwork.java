package dev.serval.net.nio;

import dev.serval.net.LooseSocket;
import dev.serval.net.Network;
import dev.serval.net.OwnerOnly;
import dev.serval.net.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Sockets by java.nio: one selector, level-triggered. Runs wherever a JDK runs.
public final class NioNetwork implements Network {
    private static final int ACCEPTS_PER_TURN = 64;
    private static final long NANOS_PER_MILLI = 1_000_000;

    /// The attachment of a selection key.
    sealed interface Registered permits NioTransport, NioListening, NioConnecting {
        /// Acts on the key's ready operations.
        void ready();
    }

    private final Selector selector;
    private final Consumer<SelectionKey> note = this::note;
    private @Nullable Registered[] ready = new @Nullable Registered[256];
    private int count; // of the noted keys
    private int next; // the first of them that is not dispatched yet

    /// Opens a selector.
    ///
    /// @throws UncheckedIOException if the system has no file descriptor left
    public NioNetwork() {
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot open a selector", e);
        }
    }

    @Override
    public Listening bind(Binding binding, Acceptor acceptor) throws IOException {
        SocketAddress address = binding.address();
        boolean unix = address instanceof UnixDomainSocketAddress;
        ServerSocketChannel channel =
                unix
                        ? ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                        : ServerSocketChannel.open();
        try {
            if (binding.shared() && !unix) {
                channel.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            }
            if (binding.ownerOnly() && address instanceof UnixDomainSocketAddress file) {
                OwnerOnly.bind(channel, file.getPath(), binding.backlog());
            } else {
                channel.bind(address, binding.backlog());
            }
            channel.configureBlocking(false);
            return new NioListening(
                    channel,
                    unix ? address : channel.getLocalAddress(),
                    binding.backlog(),
                    acceptor);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public Runnable connect(SocketAddress address, Connecting then) {
        return connect(null, address, then);
    }

    @Override
    public Runnable connect(
            @Nullable InetSocketAddress from, SocketAddress address, Connecting then) {
        try {
            SocketChannel channel = opened(address);
            try {
                channel.configureBlocking(false);
                if (from != null) {
                    channel.bind(from);
                }
                boolean done = channel.connect(address);
                NioConnecting connecting = new NioConnecting(channel, then);
                int ops = done ? SelectionKey.OP_WRITE : SelectionKey.OP_CONNECT;
                channel.register(selector, ops, connecting);
                return connecting::end;
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
        } catch (IOException e) {
            then.connectFailed(e);
            return () -> {};
        } catch (UnsupportedAddressTypeException e) {
            then.connectFailed(new ConnectException("This system or this JVM has no IPv6"));
            return () -> {};
        }
    }

    private static SocketChannel opened(SocketAddress address) throws NoMeans {
        try {
            return address instanceof UnixDomainSocketAddress
                    ? SocketChannel.open(StandardProtocolFamily.UNIX)
                    : SocketChannel.open();
        } catch (IOException e) { // the system knows nothing of the other side yet
            throw new NoMeans(String.valueOf(e.getMessage()));
        }
    }

    /// Takes the channel. If it left this very selector a moment ago, its old key is removed first,
    /// because a channel has at most one key for a selector.
    @Override
    public Transport adopt(LooseSocket socket) {
        if (!(socket instanceof LooseChannel loose)) {
            throw new IllegalArgumentException("Not a socket of java.nio: " + socket);
        }
        if (loose.channel().keyFor(selector) != null) {
            removeCancelledKeys();
        }
        return new NioTransport(loose.channel(), selector, loose.local(), loose.peer());
    }

    private void removeCancelledKeys() {
        try {
            selector.selectNow(note);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot poll sockets: the selector failed", e);
        }
    }

    /// A channel that no transport uses.
    record LooseChannel(SocketChannel channel, SocketAddress local, SocketAddress peer)
            implements LooseSocket {
        @Override
        public void close() {
            closeQuietly(channel);
        }
    }

    @Override
    public void poll(long timeoutNanos) {
        if (next < count) {
            return; // the last dispatch had enough before the end
        }
        try {
            if (timeoutNanos == 0) {
                selector.selectNow(note);
            } else if (timeoutNanos == Long.MAX_VALUE) {
                selector.select(note);
            } else {
                selector.select(note, Math.max(1, timeoutNanos / NANOS_PER_MILLI));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot wait for sockets: the selector failed", e);
        }
    }

    @Override
    public void dispatch(BooleanSupplier enough) {
        while (next < count && !enough.getAsBoolean()) {
            @Nullable Registered one = ready[next];
            ready[next++] = null;
            if (one != null) {
                one.ready();
            }
        }
        if (next == count) {
            next = 0;
            count = 0;
        }
    }

    @Override
    public void wakeup() {
        selector.wakeup();
    }

    @Override
    public void close() {
        for (SelectionKey key : selector.keys()) {
            closeQuietly(key.channel());
        }
        closeQuietly(selector);
    }

    /// Stores a ready key. It does no more, because it runs inside the selector's monitors.
    private void note(SelectionKey key) {
        if (count == ready.length) {
            ready = Arrays.copyOf(ready, 2 * count);
        }
        ready[count++] = (Registered) key.attachment();
    }

    private static void closeQuietly(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            // A failed close leaves nothing to do.
        }
    }

    /// Represents a listening channel.
    final class NioListening implements Listening, Registered {
        private final ServerSocketChannel channel;
        private final Acceptor acceptor;
        private final SocketAddress address;
        private final int backlog;
        private @Nullable SelectionKey key; // null before the begin

        NioListening(
                ServerSocketChannel channel,
                SocketAddress address,
                int backlog,
                Acceptor acceptor) {
            this.channel = channel;
            this.acceptor = acceptor;
            this.address = address;
            this.backlog = backlog;
        }

        @Override
        public void begin() throws IOException {
            key = channel.register(selector, SelectionKey.OP_ACCEPT, this);
        }

        @Override
        public void accepting(boolean on) {
            @Nullable SelectionKey present = key;
            if (present != null && present.isValid()) {
                present.interestOps(on ? SelectionKey.OP_ACCEPT : 0);
            }
        }

        @Override
        public void ready() {
            @Nullable SelectionKey present = key;
            if (present != null
                    && present.isValid()
                    && present.interestOps() != 0
                    && acceptor.mayAccept()) {
                accept(ACCEPTS_PER_TURN);
            }
        }

        /// Closes the channel, after no more connections than may have waited before. The JDK closes the
        /// descriptor of a registered channel only in the next select, and until then the address stays
        /// in use.
        @Override
        public void close() {
            @Nullable SelectionKey present = key;
            if (present != null && present.isValid()) {
                accept(backlog + 1L); // a queue takes one more
            }
            closeQuietly(channel);
            if (selector.isOpen()) {
                removeCancelledKeys();
            }
        }

        private void accept(long most) {
            try {
                for (long i = 0; i < most; i++) {
                    @Nullable SocketChannel accepted = channel.accept();
                    if (accepted == null) {
                        return;
                    }
                    hand(accepted);
                }
            } catch (IOException e) {
                acceptor.acceptFailed(e);
            }
        }

        private void hand(SocketChannel accepted) {
            try {
                accepted.configureBlocking(false);
                boolean inet = address instanceof InetSocketAddress;
                if (inet) {
                    accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
                }
                acceptor.accepted(
                        new NioTransport(
                                accepted,
                                selector,
                                inet ? accepted.getLocalAddress() : address,
                                accepted.getRemoteAddress()));
            } catch (IOException e) {
                closeQuietly(accepted); // the client disconnected during the accept
            }
        }
    }

    /// Represents a channel that is connecting.
    final class NioConnecting implements Registered {
        private final SocketChannel channel;
        private final Connecting then;
        private boolean over;

        NioConnecting(SocketChannel channel, Connecting then) {
            this.channel = channel;
            this.then = then;
        }

        @Override
        public void ready() {
            if (over) { // ended in this turn
                return;
            }
            over = true;
            try {
                channel.finishConnect();
                SocketAddress peer = channel.getRemoteAddress();
                if (peer instanceof InetSocketAddress) {
                    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                }
                NioTransport transport =
                        new NioTransport(channel, selector, channel.getLocalAddress(), peer);
                transport.take(channel.keyFor(selector));
                then.connected(transport);
            } catch (IOException e) {
                closeQuietly(channel);
                then.connectFailed(e);
            }
        }

        private void end() {
            if (!over) {
                over = true;
                closeQuietly(channel);
            }
        }
    }
}
