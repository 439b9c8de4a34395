package dev.serval.soak;

import dev.serval.bench.client.AnswerHead;
import dev.serval.bench.client.HttpConnection;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/// Opens one connection after the other, on a virtual thread. Each sends requests of all kinds: one
/// at a time, pipelined, or left without waiting for the answer. Every answer is compared byte by
/// byte.
final class SoakClient implements Runnable {
    private static final int HANG_MILLIS = 30_000;
    private static final int REQUESTS_OF_A_CONNECTION = 40;
    private static final int PIPELINED = 3;

    private final SocketAddress server;
    private final SoakResult result;
    private final SplittableRandom random;

    /// Describes a request that was sent.
    private record Asked(Kind kind, long seed) {}

    SoakClient(SocketAddress server, SoakResult result, SplittableRandom random) {
        this.server = server;
        this.result = result;
        this.random = random;
    }

    @Override
    public void run() {
        while (result.isRunning()) {
            Asked last = new Asked(Kind.FILE, 0);
            try (HttpConnection connection = HttpConnection.to(server, HANG_MILLIS)) {
                boolean open = true;
                for (int i = 0; open && i < REQUESTS_OF_A_CONNECTION && result.isRunning(); i++) {
                    if (random.nextInt(60) == 0) {
                        leave(connection);
                        break;
                    }
                    List<Asked> asked = pick(random.nextInt(8) == 0 ? PIPELINED : 1);
                    last = asked.getLast();
                    open = talk(asked, connection);
                }
            } catch (SocketTimeoutException e) {
                result.hung(last.kind + ", or the request after it");
            } catch (IOException e) {
                result.broken(last.kind + ", or the request after it: " + e);
            }
        }
    }

    /// Sends a request and disconnects without waiting for the answer.
    private void leave(HttpConnection connection) throws IOException {
        Asked asked = pick();
        byte[] request = request(asked);
        int sent = random.nextBoolean() ? request.length : random.nextInt(request.length);
        connection.send(request, 0, sent);
        if (random.nextBoolean()) {
            connection.reset();
        }
        result.left();
    }

    /// Returns one request, or several to be pipelined. Those have no content, because the server
    /// need not read more of them before it has answered.
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

    /// Sends requests and compares their answers. Returns whether the server keeps the connection:
    /// it closes it after an application failed.
    private boolean talk(List<Asked> asked, HttpConnection connection) throws IOException {
        for (Asked one : asked) {
            byte[] request = request(one);
            if (one.kind == Kind.ECHO) {
                Thread.startVirtualThread(() -> send(connection, request));
            } else {
                connection.send(request, 0, request.length);
            }
        }
        for (Asked one : asked) {
            if (!compare(one, connection)) {
                return false;
            }
        }
        return true;
    }

    /// Sends a request while its answer is read, because an echo begins with its first bytes. If
    /// sending fails, the answer will be missing.
    private static void send(HttpConnection connection, byte[] request) {
        try {
            connection.send(request, 0, request.length);
        } catch (IOException e) {
            // The reading thread finds no answer and reports it.
        }
    }

    private Asked pick() {
        Kind[] kinds = Kind.values();
        // Spinning is expensive, so it gets fewer requests than the other kinds.
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

    /// Compares an answer. Returns whether the connection is kept.
    private boolean compare(Asked asked, HttpConnection connection) throws IOException {
        AnswerHead head = connection.head();
        int status = head.status();
        byte[] content = content(connection, asked.kind == Kind.DOWNLOAD);
        if (status == 503) {
            result.refused();
        } else if (status != asked.kind.status()
                || (status == 200 && !Arrays.equals(content, asked.kind.answer(asked.seed)))) {
            result.wrong(asked.kind + " " + asked.seed + ": " + head);
        } else {
            result.right(asked.kind);
        }
        return !head.closes();
    }

    private byte[] content(HttpConnection connection, boolean pauses) throws IOException {
        byte[] content = new byte[Math.toIntExact(connection.announcedLength())];
        for (int at = 0; at < content.length; ) {
            if (pauses && random.nextInt(8) == 0) {
                pause();
            }
            at += connection.read(content, at, Math.min(content.length - at, 30_000));
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
