package dev.serval.gateway.lrwp;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/// A peer as the libraries of Xitami are: it registers, reads `OK`, and then answers one request
/// after the other, each on its own thread. The libraries compare one read of up to 1024 bytes with
/// `OK`. Most peers of the tests read only the two bytes, because a test may stall for longer than
/// the agent holds a peer.
final class SocketPeer implements AutoCloseable {
    /// How it writes an answer.
    enum Style {
        /// Digits and output in one write.
        ONE_WRITE,
        /// Digits, then output, as all libraries of Xitami do.
        TWO_WRITES,
        /// Each byte alone.
        BYTES
    }

    private final Socket socket = new Socket();
    private final Style style;
    private final boolean singleRead;
    private final Function<String, byte[]> answers;
    private final Thread thread;
    private final AtomicInteger served = new AtomicInteger();
    private volatile String handshake = "";

    /// Connects and registers. The loop for requests runs on its own thread.
    ///
    /// @param answers from the body of a request to the output
    SocketPeer(SocketAddress agent, String name, Style style, Function<String, byte[]> answers)
            throws IOException {
        this(agent, name, style, false, answers);
    }

    private SocketPeer(
            SocketAddress agent,
            String name,
            Style style,
            boolean singleRead,
            Function<String, byte[]> answers)
            throws IOException {
        this.style = style;
        this.singleRead = singleRead;
        this.answers = answers;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(60_000);
        socket.connect(agent);
        thread = Thread.ofPlatform().daemon().name("peer-" + name).start(() -> serve(name));
    }

    static SocketPeer echo(SocketAddress agent, String name, Style style) throws IOException {
        return new SocketPeer(agent, name, style, SocketPeer::echoed);
    }

    /// Connects a peer that compares one read of up to 1024 bytes with `OK`.
    static SocketPeer echoAfterOneRead(SocketAddress agent, String name, Style style)
            throws IOException {
        return new SocketPeer(agent, name, style, true, SocketPeer::echoed);
    }

    static byte[] echoed(String body) {
        return Messages.bytes("Content-Type: text/plain\r\n\r\n" + body);
    }

    /// Returns what it has read as the answer to the registration.
    String handshake() {
        return handshake;
    }

    /// Returns how many requests it has answered.
    int served() {
        return served.get();
    }

    /// Ends the connection with a reset, as a killed process may.
    void kill() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
        try {
            thread.join(10_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(String name) {
        try {
            socket.getOutputStream().write(Messages.bytes(name + "\u00ff\u00ff"));
            handshake = new String(answerToRegistration(), StandardCharsets.ISO_8859_1);
            if (!handshake.equals("OK")) {
                socket.close(); // as the libraries for C, Perl and Python
                return;
            }
            DataInputStream in = new DataInputStream(socket.getInputStream());
            while (true) {
                in.skipNBytes(length(in));
                String body = new String(in.readNBytes(length(in)), StandardCharsets.ISO_8859_1);
                write(answers.apply(body));
                served.incrementAndGet();
            }
        } catch (IOException e) {
            // The server or the test has ended the connection.
        }
    }

    private byte[] answerToRegistration() throws IOException {
        if (!singleRead) {
            return socket.getInputStream().readNBytes(2);
        }
        byte[] first = new byte[1024];
        int n = socket.getInputStream().read(first);
        return Arrays.copyOf(first, Math.max(n, 0));
    }

    private static int length(DataInputStream in) throws IOException {
        byte[] digits = in.readNBytes(9);
        if (digits.length < 9) {
            throw new EOFException();
        }
        return Integer.parseInt(new String(digits, StandardCharsets.ISO_8859_1));
    }

    private void write(byte[] output) throws IOException {
        OutputStream out = socket.getOutputStream();
        byte[] digits = Messages.bytes("%09d".formatted(output.length));
        switch (style) {
            case ONE_WRITE -> {
                ByteArrayOutputStream whole = new ByteArrayOutputStream();
                whole.write(digits);
                whole.write(output);
                out.write(whole.toByteArray());
            }
            case TWO_WRITES -> {
                out.write(digits);
                out.write(output);
            }
            case BYTES -> {
                for (byte b : digits) {
                    out.write(b);
                }
                for (byte b : output) {
                    out.write(b);
                }
            }
        }
    }
}
