package dev.serval.lrwp.peer;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// The agent's side of LRWP, step by step, for tests of peers. Every wait ends after 20 s.
public final class ScriptedAgent implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 20_000;
    private static final int DIGITS = 9;

    private final ServerSocket listener;

    public ScriptedAgent() throws IOException {
        listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        listener.setSoTimeout(PATIENCE_MILLIS);
    }

    public int port() {
        return listener.getLocalPort();
    }

    /// Waits for the next connection.
    public Line accept() throws IOException {
        Socket socket = listener.accept();
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        return new Line(socket);
    }

    /// Waits for the next connection and registers it by LRWP 1.0.
    public Line acceptAndRegister() throws IOException {
        Line line = accept();
        line.startup(2);
        line.send("OK");
        return line;
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }

    /// Returns the bytes of a request: lengths, environment with its last zero byte, body.
    public static byte[] request(Map<String, String> variables, byte[] body) {
        ByteArrayOutputStream environment = new ByteArrayOutputStream();
        variables.forEach((name, value) ->
                environment.writeBytes(
                        (name + "=" + value + "\0").getBytes(StandardCharsets.UTF_8)));
        environment.write(0);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(digits(environment.size()));
        out.writeBytes(environment.toByteArray());
        out.writeBytes(digits(body.length));
        out.writeBytes(body);
        return out.toByteArray();
    }

    /// Returns nine digits.
    public static byte[] digits(int length) {
        return "%09d".formatted(length).getBytes(StandardCharsets.US_ASCII);
    }

    /// One connection of a peer.
    public static final class Line implements AutoCloseable {
        private final Socket socket;

        Line(Socket socket) {
            this.socket = socket;
        }

        /// Reads up to so many marks of 255, which are part of the result.
        public byte[] startup(int marks) throws IOException {
            ByteArrayOutputStream read = new ByteArrayOutputStream();
            int left = marks;
            while (left > 0) {
                int next = socket.getInputStream().read();
                if (next < 0) {
                    throw new EOFException("the peer closed in its registration");
                }
                read.write(next);
                left -= next == 0xFF ? 1 : 0;
            }
            return read.toByteArray();
        }

        public void send(String latin1) throws IOException {
            send(latin1.getBytes(StandardCharsets.ISO_8859_1));
        }

        public void send(byte[] bytes) throws IOException {
            socket.getOutputStream().write(bytes);
        }

        /// Sends each byte in a write of its own.
        public void sendSlowly(byte[] bytes) throws IOException {
            for (byte each : bytes) {
                socket.getOutputStream().write(each);
            }
        }

        public byte[] read(int count) throws IOException {
            byte[] bytes = socket.getInputStream().readNBytes(count);
            if (bytes.length < count) {
                throw new EOFException(
                        "the peer closed after " + bytes.length + " of " + count + " bytes");
            }
            return bytes;
        }

        /// Reads one answer without its digits.
        public byte[] answer() throws IOException {
            int length = Integer.parseInt(new String(read(DIGITS), StandardCharsets.US_ASCII));
            return read(length);
        }

        /// Reads one answer as characters of one byte each.
        public String answerText() throws IOException {
            return new String(answer(), StandardCharsets.ISO_8859_1);
        }

        /// Returns what one read of the socket gives, to see what came in one write.
        public int readOnce(byte[] into) throws IOException {
            return socket.getInputStream().read(into);
        }

        /// Returns whether the peer closed; waits for it.
        public boolean isEnd() throws IOException {
            return socket.getInputStream().read() < 0;
        }

        /// Closes with a reset.
        public void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
