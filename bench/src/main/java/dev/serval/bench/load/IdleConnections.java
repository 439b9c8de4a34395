package dev.serval.bench.load;

import dev.serval.bench.peer.BenchFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/// Connections that are idle after one answered request each.
final class IdleConnections implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 10_000;

    private final List<SocketChannel> channels = new ArrayList<>();

    private IdleConnections() {}

    /// Opens this many connections, one after the other.
    ///
    /// @throws BenchFailure if one gets a wrong answer
    static IdleConnections open(Client.Target target, int count) throws IOException {
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

    /// Returns how many connections the server has not closed.
    int stillOpen() throws IOException {
        int open = 0;
        ByteBuffer probe = ByteBuffer.allocate(1);
        for (SocketChannel channel : channels) {
            open += channel.read(probe.clear()) == 0 ? 1 : 0;
        }
        return open;
    }

    @Override
    public void close() throws IOException {
        for (SocketChannel channel : channels) {
            channel.close();
        }
    }
}
