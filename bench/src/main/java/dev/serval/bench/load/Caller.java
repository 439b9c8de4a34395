package dev.serval.bench.load;

import dev.serval.bench.client.AnswerReader;
import dev.serval.bench.client.HttpConnection;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.scenario.Cell;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/// A connection that stays open and requests the same page again and again. It waits for each
/// answer in the caller's thread. One thread at a time.
final class Caller implements AutoCloseable {
    private static final int CONNECT_MILLIS = 10_000;

    private final HttpConnection connection;
    private final byte[] request;
    private final AnswerReader reader;

    private Caller(HttpConnection connection, Client.Target target) {
        this.connection = connection;
        this.request =
                RequestText.request(target, Cell.HeadKind.SHORT, "", false)
                        .getBytes(StandardCharsets.US_ASCII);
        this.reader = AnswerReader.expecting(target.page().length());
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
        try {
            connection.ask(request, reader);
        } catch (ProtocolException | EOFException e) {
            throw new BenchFailure("a request got a wrong answer: " + e.getMessage(), e);
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
