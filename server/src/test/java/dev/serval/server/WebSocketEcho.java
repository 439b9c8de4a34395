package dev.serval.server;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// A WebSocket server for tests (RFC 6455): it sends each data frame back, answers ping by pong and
/// close by close. Each connection has its own virtual thread.
final class WebSocketEcho implements AutoCloseable {
    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"; // §1.3
    private static final int CLOSE = 8;
    private static final int PING = 9;
    private static final int PONG = 10;
    private static final int FRAME_MAX_BYTES = 16 << 20;

    private final ServerSocket listener;
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    final Queue<String> requestLines = new ConcurrentLinkedQueue<>();

    private WebSocketEcho(ServerSocket listener) {
        this.listener = listener;
    }

    static WebSocketEcho start() throws IOException {
        WebSocketEcho echo =
                new WebSocketEcho(new ServerSocket(0, 16, InetAddress.getLoopbackAddress()));
        Thread.ofVirtual().start(echo::accept);
        return echo;
    }

    int port() {
        return listener.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        stop();
    }

    /// Closes all connections without the closing handshake.
    void stop() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                sockets.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            DataInputStream in =
                    new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            OutputStream out = socket.getOutputStream();
            List<String> head = head(in);
            requestLines.add(head.getFirst());
            out.write(
                    ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                                    + "Connection: Upgrade\r\nSec-WebSocket-Accept: "
                                    + accepted(field(head, "sec-websocket-key:"))
                                    + "\r\n\r\n")
                            .getBytes(StandardCharsets.ISO_8859_1));
            while (frame(in, out)) {
                // until the closing handshake
            }
        } catch (EOFException e) {
            // the client has left
        } catch (IOException e) {
            if (!listener.isClosed()) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static List<String> head(DataInputStream in) throws IOException {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        while (true) {
            char c = (char) in.readUnsignedByte();
            if (c != '\n') {
                line.append(c);
            } else if (line.length() > 1) {
                lines.add(line.toString().strip());
                line.setLength(0);
            } else {
                return lines;
            }
        }
    }

    private static String field(List<String> head, String name) {
        return head.stream()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name))
                .map(line -> line.substring(name.length()).strip())
                .findFirst()
                .orElse("none");
    }

    private static String accepted(String key) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-1")
                            .digest((key + GUID).getBytes(StandardCharsets.ISO_8859_1));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Answers a frame (§5.2).
    ///
    /// @return whether the connection stays open
    private static boolean frame(DataInputStream in, OutputStream out) throws IOException {
        int first = in.readUnsignedByte();
        int second = in.readUnsignedByte();
        long length = second & 0x7f;
        if (length == 126) {
            length = in.readUnsignedShort();
        } else if (length == 127) {
            length = in.readLong();
        }
        if ((second & 0x80) == 0 || length > FRAME_MAX_BYTES) {
            throw new IOException("a client's frame is not masked or too long");
        }
        byte[] mask = new byte[4];
        in.readFully(mask);
        byte[] payload = new byte[(int) length];
        in.readFully(payload);
        for (int i = 0; i < payload.length; i++) {
            payload[i] ^= mask[i & 3];
        }
        int opcode = first & 0x0f;
        if (opcode != PONG) {
            send(out, opcode == PING ? 0x80 | PONG : first, payload);
        }
        return opcode != CLOSE;
    }

    private static void send(OutputStream out, int first, byte[] payload) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(10 + payload.length);
        frame.put((byte) first);
        if (payload.length < 126) {
            frame.put((byte) payload.length);
        } else if (payload.length < 65_536) {
            frame.put((byte) 126).putShort((short) payload.length);
        } else {
            frame.put((byte) 127).putLong(payload.length);
        }
        frame.put(payload);
        out.write(frame.array(), 0, frame.position());
    }
}
