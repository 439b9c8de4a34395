package dev.serval.soak;

import dev.serval.bench.client.AnswerHead;
import dev.serval.bench.client.HttpConnection;
import dev.serval.soak.subject.ServletKind;
import dev.serval.soak.subject.SoakRequest;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/// Opens one connection after the other, on a virtual thread, and behaves on each in one way:
/// regular, slow, pipelining, half-closing or aborting. Every answer is compared byte by byte.
final class ServletClient implements Runnable {
    private static final int HANG_MILLIS = 60_000;
    private static final int REQUESTS_OF_A_CONNECTION = 30;
    private static final int PIPELINED_MAX = 6;
    private static final int SLOW_PIECE_BYTES = 2000;

    private final int port;
    private final SoakResult result;
    private final SplittableRandom random;
    private SoakRequest last = SoakRequest.of(ServletKind.FILE, 1);

    ServletClient(int port, SoakResult result, SplittableRandom random) {
        this.port = port;
        this.result = result;
        this.random = random;
    }

    @Override
    public void run() {
        while (result.isRunning()) {
            try (HttpConnection connection = HttpConnection.to(port, HANG_MILLIS)) {
                switch (random.nextInt(16)) {
                    case 0, 1 -> abort(connection);
                    case 2 -> slowly(connection);
                    case 3, 4 -> pipeline(connection);
                    case 5 -> halfClose(connection);
                    case 6, 7 -> new SessionVisit(port, connection, result).run(random.nextInt(8));
                    default -> regular(connection);
                }
            } catch (SocketTimeoutException e) {
                result.hung(last.mark() + ", or the request after it");
            } catch (IOException e) {
                result.broken(last.mark() + ", or the request after it: " + e);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void regular(HttpConnection connection) throws IOException, InterruptedException {
        boolean open = true;
        for (int i = 0; open && i < REQUESTS_OF_A_CONNECTION && result.isRunning(); i++) {
            SoakRequest request = pick();
            Thread sending = Thread.startVirtualThread(() -> send(connection, request));
            open = compare(request, connection);
            if (open) {
                sending.join();
            }
        }
    }

    /// Sends a request while its answer is read, because an echo begins with its first bytes. If
    /// sending fails, the answer will be missing.
    private static void send(HttpConnection connection, SoakRequest request) {
        try {
            byte[] bytes = request.bytes();
            connection.send(bytes, 0, bytes.length);
        } catch (IOException e) {
            // The reading thread finds no answer and reports it.
            return;
        }
    }

    /// Disconnects in the middle of a request or of its answer.
    private void abort(HttpConnection connection) throws IOException, InterruptedException {
        SoakRequest request = pick();
        byte[] bytes = request.bytes();
        if (request.kind().echoes()) {
            // The server may stop to read until its answer is read.
            Thread.startVirtualThread(() -> send(connection, request));
        } else {
            boolean whole = random.nextInt(3) > 0;
            connection.send(bytes, 0, whole ? bytes.length : random.nextInt(bytes.length));
        }
        if (random.nextBoolean()) {
            Thread.sleep(random.nextInt(30));
        }
        if (random.nextBoolean()) {
            connection.reset();
        }
        result.left();
    }

    /// Sends a request in small pieces with pauses, and reads its answer late.
    private void slowly(HttpConnection connection) throws IOException, InterruptedException {
        for (int i = 0; i < 3; i++) {
            SoakRequest request = pick();
            Thread sending = Thread.startVirtualThread(() -> sendSlowly(connection, request));
            Thread.sleep(random.nextInt(300));
            if (!compare(request, connection)) {
                return;
            }
            sending.join();
        }
    }

    private static void sendSlowly(HttpConnection connection, SoakRequest request) {
        byte[] bytes = request.bytes();
        int piece = Math.max(SLOW_PIECE_BYTES, bytes.length / 50);
        try {
            for (int at = 0; at < bytes.length; at += piece) {
                connection.send(bytes, at, Math.min(piece, bytes.length - at));
                Thread.sleep(2);
            }
        } catch (IOException | InterruptedException e) {
            // The reading thread finds no answer and reports it.
            return;
        }
    }

    /// Sends several requests at once. They have no content, because the server need not read more
    /// of them before it has answered. None breaks the connection, because its reset could drop
    /// earlier answers.
    private void pipeline(HttpConnection connection) throws IOException {
        List<SoakRequest> requests = new ArrayList<>();
        for (int i = random.nextInt(2, PIPELINED_MAX); i > 0; i--) {
            SoakRequest request = pick();
            if (!request.kind().uploads() && !request.kind().breaks()) {
                requests.add(request);
                byte[] bytes = request.bytes();
                connection.send(bytes, 0, bytes.length);
            }
        }
        for (SoakRequest request : requests) {
            if (!compare(request, connection)) {
                return;
            }
        }
    }

    /// Ends the sending side before the answer comes. The answer must be complete.
    private void halfClose(HttpConnection connection) throws IOException {
        SoakRequest request = pick();
        if (request.kind().echoes()) {
            request = SoakRequest.of(ServletKind.STREAM_SUM, request.seed());
        }
        byte[] bytes = request.bytes();
        connection.send(bytes, 0, bytes.length);
        connection.channel().shutdownOutput();
        compare(request, connection);
    }

    private SoakRequest pick() {
        ServletKind[] kinds = ServletKind.values();
        ServletKind kind = kinds[random.nextInt(kinds.length)];
        if (kind == ServletKind.SESSION) {
            kind = ServletKind.PAGE;
        }
        return SoakRequest.of(kind, random.nextLong(1, 1_000_000_000));
    }

    /// Compares an answer. Returns whether the connection is kept.
    private boolean compare(SoakRequest request, HttpConnection connection) throws IOException {
        last = request;
        AnswerHead head;
        try {
            head = connection.head();
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            if (request.kind().breaks()) {
                // A reset may drop the part that was sent.
                result.right(request.kind());
                return false;
            }
            throw e;
        }
        if (request.waits() && head.status() == 100) {
            head = connection.head();
        }
        String fault = fault(request, connection, head);
        if (head.status() == 503) {
            result.refused();
        } else if (fault.isEmpty()) {
            result.right(request.kind());
        } else {
            result.wrong(request.mark() + " " + fault + ": " + line(head));
        }
        return !head.closes() && !request.kind().breaks();
    }

    /// Reads the content and returns what is wrong with the answer, or an empty text.
    private static String fault(SoakRequest request, HttpConnection connection, AnswerHead head)
            throws IOException {
        if (request.kind() == ServletKind.PAGE_HEAD) {
            return head.status() == 200 ? mark(request, head) : "has another status";
        }
        byte[] content;
        try {
            content = connection.content();
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            if (request.kind().breaks() && head.status() == 200) {
                return mark(request, head);
            }
            throw new IOException(e.getMessage() + " after " + line(head), e);
        }
        if (request.kind().breaks()) {
            return "is complete";
        } else if (head.status() != request.kind().status(request.seed())) {
            return "has another status";
        } else if (request.kind() == ServletKind.RELAY_REDIRECT) {
            return head.toString().contains("/soak/page/" + request.seed())
                    ? ""
                    : "leads elsewhere";
        } else if (!Arrays.equals(content, request.answer())) {
            return difference(content, request.answer());
        }
        return mark(request, head);
    }

    private static String line(AnswerHead head) {
        return head.toString().trim().replace("\r\n", " | ");
    }

    private static String difference(byte[] content, byte[] right) {
        return "has %d bytes instead of %d, and differs at %d"
                .formatted(content.length, right.length, Arrays.mismatch(content, right));
    }

    /// Checks that the answer has no mark of another request.
    private static String mark(SoakRequest request, AnswerHead head) {
        String text = head.toString();
        int at = text.indexOf("\r\nMark: ");
        if (at < 0) {
            return request.kind() == ServletKind.FILE
                            || request.kind().status(request.seed()) >= 400
                    ? ""
                    : "has no mark";
        }
        return text.startsWith("\r\nMark: " + request.mark() + "\r\n", at) ? "" : "is of another";
    }
}
