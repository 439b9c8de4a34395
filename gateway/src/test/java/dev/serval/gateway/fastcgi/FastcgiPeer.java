package dev.serval.gateway.fastcgi;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.zip.CRC32;

/// A FastCGI server for tests: it reads each request completely and answers with the records that a
/// function makes. Each connection has its own virtual thread.
final class FastcgiPeer implements AutoCloseable {
    /// A request as it arrived.
    record Request(Map<String, String> params, long contentBytes, String content, long checksum) {}

    private static final int KEPT_BYTES = 4096;

    private final ServerSocket listener;
    private final Function<Request, Records> answers;
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    final Queue<Request> requests = new ConcurrentLinkedQueue<>();
    final AtomicInteger connections = new AtomicInteger();

    private FastcgiPeer(ServerSocket listener, Function<Request, Records> answers) {
        this.listener = listener;
        this.answers = answers;
    }

    static FastcgiPeer answering(Function<Request, Records> answers) {
        try {
            ServerSocket listener = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
            FastcgiPeer peer = new FastcgiPeer(listener, answers);
            Thread.ofVirtual().start(peer::accept);
            return peer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static FastcgiPeer saying(String output) {
        return answering(_ -> new Records().out(output).end(0, 0));
    }

    String url() {
        return "fastcgi://127.0.0.1:" + listener.getLocalPort();
    }

    @Override
    public void close() {
        try {
            listener.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                sockets.add(socket);
                connections.incrementAndGet();
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            while (true) {
                Request request = read(in);
                requests.add(request);
                socket.getOutputStream().write(answers.apply(request).bytes());
            }
        } catch (EOFException e) {
            // the client has closed
        } catch (IOException e) {
            // the test has closed
        }
    }

    private static Request read(DataInputStream in) throws IOException {
        ByteArrayOutputStream params = new ByteArrayOutputStream();
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        CRC32 checksum = new CRC32();
        long contentBytes = 0;
        while (true) {
            in.readUnsignedByte();
            int type = in.readUnsignedByte();
            in.readUnsignedShort();
            byte[] bytes = new byte[in.readUnsignedShort()];
            int padding = in.readUnsignedByte();
            in.readUnsignedByte();
            in.readFully(bytes);
            in.skipNBytes(padding);
            if (type == RecordType.PARAMS) {
                params.writeBytes(bytes);
            } else if (type == RecordType.STDIN) {
                contentBytes += bytes.length;
                checksum.update(bytes);
                content.write(bytes, 0, Math.min(bytes.length, KEPT_BYTES - content.size()));
                if (bytes.length == 0) {
                    return new Request(
                            map(params.toByteArray()),
                            contentBytes,
                            content.toString(StandardCharsets.ISO_8859_1),
                            checksum.getValue());
                }
            }
        }
    }

    private static Map<String, String> map(byte[] params) {
        Map<String, String> map = new LinkedHashMap<>();
        int[] at = {0};
        while (at[0] < params.length) {
            int name = length(params, at);
            int value = length(params, at);
            String text = new String(params, at[0], name + value, StandardCharsets.UTF_8);
            map.put(text.substring(0, name), text.substring(name));
            at[0] += name + value;
        }
        return map;
    }

    private static int length(byte[] bytes, int[] at) {
        int first = bytes[at[0]++] & 0xff;
        if (first < 128) {
            return first;
        }
        int length = first & 0x7f;
        for (int i = 0; i < 3; i++) {
            length = (length << 8) | (bytes[at[0]++] & 0xff);
        }
        return length;
    }
}
