package dev.serval.bench.load;

import dev.serval.bench.peer.BenchFailure;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Connections that have had one request answered and then say nothing.
final class IdleConnections implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 10_000;

    private final List<SocketChannel> channels = new ArrayList<>();

    private IdleConnections() {}

    /// Opens so many, one after the other.
    ///
    /// @throws BenchFailure where one gets a wrong answer
    static IdleConnections open(Client.Target target, int count) throws IOException {
        IdleConnections idle = new IdleConnections();
        byte[] request =
                RequestText.head(target, Cell.HeadKind.SHORT, false)
                        .getBytes(StandardCharsets.US_ASCII);
        byte[] buffer = new byte[64 << 10];
        ResponseReader reader = new ResponseReader(target.page().length());
        try {
            for (int i = 0; i < count; i++) {
                idle.openOne(target, request, buffer, reader);
            }
            return idle;
        } catch (IOException | BenchFailure e) {
            idle.close();
            throw e;
        }
    }

    private void openOne(Client.Target target, byte[] request, byte[] buffer, ResponseReader reader)
            throws IOException {
        SocketChannel channel =
                SocketChannel.open(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), target.port()));
        channels.add(channel);
        channel.socket().setSoTimeout(TIMEOUT_MILLIS);
        channel.write(ByteBuffer.wrap(request));
        reader.reset();
        InputStream in = channel.socket().getInputStream();
        int complete = 0;
        while (complete == 0) {
            int read = in.read(buffer);
            complete = read < 0 ? 0 : reader.read(ByteBuffer.wrap(buffer, 0, read));
            if (read < 0 || reader.broken()) {
                throw new BenchFailure(
                        "connection " + channels.size() + " of the idle ones was not answered");
            }
        }
        channel.configureBlocking(false);
    }

    /// How many the server has not closed.
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
