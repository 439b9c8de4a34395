package dev.serval.bench.load;

import dev.serval.bench.peer.BenchFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/// Connections that are idle after one answered request each.
public final class IdleConnections implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 10_000;

    private final List<SocketChannel> channels = new ArrayList<>();

    private IdleConnections() {}

    /// Opens this many connections, one after the other.
    ///
    /// @throws BenchFailure if one gets a wrong answer
    public static IdleConnections open(Client.Target target, int count) throws IOException {
        IdleConnections idle = new IdleConnections();
        try {
            for (int i = 0; i < count; i++) {
                idle.openOne(target);
            }
            return idle;
        } catch (IOException | BenchFailure e) {
            idle.close();
            throw e;
        }
    }

    private void openOne(Client.Target target) throws IOException {
        Caller caller = Caller.to(target);
        channels.add(caller.channel());
        caller.ask(TIMEOUT_MILLIS);
        caller.channel().configureBlocking(false);
    }

    /// Returns how many connections the server has closed.
    public int closed() throws IOException {
        int closed = 0;
        ByteBuffer probe = ByteBuffer.allocate(1);
        for (SocketChannel channel : channels) {
            closed += channel.read(probe.clear()) == 0 ? 0 : 1;
        }
        return closed;
    }

    /// Throws if the server has closed a connection.
    public void requireAll() throws IOException {
        int closed = closed();
        BenchFailure.require(closed == 0, closed + " idle connections were closed");
    }

    @Override
    public void close() throws IOException {
        for (SocketChannel channel : channels) {
            channel.close();
        }
    }
}
