package dev.serval.bench.soak;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/// One connection after the other, each with requests of all kinds, one at a time, pipelined, or left
/// without waiting for the answer. Every answer is compared, byte by byte. On a virtual thread.
final class SoakClient implements Runnable {
    private static final int HANG_MILLIS = 30_000;
    private static final int REQUESTS_OF_A_CONNECTION = 40;
    private static final int PIPELINED = 3;

    private final SocketAddress server;
    private final SoakResult result;
    private final SplittableRandom random;

    /// A request that was sent.
    private record Asked(Kind kind, long seed) {}

    SoakClient(SocketAddress server, SoakResult result, SplittableRandom random) {
        this.server = server;
        this.result = result;
        this.random = random;
    }

    @Override
    public void run() {
        while (result.goesOn()) {
            Asked last = new Asked(Kind.FILE, 0);
            try (Socket socket = new Socket()) {
                socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
                socket.setSoTimeout(HANG_MILLIS);
                socket.connect(server);
                InputStream in = new BufferedInputStream(socket.getInputStream());
                boolean open = true;
                for (int i = 0; open && i < REQUESTS_OF_A_CONNECTION && result.goesOn(); i++) {
                    if (random.nextInt(60) == 0) {
                        leave(socket);
                        break;
                    }
                    List<Asked> asked = pick(random.nextInt(8) == 0 ? PIPELINED : 1);
                    last = asked.getLast();
                    open = talk(asked, socket, in);
                }
            } catch (SocketTimeoutException e) {
                result.hung(last.kind + " or what follows");
            } catch (IOException e) {
                result.broken(last.kind + " or what follows: " + e);
            }
        }
    }

    /// Asks for something and goes without waiting.
    private void leave(Socket socket) throws IOException {
        Asked asked = pick();
        byte[] request = request(asked);
        int sent = random.nextBoolean() ? request.length : random.nextInt(request.length);
        socket.getOutputStream().write(request, 0, sent);
        if (random.nextBoolean()) {
            socket.setSoLinger(true, 0);
        }
        result.left();
    }

    /// One request, or several that are pipelined: without content, since the server need not read
    /// more of them before it has answered.
    private List<Asked> pick(int count) {
        List<Asked> asked = new ArrayList<>();
        while (asked.size() < count) {
            Asked one = pick();
            if (count == 1 || !one.kind.uploads()) {
                asked.add(one);
            }
        }
        return asked;
    }

    /// Whether the server keeps the connection: it closes behind an application that failed.
    private boolean talk(List<Asked> asked, Socket socket, InputStream in) throws IOException {
        OutputStream out = socket.getOutputStream();
        for (Asked one : asked) {
            byte[] request = request(one);
            if (one.kind == Kind.ECHO) {
                Thread.startVirtualThread(() -> send(out, request));
            } else {
                out.write(request);
            }
        }
        for (Asked one : asked) {
            if (!compare(one, in)) {
                return false;
            }
        }
        return true;
    }

    /// While the answer is read: an echo comes as soon as its first bytes are there. Where it cannot
    /// be sent, its answer will be missed.
    private static void send(OutputStream out, byte[] request) {
        try {
            out.write(request);
        } catch (IOException e) {
            // Whoever reads finds no answer, and says so.
        }
    }

    private Asked pick() {
        Kind[] kinds = Kind.values();
        // Spinning is dear: with as many as of the others there would be little else.
        Kind kind = kinds[random.nextInt(kinds.length)];
        if (kind == Kind.SPIN && random.nextInt(3) > 0) {
            kind = Kind.SLEEP;
        }
        return new Asked(kind, random.nextLong(1, 1_000_000_000));
    }

    private static byte[] request(Asked asked) {
        byte[] content = asked.kind.uploads() ? asked.kind.content(asked.seed) : new byte[0];
        String head =
                (asked.kind.uploads() ? "POST " : "GET ")
                        + asked.kind.target(asked.seed)
                        + " HTTP/1.1\r\nHost: soak\r\n"
                        + (asked.kind.uploads()
                                ? "Content-Length: " + content.length + "\r\n\r\n"
                                : "\r\n");
        byte[] start = head.getBytes(StandardCharsets.US_ASCII);
        byte[] request = Arrays.copyOf(start, start.length + content.length);
        System.arraycopy(content, 0, request, start.length, content.length);
        return request;
    }

    /// Whether the connection is kept.
    private boolean compare(Asked asked, InputStream in) throws IOException {
        String head = head(in);
        int status = Integer.parseInt(head, 9, 12, 10);
        int at = head.indexOf("Content-Length: ");
        if (at < 0) {
            throw new IOException("an answer without length: " + head);
        }
        int end = head.indexOf('\r', at);
        int length = Integer.parseInt(head, at + 16, end, 10);
        byte[] content = slowly(in, length, asked.kind == Kind.DOWNLOAD);
        if (status == 503) {
            result.refused();
        } else if (status != asked.kind.status()
                || (status == 200 && !Arrays.equals(content, asked.kind.answer(asked.seed)))) {
            result.wrong(
                    asked.kind + " " + asked.seed + ": " + head.lines().findFirst().orElse(""));
        } else {
            result.right(asked.kind);
        }
        return !head.contains("Connection: close");
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder(200);
        while (head.indexOf("\r\n\r\n", Math.max(0, head.length() - 4)) < 0) {
            int b = in.read();
            if (b < 0) {
                throw new EOFException("the server closed behind \"" + head + "\"");
            }
            head.append((char) b);
        }
        return head.toString();
    }

    private byte[] slowly(InputStream in, int length, boolean pauses) throws IOException {
        byte[] content = new byte[length];
        int at = 0;
        while (at < length) {
            if (pauses && random.nextInt(8) == 0) {
                pause();
            }
            int n = in.read(content, at, Math.min(length - at, 30_000));
            if (n < 0) {
                throw new EOFException("the server closed after " + at + " of " + length);
            }
            at += n;
        }
        return content;
    }

    private static void pause() {
        try {
            Thread.sleep(5);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
