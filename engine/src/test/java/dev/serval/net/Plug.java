package dev.serval.net;

import dev.serval.loop.FakeClock;
import dev.serval.loop.TestLoops;
import dev.serval.net.memory.MemoryNetwork;
import dev.serval.net.memory.MemoryPeer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Runs one loop in memory. Its drivers record their calls and act as a test says.
final class Plug {
    static final SocketAddress ADDRESS =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 80);

    final FakeClock clock = new FakeClock();
    final MemoryNetwork network = new MemoryNetwork();
    final NetLoop net;
    final List<String> calls = new ArrayList<>();
    final Listener listener;
    int pauses;
    long acceptPauseNanos;
    Consumer<Connection> onReadable = _ -> {};
    boolean readsAfterBreak;
    @Nullable RuntimeException maskFault;
    final ArrayDeque<Runnable> disk = new ArrayDeque<>();
    final List<Runnable> dropped = new ArrayList<>();
    BooleanSupplier diskHasRoom = () -> true;
    boolean diskThrowsAfterwards;
    private boolean masked;
    private @Nullable Connection connection;

    Plug() {
        this(Long.MAX_VALUE);
    }

    /// @param heldMaxBytes as in [NetLoop]
    Plug(long heldMaxBytes) {
        net =
                new NetLoop(
                        new TestLoops(clock).parts(0),
                        network,
                        this::submit,
                        64 << 10,
                        128 << 10,
                        heldMaxBytes);
        try {
            listener = Listener.open(ADDRESS, List.of(net), 64, new Plugs(), _ -> pauses++);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    MemoryPeer client() {
        MemoryPeer client = network.client(ADDRESS);
        turn();
        calls.clear(); // the connection tries to read at once
        return client;
    }

    /// Connects a client over a [MaskedTransport].
    MaskedPeer maskedClient() {
        masked = true;
        return new MaskedPeer(client());
    }

    /// Returns the connection that was opened last.
    Connection connection() {
        @Nullable Connection open = connection;
        if (open == null) {
            throw new IllegalStateException("No connection is open: call client() first");
        }
        return open;
    }

    void turn() {
        net.loop().turn(false);
    }

    void turns(int number) {
        for (int i = 0; i < number; i++) {
            turn();
        }
    }

    Driver plug(Connection opened) {
        connection = opened;
        return new Noting(opened);
    }

    private boolean submit(Runnable work, Runnable drop) {
        if (!diskHasRoom.getAsBoolean()) {
            return false;
        }
        disk.addLast(work);
        dropped.add(drop);
        if (diskThrowsAfterwards) {
            throw new OutOfMemoryError("meant: unable to create native thread");
        }
        return true;
    }

    /// Runs the reads of files that wait, then a turn.
    void disk() {
        for (int n = disk.size(); n > 0; n--) {
            disk.removeFirst().run();
        }
        turn();
    }

    private final class Plugs implements Driver.Factory {
        @Override
        public Transport transport(NetLoop loop, Transport socket) {
            RuntimeException fault = maskFault;
            if (fault != null) {
                throw fault;
            }
            return masked ? new MaskedTransport(loop, socket) : socket;
        }

        @Override
        public Driver open(Connection opened) {
            return plug(opened);
        }

        @Override
        public long acceptPauseNanos(NetLoop loop) {
            return acceptPauseNanos;
        }
    }

    private final class Noting implements Driver {
        private final Connection own;

        Noting(Connection own) {
            this.own = own;
        }

        @Override
        public void readable() {
            calls.add("readable");
            onReadable.accept(own);
        }

        @Override
        public void blocked() {
            calls.add("blocked");
        }

        @Override
        public void drained() {
            calls.add("drained");
        }

        @Override
        public void closed(boolean byPeer) {
            calls.add(byPeer ? "lost" : "closed");
        }

        @Override
        public void drain() {
            calls.add("drain");
        }

        @Override
        public boolean readsAfterBreak() {
            return readsAfterBreak;
        }
    }
}
