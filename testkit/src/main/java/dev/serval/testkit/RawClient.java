package dev.serval.testkit;

import dev.serval.testkit.mode.Mode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A client that sends exactly the given bytes, even malformed ones, and reads responses strictly.
/// It works over TCP or a Unix-domain socket. Each call blocks for at most its patience (60 s),
/// then fails with the bytes received so far. Text is ISO-8859-1.
///
/// While it sends, it also reads, as real clients do, so that client and server cannot wait for
/// each other forever; only [#offer] does not read. If the server closes during sending, that is
/// not a failure, and all that it sent before can still be read.
public final class RawClient implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ClientSocket socket;
    private final ByteBuffer buffer = ByteBuffer.allocate(16 << 10);
    private Duration patience = PATIENCE;
    private byte[] received = new byte[1024];
    private int receivedTo;
    private int readAt;
    private boolean ended;
    private @Nullable IOException broken;

    private RawClient(ClientSocket socket) {
        this.socket = socket;
    }

    /// Connects to a TCP or Unix-domain address, in the mode in which it is served ([Mode]).
    public static RawClient connect(SocketAddress address) {
        return connect(address, 0);
    }

    /// Connects with a receive buffer of about `receiveBytes`, 0 for the system's default. With a
    /// small buffer a server soon blocks if the client does not read.
    public static RawClient connect(SocketAddress address, int receiveBytes) {
        return new RawClient(ClientSocket.connect(address, receiveBytes, Mode.at(address)));
    }

    /// Connects to a TCP address in a mode. With TLS, it trusts [TestKeys#local].
    public static RawClient connect(SocketAddress address, Mode mode) {
        return new RawClient(ClientSocket.connect(address, 0, mode));
    }

    /// Connects with TLS to a TCP address. The bytes that are sent are those inside.
    public static RawClient connect(SocketAddress address, TlsClient tls) {
        return new RawClient(ClientSocket.connect(address, tls));
    }

    /// Connects with TLS to a TCP address, in a mode that has it.
    public static RawClient connect(SocketAddress address, TlsClient tls, Mode mode) {
        return new RawClient(ClientSocket.connect(address, tls, mode));
    }

    /// Returns the answer to one GET on a new connection.
    public static RawResponse get(SocketAddress address, String target) {
        try (RawClient client = connect(address)) {
            return client.exchange("GET " + target + " HTTP/1.1\r\nHost: test\r\n\r\n");
        }
    }

    /// Sets how long each call waits, instead of 60 s.
    public RawClient patience(Duration other) {
        patience = other;
        return this;
    }

    /// Sends the text.
    public RawClient send(String text) {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /// Sends the bytes.
    public RawClient send(byte[] bytes) {
        ByteBuffer out = ByteBuffer.wrap(bytes);
        long deadline = System.nanoTime() + patience.toNanos();
        while (out.hasRemaining() && broken == null) {
            if (write(out) == 0 && broken == null) {
                await(SelectionKey.OP_WRITE | SelectionKey.OP_READ, deadline, "room to send");
                receive();
            }
        }
        return this;
    }

    /// Sends each piece in its own write. TCP may join them; without delay on loopback it seldom
    /// does.
    public RawClient sendPieces(String... pieces) {
        for (String piece : pieces) {
            send(piece);
        }
        return this;
    }

    /// Sends the bytes in pieces of `pieceBytes`.
    public RawClient sendInPieces(byte[] bytes, int pieceBytes) {
        for (int at = 0; at < bytes.length; at += pieceBytes) {
            send(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + pieceBytes)));
        }
        return this;
    }

    /// Sends as much as the socket accepts at once, and reads nothing.
    ///
    /// @return number of bytes sent
    public int offer(byte[] bytes) {
        return write(ByteBuffer.wrap(bytes));
    }

    /// Finishes sending (half-close). Reading continues.
    public RawClient finish() {
        try {
            socket.finish();
        } catch (IOException e) {
            broken = e;
        }
        return this;
    }

    /// Sends a request and reads its answer; the method is the text up to the first space.
    public RawResponse exchange(String request) {
        send(request);
        int space = request.indexOf(' ');
        return answer(space < 0 ? "GET" : request.substring(0, space));
    }

    /// Reads the next final response, to a request other than HEAD.
    public RawResponse answer() {
        return answer("GET");
    }

    /// Reads the next final response, with the interim responses before it in `interims`.
    public RawResponse answer(String method) {
        List<RawResponse> interims = new ArrayList<>();
        RawResponse response = next(method);
        while (response.status() < 200 && response.status() != 101) {
            interims.add(response);
            response = next(method);
        }
        return response.withInterims(interims);
    }

    /// Reads the next response, interim or final.
    public RawResponse next(String method) {
        int from = forgetRead();
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        ResponseReader reader =
                new ResponseReader(method, (bytes, at, to) -> body.write(bytes, at, to - at));
        try {
            while (!reader.isComplete()) {
                if (readAt < receivedTo || fill()) {
                    readAt = reader.take(received, readAt, receivedTo);
                } else {
                    reader.end();
                }
            }
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + "\n" + state(from), e);
        }
        return reader.response(body.toByteArray());
    }

    /// Reads `count` bytes.
    public byte[] bytes(int count) {
        int from = forgetRead();
        while (receivedTo - readAt < count) {
            if (!fill()) {
                throw new AssertionError("expected " + count + " bytes\n" + state(from));
            }
        }
        readAt += count;
        return Arrays.copyOfRange(received, from, readAt);
    }

    /// Reads up to and including the text, and returns all bytes read.
    public String until(String text) {
        int from = forgetRead();
        byte[] end = text.getBytes(StandardCharsets.ISO_8859_1);
        int at = from;
        while (true) {
            while (receivedTo - at < end.length) {
                if (!fill()) {
                    throw new AssertionError("expected \"" + text + "\"\n" + state(from));
                }
            }
            if (Arrays.equals(received, at, at + end.length, end, 0, end.length)) {
                readAt = at + end.length;
                return new String(received, from, readAt - from, StandardCharsets.ISO_8859_1);
            }
            at++;
        }
    }

    /// Reads everything until the server closes.
    public byte[] rest() {
        int from = forgetRead();
        while (fill()) {
            readAt = receivedTo;
        }
        readAt = receivedTo;
        return Arrays.copyOfRange(received, from, receivedTo);
    }

    /// Reads everything until the server closes, and keeps none of it.
    ///
    /// @return number of bytes read
    public long restLength() {
        long length = 0;
        do {
            length += receivedTo - readAt;
            receivedTo = 0;
            readAt = 0;
        } while (fill());
        return length;
    }

    /// Fails unless the server closes or resets in time and has sent nothing more.
    public void expectClosed() {
        byte[] more = rest();
        if (more.length > 0) {
            throw new AssertionError("expected a close, received\n" + Escapes.show(more));
        }
    }

    /// Waits for the next byte or the end. Returns true if the server has finished sending and no
    /// bytes are left to read.
    public boolean ends() {
        return readAt == receivedTo && !fill();
    }

    /// Returns whether the server has closed, as far as is known now. Does not wait.
    public boolean closedByServer() {
        receive();
        return ended;
    }

    /// Closes with a reset (RST), so that the server's reads and writes fail.
    public void reset() {
        socket.reset();
    }

    @Override
    public void close() {
        socket.close();
    }

    /// Returns the size in bytes of the array that holds received bytes.
    int capacity() {
        return received.length;
    }

    /// Waits for more bytes. Returns false if the server has finished sending.
    private boolean fill() {
        long deadline = System.nanoTime() + patience.toNanos();
        int before = receivedTo;
        receive();
        while (receivedTo == before && !ended) {
            await(SelectionKey.OP_READ, deadline, "more bytes");
            receive();
        }
        return receivedTo > before;
    }

    private int write(ByteBuffer out) {
        try {
            return socket.write(out);
        } catch (IOException e) {
            broken = e;
            return 0;
        }
    }

    private void receive() {
        try {
            int count = ended ? -1 : socket.read(buffer.clear());
            ended = count < 0;
            if (count > 0) {
                keep(count);
            }
        } catch (IOException reset) {
            broken = reset;
            ended = true;
        }
    }

    private void keep(int count) {
        if (receivedTo + count > received.length) {
            received = Arrays.copyOf(received, 2 * (receivedTo + count));
        }
        buffer.get(0, received, receivedTo, count);
        receivedTo += count;
    }

    /// Drops the bytes that earlier calls have read, once they are more than half of the array. So a
    /// client of many responses stays small.
    ///
    /// @return the position of the first byte that was not read
    private int forgetRead() {
        if (readAt > received.length / 2) {
            System.arraycopy(received, readAt, received, 0, receivedTo - readAt);
            receivedTo -= readAt;
            readAt = 0;
        }
        return readAt;
    }

    private void await(int operations, long deadline, String what) {
        long millis = (deadline - System.nanoTime()) / 1_000_000;
        if (millis <= 0) {
            throw new AssertionError(
                    "waited %s for %s%n%s".formatted(patience, what, state(readAt)));
        }
        // A peer that has finished sending stays readable, so waiting for it would spin.
        socket.await(ended ? operations & ~SelectionKey.OP_READ : operations, millis);
    }

    private String state(int from) {
        String end = ended ? " (then the connection ended)" : "";
        byte[] seen = Arrays.copyOfRange(received, from, receivedTo);
        String cause = broken == null ? "" : "; " + broken.getMessage();
        return "received " + seen.length + " bytes" + end + cause + ":\n" + Escapes.show(seen);
    }
}
