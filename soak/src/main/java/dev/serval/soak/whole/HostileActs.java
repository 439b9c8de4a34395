package dev.serval.soak.whole;

import dev.serval.bench.client.AnswerHead;
import dev.serval.bench.client.HttpConnection;
import dev.serval.soak.war.Pattern;
import dev.serval.soak.whole.HostileKind.WrongAnswer;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;

/// Does what each [HostileKind] says, each time on a new connection. Used by one thread.
final class HostileActs {
    private static final String LEFT = "left";
    private static final int PATIENCE_MILLIS = 45_000;
    private static final int SLOW_PIECES = 40;
    private static final int SLOW_PAUSE_MILLIS = 50;
    private static final int IDLE_MILLIS_MAX = 3000;
    private static final int UPLOAD_BYTES = 300_000;
    private static final int PIPELINED = 64;
    private static final int GARBAGE_BYTES = 700;
    private static final int ANSWER_MAX = 256 << 10;
    private static final int GATEWAY_FAULTS_FROM = 502;
    private static final int GATEWAY_FAULTS_TO = 504;

    /// Targets that take content: by the application, the proxy and the application that dialled in.
    private static final List<String> UPLOADS =
            List.of("/soak/stream/sum/1", "/soak/parts", "/near/sum", "/dial/sum", "/good-1");

    private static final List<Misdeed> MISDEEDS = List.of(Misdeed.values());

    private final int port;
    private final Asks asks;
    private final SplittableRandom random;

    HostileActs(int port, Asks asks, SplittableRandom random) {
        this.port = port;
        this.asks = asks;
        this.random = random;
    }

    private HttpConnection connect() throws IOException {
        return HttpConnection.to(port, PATIENCE_MILLIS);
    }

    String resetInHead() throws IOException {
        try (HttpConnection connection = connect()) {
            byte[] request = asks.next(random).request();
            connection.send(request, 0, random.nextInt(1, Math.min(60, request.length)));
            connection.reset();
            return LEFT;
        }
    }

    String abortUpload() throws IOException, InterruptedException {
        try (HttpConnection connection = connect()) {
            boolean chunked = random.nextBoolean();
            String target = UPLOADS.get(random.nextInt(UPLOADS.size()));
            connection.send(
                    "POST "
                            + target
                            + " HTTP/1.1\r\nHost: a\r\n"
                            + "Content-Type: multipart/form-data; boundary=b\r\n"
                            + (chunked
                                    ? "Transfer-Encoding: chunked\r\n\r\n2000\r\n"
                                    : "Content-Length: " + UPLOAD_BYTES + "\r\n\r\n"));
            byte[] part = Pattern.bytes(1, random.nextInt(chunked ? 0x2000 : UPLOAD_BYTES));
            connection.send(part, 0, part.length);
            Thread.sleep(random.nextInt(100));
            leave(connection);
            return LEFT;
        }
    }

    String resetBeforeAnswer() throws IOException, InterruptedException {
        try (HttpConnection connection = connect()) {
            Ask ask = random.nextInt(4) == 0 ? asks.large() : asks.next(random);
            connection.send(ask.request(), 0, ask.request().length);
            Thread.sleep(random.nextInt(5));
            leave(connection);
            return LEFT;
        }
    }

    String resetInAnswer() throws IOException {
        try (HttpConnection connection = connect()) {
            byte[] request = asks.large().request();
            connection.send(request, 0, request.length);
            connection.head();
            byte[] piece = new byte[random.nextInt(1, 1 << 20)];
            connection.read(piece, 0, piece.length);
            leave(connection);
            return LEFT;
        }
    }

    private void leave(HttpConnection connection) throws IOException {
        if (random.nextBoolean()) {
            connection.reset();
        }
    }

    /// A half-closed connection still gets its answer, whole and right. A proxy without the setting
    /// `half-close` may take it for the end.
    String halfClose() throws IOException, WrongAnswer {
        try (HttpConnection connection = connect()) {
            Ask ask = asks.file(random.nextInt(4));
            connection.send(ask.request(), 0, ask.request().length);
            connection.channel().shutdownOutput();
            AnswerHead head = connection.head();
            byte[] content = connection.content();
            if (head.status() != 200 || Pattern.sum(content) != Pattern.sum(ask.content())) {
                throw new WrongAnswer("another answer: " + head.status());
            }
            return "answered";
        }
    }

    String halfCloseEarly() throws IOException, WrongAnswer {
        try (HttpConnection connection = connect()) {
            String head = "POST /near/sum HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nshort";
            connection.send(head.substring(0, random.nextInt(1, head.length())));
            connection.channel().shutdownOutput();
            return refusal(connection, "HALF_CLOSE_EARLY");
        }
    }

    String readSlowly() throws IOException, InterruptedException {
        try (HttpConnection connection = connect()) {
            byte[] request = asks.large().request();
            connection.send(request, 0, request.length);
            connection.head();
            byte[] piece = new byte[2000];
            for (int i = 0; i < SLOW_PIECES; i++) {
                connection.read(piece, 0, random.nextInt(1, piece.length));
                Thread.sleep(SLOW_PAUSE_MILLIS);
            }
            leave(connection);
            return LEFT;
        }
    }

    String writeSlowly() throws IOException, InterruptedException, WrongAnswer {
        try (HttpConnection connection = connect()) {
            Ask ask = asks.file(random.nextInt(4));
            byte[] request = ask.request();
            for (int i = 0; i < request.length; i++) {
                connection.send(request, i, 1);
                Thread.sleep(random.nextInt(SLOW_PAUSE_MILLIS));
            }
            AnswerHead head = connection.head();
            if (head.status() != 200
                    || Pattern.sum(connection.content()) != Pattern.sum(ask.content())) {
                throw new WrongAnswer("another answer: " + head.status());
            }
            return "answered";
        }
    }

    /// The server refuses, closes, and answers nothing of what follows.
    String malformed() throws IOException, WrongAnswer {
        try (HttpConnection connection = connect()) {
            byte[] request = Malformed.next(random);
            connection.send(request, 0, request.length);
            String text = new String(request, StandardCharsets.ISO_8859_1);
            return refusal(connection, text);
        }
    }

    String hugeHead() throws IOException, WrongAnswer {
        try (HttpConnection connection = connect()) {
            boolean line = random.nextBoolean();
            String huge =
                    line
                            ? "GET /" + "a".repeat(random.nextInt(9_000, 50_000))
                            : "GET / HTTP/1.1\r\nHost: a\r\n"
                                    + "X-Long: abcdefghij\r\n".repeat(random.nextInt(110, 4_000));
            connection.send(huge);
            return refusal(connection, "HUGE_HEAD");
        }
    }

    String unreadPipeline() throws IOException, InterruptedException {
        try (HttpConnection connection = connect()) {
            byte[] request = asks.file(3).request();
            for (int i = 0; i < PIPELINED; i++) {
                connection.send(request, 0, request.length);
            }
            Thread.sleep(random.nextInt(IDLE_MILLIS_MAX));
            leave(connection);
            return LEFT;
        }
    }

    String idle() throws IOException, InterruptedException {
        try (HttpConnection connection = connect()) {
            Thread.sleep(random.nextInt(IDLE_MILLIS_MAX));
            leave(connection);
            return LEFT;
        }
    }

    /// The answer is a fault of the gateway, or it is cut. It must never look complete.
    String brokenUpstream() throws IOException, WrongAnswer {
        Misdeed misdeed = MISDEEDS.get(random.nextInt(MISDEEDS.size()));
        AnswerHead head;
        try (HttpConnection connection = connect()) {
            connection.send("GET /broken/" + misdeed + " HTTP/1.1\r\nHost: a\r\n\r\n");
            head = connection.head();
            int status = head.status();
            if (status >= GATEWAY_FAULTS_FROM && status <= GATEWAY_FAULTS_TO) {
                return String.valueOf(status);
            }
            try {
                connection.content();
            } catch (SocketTimeoutException e) {
                throw new WrongAnswer(misdeed + " hangs: " + head);
            } catch (IOException e) {
                return "cut";
            }
        }
        throw new WrongAnswer(misdeed + " looks complete: " + head);
    }

    /// Random bytes are no request, so the only answers are refusals.
    String garbage() throws IOException, WrongAnswer {
        try (HttpConnection connection = connect()) {
            byte[] bytes = new byte[GARBAGE_BYTES];
            random.nextBytes(bytes);
            bytes[0] = (byte) (bytes[0] | 0x80); // no request begins so
            bytes[GARBAGE_BYTES - 2] = '\r';
            bytes[GARBAGE_BYTES - 1] = '\n';
            connection.send(bytes, 0, bytes.length);
            return refusal(connection, "GARBAGE");
        }
    }

    /// Reads until the server closes. Returns the status of its only answer, or `closed` without one.
    private static String refusal(HttpConnection connection, String request)
            throws IOException, WrongAnswer {
        AnswerHead head;
        try {
            head = connection.head();
        } catch (SocketTimeoutException e) {
            throw new WrongAnswer("Neither answered nor closed: " + shown(request));
        }
        int status = head.status();
        String text = head.toString();
        if (status < 400) {
            throw new WrongAnswer("Not refused but " + status + ": " + shown(request));
        }
        byte[] rest = new byte[ANSWER_MAX];
        int length = 0;
        try {
            while (length < ANSWER_MAX) {
                length += connection.read(rest, length, ANSWER_MAX - length);
            }
        } catch (SocketTimeoutException e) {
            throw new WrongAnswer("Not closed after " + status + ": " + shown(request));
        } catch (IOException e) {
            // Closed or reset, as it should be.
            text += new String(rest, 0, length, StandardCharsets.ISO_8859_1);
        }
        if (text.indexOf("HTTP/1.1 ", 1) >= 0) {
            throw new WrongAnswer("Answered twice: " + shown(request));
        }
        return String.valueOf(status);
    }

    private static String shown(String request) {
        String text = request.length() > 300 ? request.substring(0, 300) + "..." : request;
        return text.replace("\r", "\\r").replace("\n", "\\n").replace("\0", "\\0");
    }
}
