package dev.serval.bench.load;

import dev.serval.bench.client.HttpConnection;
import dev.serval.bench.client.ResponseReader;
import dev.serval.bench.peer.BenchFailure;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/// A connection that stays open and requests the same page again and again. It waits for each
/// answer in the caller's thread. One thread at a time.
final class Caller implements AutoCloseable {
    private static final int READ_BYTES = 8192;
    private static final int CONNECT_MILLIS = 10_000;

    private final HttpConnection connection;
    private final byte[] request;
    private final byte[] buffer = new byte[READ_BYTES];
    private final ResponseReader reader;

    private Caller(HttpConnection connection, Client.Target target) {
        this.connection = connection;
        this.request =
                RequestText.head(target, Cell.HeadKind.SHORT, false)
                        .getBytes(StandardCharsets.US_ASCII);
        this.reader = new ResponseReader(target.page().length());
    }

    /// Connects to the target.
    static Caller to(Client.Target target) throws IOException {
        return new Caller(HttpConnection.to(target.port(), CONNECT_MILLIS), target);
    }

    /// Sends one request and waits for its answer. After a timeout the connection is of no use any
    /// more.
    ///
    /// @param timeoutMillis the longest pause within the answer; at least 1
    /// @throws SocketTimeoutException after such a pause
    /// @throws BenchFailure if the answer is not the page
    void ask(int timeoutMillis) throws IOException {
        connection.timeout(timeoutMillis);
        connection.send(request, 0, request.length);
        int complete = 0;
        while (complete == 0) {
            int read = connection.readRaw(buffer);
            complete = read < 0 ? 0 : reader.read(ByteBuffer.wrap(buffer, 0, read));
            if (read < 0 || reader.broken()) {
                throw new BenchFailure("a request got a wrong answer");
            }
        }
    }

    /// Returns the channel of the connection.
    SocketChannel channel() {
        return connection.channel();
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
