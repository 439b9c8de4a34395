package dev.serval.bench.load;

import dev.serval.bench.peer.BenchFailure;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/// A connection that stays open and asks for the same page again and again, each time waiting for the
/// answer in the caller's thread. One thread at a time.
final class Caller implements AutoCloseable {
    private static final int READ_BYTES = 8192;

    private final SocketChannel channel;
    private final byte[] request;
    private final byte[] buffer = new byte[READ_BYTES];
    private final ResponseReader reader;
    private final InputStream in;

    private Caller(SocketChannel channel, Client.Target target) throws IOException {
        this.channel = channel;
        this.request =
                RequestText.head(target, Cell.HeadKind.SHORT, false)
                        .getBytes(StandardCharsets.US_ASCII);
        this.reader = new ResponseReader(target.page().length());
        this.in = channel.socket().getInputStream();
    }

    /// Connects.
    static Caller to(Client.Target target) throws IOException {
        SocketChannel channel =
                SocketChannel.open(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), target.port()));
        try {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            return new Caller(channel, target);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /// Asks once. After a time-out the connection is of no use any more.
    ///
    /// @param timeoutMillis between two pieces of the answer; at least 1
    /// @throws SocketTimeoutException where nothing came for so long
    /// @throws BenchFailure where the answer is not the page's
    void ask(int timeoutMillis) throws IOException {
        channel.socket().setSoTimeout(timeoutMillis);
        ByteBuffer out = ByteBuffer.wrap(request);
        while (out.hasRemaining()) {
            channel.write(out);
        }
        int complete = 0;
        while (complete == 0) {
            int read = in.read(buffer);
            complete = read < 0 ? 0 : reader.read(ByteBuffer.wrap(buffer, 0, read));
            if (read < 0 || reader.broken()) {
                throw new BenchFailure("a request was not answered as it must be");
            }
        }
    }

    /// Its connection.
    SocketChannel channel() {
        return channel;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
