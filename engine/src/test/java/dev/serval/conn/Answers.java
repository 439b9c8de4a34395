package dev.serval.conn;

import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.Fault;
import dev.serval.handler.Handler;
import dev.serval.handler.Source;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.testkit.RawResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Handlers for tests of connections, and a parser of their answers.
final class Answers {
    static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    private static final byte[] HELLO = bytes("hello");
    private static final ResponseHead OK = new ResponseHead(Status.OK, Fields.EMPTY, HELLO.length);
    private static final ResponseHead OPEN =
            new ResponseHead(Status.OK, Fields.EMPTY, ResponseHead.UNKNOWN_LENGTH);

    private Answers() {}

    /// One response, with its content without framing, as ISO-8859-1.
    record Answer(int status, List<RawResponse.Field> fields, String content) {
        private static Answer of(RawResponse response) {
            return new Answer(
                    response.status(),
                    response.fields(),
                    new String(response.body(), StandardCharsets.ISO_8859_1));
        }

        /// Returns whether there is exactly this field line.
        boolean has(String field) {
            return fields.stream().anyMatch(f -> field.equals(f.name() + ": " + f.value()));
        }
    }

    /// Returns a handler that answers "hello".
    static Handler greeting() {
        return x -> x.response().send(OK, Body.Bytes.of(HELLO));
    }

    /// Returns a handler that answers with the request's target.
    static Handler target() {
        return x -> say(x, x.request().target().text());
    }

    /// Returns a handler that holds its exchanges until a test answers them.
    static Handler holding(List<Exchange> held) {
        return x -> {
            x.content().onReadable(() -> {});
            held.add(x);
        };
    }

    /// Returns a handler that reads all content, then answers with its length, or notes how it
    /// failed.
    static Handler counting(List<String> seen) {
        return x -> new Counting(x, seen).proceed();
    }

    /// Returns a handler that sends back what it reads, never more than there is room for.
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

    /// Parses the responses in `text`, with nothing between or after them.
    static List<Answer> parse(String text) {
        return RawResponse.all(bytes(text)).stream().map(Answer::of).toList();
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
