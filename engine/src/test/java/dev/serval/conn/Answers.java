package dev.serval.conn;

import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.Fault;
import dev.serval.handler.Handler;
import dev.serval.handler.Source;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Handlers that tests of connections answer with, and what their answers say.
final class Answers {
    static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    private static final byte[] HELLO = bytes("hello");
    private static final ResponseHead OK = new ResponseHead(Status.OK, Fields.EMPTY, HELLO.length);
    private static final ResponseHead OPEN =
            new ResponseHead(Status.OK, Fields.EMPTY, ResponseHead.UNKNOWN_LENGTH);

    private Answers() {}

    /// One response as it stood on the wire, its content without framing.
    record Answer(int status, String head, String content) {
        boolean has(String field) {
            return head.contains("\r\n" + field + "\r\n");
        }
    }

    /// Says hello.
    static Handler greeting() {
        return x -> x.response().send(OK, Body.Bytes.of(HELLO));
    }

    /// Says what target was asked for.
    static Handler target() {
        return x -> say(x, x.request().target().text());
    }

    /// Keeps its exchanges until a test answers them.
    static Handler holding(List<Exchange> held) {
        return x -> {
            x.content().onReadable(() -> {});
            held.add(x);
        };
    }

    /// Reads all content, then says how much there was, or how it failed.
    static Handler counting(List<String> seen) {
        return x -> new Counting(x, seen).proceed();
    }

    /// Sends back what it reads, never more than there is room for.
    static Handler echo() {
        return x -> {
            x.response().head(OPEN);
            new Echo(x).proceed();
        };
    }

    static void say(Exchange x, String text) {
        byte[] bytes = bytes(text);
        x.response()
                .send(
                        new ResponseHead(Status.OK, Fields.EMPTY, bytes.length),
                        Body.Bytes.of(bytes));
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /// The responses in `text`, one behind the other, with nothing between or behind them.
    static List<Answer> parse(String text) {
        List<Answer> answers = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int end = text.indexOf("\r\n\r\n", at);
            if (end < 0 || !text.startsWith("HTTP/1.1 ", at)) {
                throw new AssertionError("Not a response: " + text.substring(at));
            }
            String head = text.substring(at, end + 4);
            int status = Integer.parseInt(head.substring(9, 12));
            at = end + 4;
            StringBuilder content = new StringBuilder();
            int length = head.indexOf("\r\nContent-Length: ");
            if (head.contains("\r\nTransfer-Encoding: chunked\r\n")) {
                at = chunks(text, at, content);
            } else if (length >= 0) {
                int from = length + 18;
                int n = Integer.parseInt(head.substring(from, head.indexOf('\r', from)));
                content.append(text, at, at + n);
                at += n;
            }
            answers.add(new Answer(status, head, content.toString()));
        }
        return answers;
    }

    private static int chunks(String text, int from, StringBuilder content) {
        int at = from;
        while (true) {
            int end = text.indexOf("\r\n", at);
            int size = Integer.parseInt(text.substring(at, end), 16);
            at = end + 2;
            if (size == 0) {
                break;
            }
            content.append(text, at, at + size);
            at += size;
            if (!text.startsWith("\r\n", at)) {
                throw new AssertionError("No line end behind a chunk");
            }
            at += 2;
        }
        int end = at;
        while (!text.startsWith("\r\n", end)) {
            end = text.indexOf("\r\n", end) + 2;
        }
        return end + 2;
    }

    private static final class Counting {
        private final Exchange x;
        private final List<String> seen;
        private final ByteBuffer buffer = ByteBuffer.allocate(1000);
        private long count;

        Counting(Exchange x, List<String> seen) {
            this.x = x;
            this.seen = seen;
        }

        void proceed() {
            int n = x.content().read(buffer.clear());
            while (n > 0) {
                count += n;
                n = x.content().read(buffer.clear());
            }
            switch (n) {
                case 0 -> x.content().onReadable(this::proceed);
                case Source.END -> {
                    seen.add("END " + count);
                    say(x, count + " bytes");
                }
                case Source.FAILED -> seen.add("FAILED " + count);
                default -> throw new AssertionError("read returned " + n);
            }
        }
    }

    private static final class Echo {
        private final Exchange x;

        Echo(Exchange x) {
            this.x = x;
        }

        void proceed() {
            long room = 1;
            while (room > 0) {
                ByteBuffer piece = ByteBuffer.allocate(4096);
                int n = x.content().read(piece);
                if (n == 0) {
                    x.content().onReadable(this::proceed);
                    return;
                }
                if (n == Source.END) {
                    x.response().end(Fields.EMPTY);
                    return;
                }
                if (n == Source.FAILED) {
                    x.response().abort(Fault.PEER_GONE);
                    return;
                }
                room = x.response().write(new Body.Bytes(piece.flip(), null));
            }
            x.response().onWritable(this::proceed);
        }
    }
}
