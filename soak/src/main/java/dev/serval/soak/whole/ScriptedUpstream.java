package dev.serval.soak.whole;

import dev.serval.soak.war.Pattern;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// An HTTP server behind the proxy of the soak. `/near/page/N` and `/near/chunks/N` answer with
/// content that follows from the number, `/near/sum` with the receipt of what was sent, and
/// `/broken/NAME` with a [Misdeed]. Each connection has a virtual thread.
final class ScriptedUpstream implements AutoCloseable {
    private static final int BACKLOG = 256;
    private static final int HEAD_MAX = 64 << 10;
    private static final int CHUNK_BYTES = 5000;
    private static final int SILENCE_MILLIS = 4000;
    private static final int PATIENCE_MILLIS = 120_000;

    private final ServerSocket listener;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private ScriptedUpstream() throws IOException {
        this.listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    }

    /// Listens on a free port of the loopback address.
    static ScriptedUpstream open() throws IOException {
        ScriptedUpstream upstream = new ScriptedUpstream();
        Thread.ofVirtual().name("upstream").start(upstream::accept);
        return upstream;
    }

    int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        while (!closed) {
            try {
                Socket socket = listener.accept();
                open.add(socket);
                Thread.ofVirtual().name("upstream-connection").start(() -> serve(socket));
            } catch (IOException e) {
                closed |= listener.isClosed();
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(PATIENCE_MILLIS);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            for (String head = head(in); !head.isEmpty(); head = head(in)) {
                if (!answer(head, in, socket)) {
                    return;
                }
            }
        } catch (IOException e) {
            // The proxy has closed, because its client left or its time was over.
            return;
        } finally {
            open.remove(socket);
        }
    }

    /// Answers one request. Returns whether the connection stays.
    private static boolean answer(String head, InputStream in, Socket socket) throws IOException {
        String[] path = head.substring(0, head.indexOf('\n')).split("[ /?]+", -1);
        if (path.length < 3) {
            return false;
        }
        byte[] content = content(head.toLowerCase(Locale.ROOT), in);
        OutputStream out = socket.getOutputStream();
        switch (path[1] + "/" + path[2]) {
            case "near/page" -> withLength(out, Pattern.page(Long.parseLong(path[3])));
            case "near/chunks" -> chunked(out, Pattern.stream(Long.parseLong(path[3])));
            case "near/sum" -> withLength(out, Pattern.receipt(Pattern.sum(content)));
            default -> {
                misdeed(Misdeed.valueOf(path[2]), out, socket);
                return false;
            }
        }
        return true;
    }

    private static void misdeed(Misdeed misdeed, OutputStream out, Socket socket)
            throws IOException {
        out.write(misdeed.text().getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
        if (misdeed == Misdeed.RESET) {
            socket.setSoLinger(true, 0);
        } else if (misdeed == Misdeed.SILENT) {
            socket.setSoTimeout(SILENCE_MILLIS);
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        }
    }

    private static void withLength(OutputStream out, byte[] content) throws IOException {
        String head = "HTTP/1.1 200 OK\r\nContent-Length: " + content.length + "\r\n\r\n";
        out.write(head.getBytes(StandardCharsets.US_ASCII));
        out.write(content);
        out.flush();
    }

    private static void chunked(OutputStream out, byte[] content) throws IOException {
        out.write(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                        .getBytes(StandardCharsets.US_ASCII));
        for (int at = 0; at < content.length; at += CHUNK_BYTES) {
            int length = Math.min(CHUNK_BYTES, content.length - at);
            out.write((Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.write(content, at, length);
            out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
        }
        out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    /// Reads a head, or an empty text if the connection has ended.
    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int ends = 0;
        for (int one = in.read(); one >= 0 && head.size() < HEAD_MAX; one = in.read()) {
            head.write(one);
            ends = one == '\n' ? ends + 1 : one == '\r' ? ends : 0;
            if (ends == 2) {
                return head.toString(StandardCharsets.ISO_8859_1);
            }
        }
        return "";
    }

    private static byte[] content(String head, InputStream in) throws IOException {
        int at = head.indexOf("\ncontent-length:");
        if (at >= 0) {
            String value = head.substring(at + 16, head.indexOf('\r', at)).trim();
            return in.readNBytes(Integer.parseInt(value));
        }
        return head.contains("\ntransfer-encoding:") ? chunks(in) : new byte[0];
    }

    private static byte[] chunks(InputStream in) throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        while (true) {
            int length = Integer.parseInt(line(in), 16);
            content.writeBytes(in.readNBytes(length));
            line(in);
            if (length == 0) {
                return content.toByteArray();
            }
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int one = in.read(); one >= 0 && one != '\n'; one = in.read()) {
            line.append((char) one);
        }
        return line.toString().trim();
    }

    @Override
    public void close() throws IOException {
        closed = true;
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
