package dev.serval.bench.client;

import dev.serval.testkit.TestKeys;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Represents a connection that stays open. It sends requests and reads their answers in the
/// caller's thread. One thread at a time may read, and another may send meanwhile.
public final class HttpConnection implements AutoCloseable {
    private static final int READ_BYTES = 16 << 10;

    private final SocketChannel channel;
    private final InputStream in;

    /// Encrypts what is sent; null in the clear.
    private final @Nullable OutputStream sealed;

    private final byte[] buffer = new byte[READ_BYTES];
    private final ByteBuffer unread = ByteBuffer.wrap(buffer).limit(0);
    private final AnswerHead head = new AnswerHead();

    /// Holds an answer.
    ///
    /// @param cookie the first that it sets, such as `ID=1`; empty without one
    /// @param content all content; empty if the status is not 200
    public record Answer(int status, String head, String cookie, byte[] content) {
        /// Returns the content as US-ASCII text.
        public String text() {
            return new String(content, StandardCharsets.US_ASCII);
        }
    }

    private HttpConnection(SocketChannel channel, InputStream in, @Nullable OutputStream sealed) {
        this.channel = channel;
        this.in = in;
        this.sealed = sealed;
    }

    /// Connects.
    ///
    /// @param timeoutMillis the timeout of the connect and, until [#timeout], of each wait for
    ///     bytes; at least 1
    public static HttpConnection to(SocketAddress address, int timeoutMillis) throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.socket().connect(address, timeoutMillis);
            HttpConnection connection =
                    new HttpConnection(channel, channel.socket().getInputStream(), null);
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

    /// Connects to that port of the loopback address.
    ///
    /// @param tls whether by TLS: then the server must show the certificate of the suite
    public static HttpConnection to(int port, boolean tls, int timeoutMillis) throws IOException {
        HttpConnection plain = to(port, timeoutMillis);
        if (!tls) {
            return plain;
        }
        try {
            Socket socket =
                    TestKeys.local()
                            .trusting()
                            .getSocketFactory()
                            .createSocket(plain.channel.socket(), "localhost", port, true);
            return new HttpConnection(
                    plain.channel, socket.getInputStream(), socket.getOutputStream());
        } catch (IOException e) {
            plain.close();
            throw e;
        }
    }

    /// Sends one GET on a new connection to that port of the loopback address.
    public static Answer get(int port, String path, int timeoutMillis) throws IOException {
        String request = "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n\r\n";
        return ask(port, request, timeoutMillis);
    }

    /// Sends one request, which is US-ASCII text, on a new connection to that port.
    public static Answer ask(int port, String request, int timeoutMillis) throws IOException {
        return ask(port, false, request, timeoutMillis);
    }

    /// Sends one request, over TLS or in the clear.
    public static Answer ask(int port, boolean tls, String request, int timeoutMillis)
            throws IOException {
        try (HttpConnection connection = to(port, tls, timeoutMillis)) {
            connection.send(request);
            AnswerHead head = connection.head();
            byte[] content = head.status() == 200 ? connection.content() : new byte[0];
            return new Answer(head.status(), head.toString(), head.cookie(), content);
        }
    }

    /// Sends a request and reads its answer.
    ///
    /// @throws ProtocolException if it is not the answer that the reader expects
    public void ask(byte[] request, AnswerReader reader) throws IOException {
        send(request, 0, request.length);
        boolean complete = false;
        while (!complete) {
            if (!unread.hasRemaining()) {
                fill("The server closed before the end of an answer");
            }
            complete = reader.take(unread);
        }
    }

    /// Reads more bytes into the empty buffer.
    private void fill(String failure) throws IOException {
        int n = in.read(buffer);
        if (n < 0) {
            throw new EOFException(failure);
        }
        unread.clear().limit(n);
    }

    /// Sets the timeout of each wait for bytes, after which reading fails with a
    /// [java.net.SocketTimeoutException].
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
        if (sealed != null) {
            sealed.write(bytes, from, length);
            return;
        }
        ByteBuffer out = ByteBuffer.wrap(bytes, from, length);
        while (out.hasRemaining()) {
            channel.write(out);
        }
    }

    /// Reads the head of the next answer. It is valid until the next call.
    ///
    /// @throws EOFException if the server closes before the end of the head
    /// @throws ProtocolException if the bytes are no head of an answer
    public AnswerHead head() throws IOException {
        head.reset();
        while (!head.take(unread)) {
            fill("The server closed after \"" + head + "\"");
        }
        if (head.status() == 0) {
            throw new ProtocolException("Not the head of an answer: " + head);
        }
        return head;
    }

    /// Reads all content of the answer whose head was read.
    ///
    /// @throws ProtocolException if its head has no length and it is not chunked
    public byte[] content() throws IOException {
        if (head.chunked()) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            Chunks chunks = new Chunks(all);
            while (!chunks.take(unread)) {
                fill("The server closed before the end of a chunk");
            }
            return all.toByteArray();
        }
        return bytes(Math.toIntExact(announcedLength()));
    }

    private byte[] bytes(int length) throws IOException {
        byte[] bytes = new byte[length];
        for (int at = 0; at < length; ) {
            at += read(bytes, at, length - at);
        }
        return bytes;
    }

    /// Reads a piece of content.
    ///
    /// @return the number of bytes, at least 1
    /// @throws EOFException if the server closes before
    public int read(byte[] into, int from, int atMost) throws IOException {
        if (unread.hasRemaining()) {
            int n = Math.min(atMost, unread.remaining());
            unread.get(into, from, n);
            return n;
        }
        int n = in.read(into, from, atMost);
        if (n < 0) {
            throw new EOFException("The server closed before the end of the content");
        }
        return n;
    }

    /// Returns the length of the content according to the head.
    public long announcedLength() throws ProtocolException {
        long length = head.length();
        if (length < 0) {
            throw new ProtocolException("The answer has no Content-Length: " + head);
        }
        return length;
    }

    /// Returns the channel.
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
