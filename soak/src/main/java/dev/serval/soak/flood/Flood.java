package dev.serval.soak.flood;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Random;
import java.util.function.LongFunction;

/// The requests of a hostile client, the number of its connections, and how each connection
/// continues.
public enum Flood {
    /// No flood, for comparison.
    NONE(0, Then.HOLD, _ -> text("")),
    /// Heads that grow by one byte a second.
    SLOW_HEADS(4000, Then.DRIP, _ -> text("GET / HTTP/1.1\r\nHost: flood\r\nX-Slow: ")),
    /// Content that grows by one byte a second.
    SLOW_BODIES(
            4000,
            Then.DRIP,
            _ -> text("POST /good-0 HTTP/1.1\r\nHost: flood\r\nContent-Length: 100000\r\n\r\n")),
    /// Connections that send nothing.
    SILENT(9000, Then.HOLD, _ -> text("")),
    /// A request, then a reset before the answer.
    RESETS(128, Then.RESET, _ -> get("/good-1", "")),
    /// Random bytes.
    GARBAGE(128, Then.UNTIL_CLOSED, Flood::garbage),
    /// A new connection for each request.
    CHURN(128, Then.ANSWERED_ONCE, _ -> get("/good-2", "")),
    /// Heads of 31 KB that never end.
    OPEN_HEADS(9000, Then.HOLD, _ -> text(longHead())),
    /// Requests with a head of 31 KB on connections that stay open.
    LONG_HEADS(9000, Then.HOLD, _ -> text(longHead() + "\r\n")),
    /// Some 1,900 ranges in one request for a file that fits in memory.
    RANGES(64, Then.ASK_AGAIN, _ -> get("/flood-30k", "Range: bytes=" + ranges(1900, 0) + "\r\n")),
    /// As `RANGES`, for a file of 1 MB.
    RANGES_LARGE(
            64, Then.ASK_AGAIN, _ -> get("/flood-1m", "Range: bytes=" + ranges(1900, 0) + "\r\n")),
    /// Answers of sixteen parts.
    MULTIPART(64, Then.ASK_AGAIN, _ -> get("/flood-30k", "Range: bytes=" + ranges(16, 3) + "\r\n")),
    /// As `MULTIPART`, from a file of 1 MB.
    MULTIPART_LARGE(
            64, Then.ASK_AGAIN, _ -> get("/flood-1m", "Range: bytes=" + ranges(16, 3) + "\r\n")),
    /// Pipelined requests whose answers the client never reads.
    UNREAD(2000, Then.WRITE_ON, _ -> text(requestText("/flood-30k", "").repeat(64))),
    /// Connections that stay open after an answer.
    IDLE(5000, Then.HOLD, _ -> get("/good-0", "")),
    /// Heads that stop in the middle.
    HALF_HEADS(2000, Then.HOLD, _ -> text(browserHead())),
    /// 100 pipelined requests on each connection, whose answers the client never reads.
    PIPELINES(100, Then.READ_NOTHING, _ -> text(requestText("/good-3", "").repeat(100))),
    /// Answers of 8 MB that the client never reads.
    UNREAD_LARGE(100, Then.READ_NOTHING, _ -> get("/flood-8m", "")),
    /// Paths that do not exist, each of them different.
    ABSENT(
            64,
            Then.ASK_AGAIN,
            n -> get("/absent/" + Long.toHexString(n * 0x9e3779b97f4a7c15L), ""));

    /// How a connection continues after its first bytes are sent.
    enum Then {
        /// It stays open and drops received bytes.
        HOLD,
        /// It sends one more byte each second.
        DRIP,
        /// It resets the connection.
        RESET,
        /// It reads until the server closes, then opens another.
        UNTIL_CLOSED,
        /// It reads one answer, then closes and opens another.
        ANSWERED_ONCE,
        /// It reads one answer, then sends the next request.
        ASK_AGAIN,
        /// It sends the same request repeatedly and reads nothing.
        WRITE_ON,
        /// It sends its bytes once and reads nothing.
        READ_NOTHING;

        /// Returns whether the client reads what the server sends.
        boolean reads() {
            return this != WRITE_ON && this != READ_NOTHING;
        }
    }

    /// The bytes of each of the four lines that fill a long head. nginx takes a line of up to 8
    /// KiB.
    private static final int LINE_BYTES = 7700;

    private static final int GARBAGE_BYTES = 600;

    private final int connections;
    private final Then then;

    @SuppressWarnings("ImmutableEnumChecker") // the functions keep no state
    private final LongFunction<ByteBuffer> requests;

    Flood(int connections, Then then, LongFunction<ByteBuffer> requests) {
        this.connections = connections;
        this.then = then;
        this.requests = requests;
    }

    /// Returns the flood's name on the command line.
    public String cell() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    int connections() {
        return connections;
    }

    Then then() {
        return then;
    }

    /// Returns whether each request differs from the others.
    boolean varies() {
        return this == ABSENT || this == GARBAGE;
    }

    /// Returns the bytes of request `n`.
    ByteBuffer request(long n) {
        return requests.apply(n);
    }

    private static ByteBuffer get(String path, String fields) {
        return text(requestText(path, fields));
    }

    private static String requestText(String path, String fields) {
        return "GET " + path + " HTTP/1.1\r\nHost: flood\r\n" + fields + "\r\n";
    }

    private static String longHead() {
        StringBuilder head = new StringBuilder(32 << 10);
        head.append("GET /good-3 HTTP/1.1\r\nHost: flood\r\n");
        for (int i = 0; i < 4; i++) {
            head.append("X-Long-").append(i).append(": ").repeat('a', LINE_BYTES).append("\r\n");
        }
        return head.toString();
    }

    /// Returns the first part of a head of a browser's size.
    private static String browserHead() {
        return "GET /good-3 HTTP/1.1\r\nHost: flood\r\nUser-Agent: "
                + "Mozilla/5.0 (X11; Linux x86_64) ".repeat(4)
                + "\r\nAccept: text/html,application/xhtml+xml\r\nAccept-Lang";
    }

    /// Returns `count` ranges of one byte each, whose starts are `step` bytes apart.
    private static String ranges(int count, int step) {
        StringBuilder ranges = new StringBuilder(count * 4);
        for (int i = 0; i < count; i++) {
            int at = i * step;
            ranges.append(i == 0 ? "" : ",").append(at).append('-').append(at);
        }
        return ranges.toString();
    }

    private static ByteBuffer garbage(long n) {
        byte[] bytes = new byte[GARBAGE_BYTES];
        new Random(n).nextBytes(bytes);
        bytes[GARBAGE_BYTES - 2] = '\r';
        bytes[GARBAGE_BYTES - 1] = '\n';
        return ByteBuffer.wrap(bytes);
    }

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
