package dev.serval.bench.client;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/// A connection that stays open: sends requests and reads their answers, each call in the caller's
/// thread. One thread at a time; another may send while it reads.
public final class HttpConnection implements AutoCloseable {
    private static final int READ_BYTES = 16 << 10;

    private final SocketChannel channel;
    private final InputStream in;
    private final byte[] buffer = new byte[READ_BYTES];
    private final ByteBuffer unread = ByteBuffer.wrap(buffer).limit(0);
    private final AnswerHead head = new AnswerHead();

    /// An answer.
    ///
    /// @param status of it
    /// @param content all of it; empty if the status is not 200
    public record Answer(int status, byte[] content) {}

    private HttpConnection(SocketChannel channel) throws IOException {
        this.channel = channel;
        this.in = channel.socket().getInputStream();
    }

    /// Connects.
    ///
    /// @param timeoutMillis of this and, until [#timeout], of each wait for bytes; at least 1
    public static HttpConnection to(SocketAddress address, int timeoutMillis) throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.socket().connect(address, timeoutMillis);
            HttpConnection connection = new HttpConnection(channel);
            connection.timeout(timeoutMillis);
            return connection;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /// Connects to that port of the loopback address.
    public static HttpConnection to(int port, int timeoutMillis) throws IOException {
        return to(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), timeoutMillis);
    }

    /// Asks once, on a connection of its own to that port of the loopback address.
    public static Answer get(int port, String path, int timeoutMillis) throws IOException {
        try (HttpConnection connection = to(port, timeoutMillis)) {
            connection.send("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n\r\n");
            int status = connection.head().status();
            return new Answer(status, status == 200 ? connection.content() : new byte[0]);
        }
    }

    /// Waits so long for bytes; past it reading fails with a [java.net.SocketTimeoutException].
    public void timeout(int millis) throws IOException {
        channel.socket().setSoTimeout(millis);
    }

    /// Sends US-ASCII text.
    public void send(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        send(bytes, 0, bytes.length);
    }

    /// Sends `bytes[from, from + length)`.
    public void send(byte[] bytes, int from, int length) throws IOException {
        ByteBuffer out = ByteBuffer.wrap(bytes, from, length);
        while (out.hasRemaining()) {
            channel.write(out);
        }
    }

    /// Reads the head of the next answer; valid until the next call.
    ///
    /// @throws EOFException if the server closes before its end
    /// @throws ProtocolException if it is no head of an answer
    public AnswerHead head() throws IOException {
        head.reset();
        while (!head.take(unread)) {
            int n = in.read(buffer);
            if (n < 0) {
                throw new EOFException("the server closed after \"" + head + "\"");
            }
            unread.clear().limit(n);
        }
        if (head.status() == 0) {
            throw new ProtocolException("no head of an answer: " + head);
        }
        return head;
    }

    /// Reads all content of the answer whose head was read.
    ///
    /// @throws ProtocolException if its head told no length
    public byte[] content() throws IOException {
        byte[] content = new byte[Math.toIntExact(lengthTold())];
        for (int at = 0; at < content.length; ) {
            at += read(content, at, content.length - at);
        }
        return content;
    }

    /// Reads a piece of content.
    ///
    /// @return bytes, at least 1
    /// @throws EOFException if the server closes before
    public int read(byte[] into, int from, int atMost) throws IOException {
        if (unread.hasRemaining()) {
            int n = Math.min(atMost, unread.remaining());
            unread.get(into, from, n);
            return n;
        }
        int n = in.read(into, from, atMost);
        if (n < 0) {
            throw new EOFException("the server closed inside the content");
        }
        return n;
    }

    /// Reads what comes as it is, for a [ResponseReader]; not to be mixed with the calls above.
    ///
    /// @return bytes, or -1 if the server closed
    public int readRaw(byte[] into) throws IOException {
        return in.read(into);
    }

    /// The length that the head told.
    public long lengthTold() throws ProtocolException {
        long length = head.length();
        if (length < 0) {
            throw new ProtocolException("an answer without length: " + head);
        }
        return length;
    }

    /// Its connection.
    public SocketChannel channel() {
        return channel;
    }

    /// Closes with a reset (RST).
    public void reset() throws IOException {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        channel.close();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
