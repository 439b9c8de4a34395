package dev.serval.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A client that sends exactly the bytes it is told, garbage as well, and reads what comes back
/// strictly. Over TCP or a Unix-domain socket; every call blocks, for at most its patience (10 s),
/// then fails with what was received so far. Text is ISO-8859-1.
///
/// Sending takes in what the server says meanwhile, as real clients do, so that neither waits for
/// the other for ever; only [#offer] leaves it unread. A server that closes while we send is no
/// failure by itself: what it said before is still there to be read.
public final class RawClient implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final SocketChannel channel;
    private final Selector selector;
    private final SelectionKey key;
    private final ByteBuffer buffer = ByteBuffer.allocate(16 << 10);
    private Duration patience = PATIENCE;
    private byte[] received = new byte[1024];
    private int receivedTo;
    private int readAt;
    private boolean ended;
    private @Nullable IOException broken;

    private RawClient(SocketChannel channel) throws IOException {
        this.channel = channel;
        channel.configureBlocking(false);
        this.selector = Selector.open();
        this.key = channel.register(selector, SelectionKey.OP_READ);
    }

    /// Connects to a TCP or Unix-domain address.
    public static RawClient connect(SocketAddress address) {
        return connect(address, 0);
    }

    /// Connects to a port of the loopback address.
    public static RawClient connect(int port) {
        return connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /// Connects with a receive buffer of about so many bytes, so that a server that sends to a
    /// client that does not read is soon stuck; 0 for the system's choice.
    public static RawClient connect(SocketAddress address, int receiveBytes) {
        try {
            boolean unix = address instanceof UnixDomainSocketAddress;
            SocketChannel channel =
                    unix ? SocketChannel.open(StandardProtocolFamily.UNIX) : SocketChannel.open();
            if (!unix) {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            }
            if (receiveBytes > 0) {
                channel.setOption(StandardSocketOptions.SO_RCVBUF, receiveBytes);
            }
            channel.connect(address);
            return new RawClient(channel);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot connect to " + address, e);
        }
    }

    /// Waits so long instead of 10 s.
    public RawClient patience(Duration other) {
        patience = other;
        return this;
    }

    /// Our own address, as the server sees it.
    public SocketAddress localAddress() {
        try {
            return channel.getLocalAddress();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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

    /// Sends each piece in a write of its own. TCP may join them; with no delay on loopback it
    /// seldom does.
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

    /// Sends what the socket takes at once, reads nothing.
    ///
    /// @return bytes taken
    public int offer(byte[] bytes) {
        return write(ByteBuffer.wrap(bytes));
    }

    /// Finishes sending (half-close), reading goes on.
    public RawClient finish() {
        try {
            channel.shutdownOutput();
        } catch (IOException e) {
            broken = e;
        }
        return this;
    }

    /// Whether the server refused to take what we sent: it has closed.
    public boolean refused() {
        return broken != null;
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

    /// Reads the next final response; the interim ones before it are in its `interims`.
    public RawResponse answer(String method) {
        List<RawResponse> interims = new ArrayList<>();
        RawResponse response = next(method);
        while (response.status() < 200 && response.status() != 101) {
            interims.add(response);
            response = next(method);
        }
        return response.behind(interims);
    }

    /// Reads the next response, interim or final.
    public RawResponse next(String method) {
        int from = readAt;
        try {
            return new ResponseReader(this::b).read(method);
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + "\n" + state(from), e);
        }
    }

    /// Reads so many bytes.
    public byte[] bytes(int count) {
        int from = readAt;
        while (receivedTo - readAt < count) {
            if (!fill()) {
                throw new AssertionError("expected " + count + " bytes\n" + state(from));
            }
        }
        readAt += count;
        return Arrays.copyOfRange(received, from, readAt);
    }

    /// Reads until the text stands there, and returns all up to its end.
    public String until(String text) {
        int from = readAt;
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

    /// Reads all that comes until the server closes.
    public byte[] rest() {
        int from = readAt;
        while (fill()) {
            readAt = receivedTo;
        }
        readAt = receivedTo;
        return Arrays.copyOfRange(received, from, receivedTo);
    }

    /// Fails unless the server closes (or resets) within our patience, having sent nothing more.
    public void expectClosed() {
        byte[] more = rest();
        if (more.length > 0) {
            throw new AssertionError("expected a close, received\n" + Escapes.show(more));
        }
    }

    /// Waits for the next byte or the end; true where the server has finished sending and nothing is
    /// left to be read.
    public boolean ends() {
        return readAt == receivedTo && !fill();
    }

    /// Whether something has arrived that was not read yet; does not wait.
    public boolean hasUnread() {
        if (readAt == receivedTo) {
            receive();
        }
        return readAt < receivedTo;
    }

    /// Whether the server has closed, as far as is known now; does not wait.
    public boolean closedByServer() {
        receive();
        return ended;
    }

    /// Closes with a reset (RST), so that the server's reads and writes fail.
    public void reset() {
        try {
            selector.close();
            channel.configureBlocking(true);
            if (channel.getLocalAddress() instanceof InetSocketAddress) {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            selector.close();
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int b() {
        if (readAt == receivedTo && !fill()) {
            return -1;
        }
        return received[readAt++] & 0xff;
    }

    /// Waits for more; false where the server has finished sending.
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
            return channel.write(out);
        } catch (IOException e) {
            broken = e;
            return 0;
        }
    }

    private void receive() {
        try {
            int count = ended ? -1 : channel.read(buffer.clear());
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

    private void await(int operations, long deadline, String what) {
        long millis = (deadline - System.nanoTime()) / 1_000_000;
        if (millis <= 0) {
            throw new AssertionError(
                    "waited %s for %s%n%s".formatted(patience, what, state(readAt)));
        }
        try {
            // A peer that has finished stays readable: watching it would spin.
            key.interestOps(ended ? operations & ~SelectionKey.OP_READ : operations);
            selector.select(_ -> {}, millis);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String state(int from) {
        String end = ended ? " (then the connection ended)" : "";
        byte[] seen = Arrays.copyOfRange(received, from, receivedTo);
        String cause = broken == null ? "" : "; " + broken.getMessage();
        return "received " + seen.length + " bytes" + end + cause + ":\n" + Escapes.show(seen);
    }
}
