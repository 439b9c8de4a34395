package dev.serval.conformance;

import dev.serval.handler.Body;
import dev.serval.handler.Duplex;
import dev.serval.handler.Exchange;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Fault;
import dev.serval.handler.Handler;
import dev.serval.handler.Sink;
import dev.serval.handler.Source;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.testkit.Await;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/// The handlers of the tests. Each uses one part of the contract. Stateless; called on the loop.
final class Answers {
    private static final int READ_BYTES = 4096;

    private Answers() {}

    /// Answers 200 with the text as text/plain.
    static void text(Exchange x, String text) {
        text(x, text, Fields.EMPTY);
    }

    /// Answers with the request's content and media type, and its trailers as fields.
    static void echo(Exchange x) {
        collect(x, new ByteArrayOutputStream());
    }

    /// Answers with the parsed method, version and fields of the request, one on each line.
    static void head(Exchange x) {
        text(
                x,
                x.request().methodText()
                        + " "
                        + x.request().version().text()
                        + "\n"
                        + x.request().fields());
    }

    /// Answers with the parsed parts of the target.
    static void target(Exchange x) {
        var target = x.request().target();
        text(
                x,
                "form=%s path=%s query=%s authority=%s"
                        .formatted(
                                target.form(),
                                target.path().text(),
                                Objects.toString(target.query(), "-"),
                                x.request().authority()));
    }

    /// Answers 4,000 bytes after the end of the content.
    static void afterContent(Exchange x) {
        int n = x.content().read(ByteBuffer.allocate(READ_BYTES));
        if (n >= 0) {
            x.content().onReadable(() -> afterContent(x));
        } else if (n == Source.END) {
            text(x, "x".repeat(4000));
        }
    }

    /// Answers without reading the content.
    static void ignore(Exchange x) {
        text(x, "ignored");
    }

    /// Answers with content of unknown length, in two pieces, with a trailer field.
    static void unknownLength(Exchange x) {
        Sink sink = x.response();
        sink.head(head(Status.OK, ResponseHead.UNKNOWN_LENGTH, Fields.EMPTY));
        sink.write(bytes("first,"));
        sink.write(bytes("second"));
        sink.end(new Fields().add("X-Trailer", "end"));
    }

    /// Answers 103 before 200.
    static void hints(Exchange x) {
        x.response()
                .inform(Status.EARLY_HINTS, Fields.of(FieldName.LINK, "</style.css>; rel=preload"));
        text(x, "hinted");
    }

    /// Answers 204.
    static void nothing(Exchange x) {
        x.response().send(new ResponseHead(Status.NO_CONTENT, Fields.EMPTY, 0), Body.Empty.EMPTY);
    }

    /// Promises ten bytes, but sends five.
    static void tooShort(Exchange x) {
        x.response().send(head(Status.OK, 10, Fields.EMPTY), bytes("01234"));
    }

    /// Promises five bytes, but tries to send more that look like another response.
    static void tooLong(Exchange x) {
        x.response()
                .send(
                        head(Status.OK, 5, Fields.EMPTY),
                        bytes("01234HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
    }

    /// Tries to set a field value with a line end, which the fields refuse.
    static void inject(Exchange x) {
        text(x, "injected", new Fields().add("X-Copy", "a\r\nX-Injected: b"));
    }

    /// Answers 101, then sends back every received byte.
    static void tunnel(Exchange x) {
        Fields fields = Fields.of(FieldName.UPGRADE, "echo");
        loop(x.upgrade(new ResponseHead(Status.SWITCHING_PROTOCOLS, fields, 0)));
    }

    /// Answers from the executor for blocking code.
    static void blocking(Exchange x) {
        x.run(ExecutorKind.BLOCKING, () -> then -> text(then, "blocked"));
    }

    /// Streams the content back as it arrives. Holds at most one buffer of it in memory.
    static void stream(Exchange x) {
        x.response().head(head(Status.OK, x.request().contentLength(), Fields.EMPTY));
        pump(x);
    }

    /// Holds every exchange on the executor for blocking code until the latch opens, then answers.
    static Handler held(AtomicInteger waiting, CountDownLatch latch) {
        return x ->
                x.run(
                        ExecutorKind.BLOCKING,
                        () -> {
                            waiting.incrementAndGet();
                            Await.open("the test releases the handler", latch);
                            return then -> text(then, "through");
                        });
    }

    static Body.Bytes bytes(String text) {
        return Body.Bytes.of(text.getBytes(StandardCharsets.UTF_8));
    }

    static ResponseHead head(Status status, long length, Fields more) {
        Fields fields = Fields.of(FieldName.CONTENT_TYPE, "text/plain; charset=utf-8");
        return new ResponseHead(status, fields.addAll(more), length);
    }

    private static void text(Exchange x, String text, Fields more) {
        Body.Bytes body = bytes(text);
        x.response().send(head(Status.OK, body.length(), more), body);
    }

    private static void collect(Exchange x, ByteArrayOutputStream content) {
        ByteBuffer into = ByteBuffer.allocate(READ_BYTES);
        int count = x.content().read(into);
        while (count > 0) {
            content.write(into.array(), 0, count);
            count = x.content().read(into.clear());
        }
        switch (count) {
            case 0 -> x.content().onReadable(() -> collect(x, content));
            case Source.END -> {
                Fields trailers = x.content().trailers();
                Fields more = trailers.size() == 0 ? Fields.EMPTY : echoed(trailers);
                text(x, content.toString(StandardCharsets.UTF_8), more);
            }
            default -> x.response().abort(Fault.PROTOCOL);
        }
    }

    private static Fields echoed(Fields trailers) {
        Fields fields = new Fields();
        for (int i = 0; i < trailers.size(); i++) {
            fields.add("X-Trailer-" + trailers.name(i), trailers.value(i));
        }
        return fields;
    }

    private static void pump(Exchange x) {
        while (true) {
            ByteBuffer piece = ByteBuffer.allocate(READ_BYTES);
            int count = x.content().read(piece);
            if (count == 0) {
                x.content().onReadable(() -> pump(x));
                return;
            }
            if (count < 0) {
                end(x, count);
                return;
            }
            if (x.response().write(new Body.Bytes(piece.flip(), null)) <= 0) {
                x.response().onWritable(() -> pump(x));
                return;
            }
        }
    }

    private static void end(Exchange x, int count) {
        if (count == Source.END) {
            x.response().end(Fields.EMPTY);
        } else {
            x.response().abort(Fault.PROTOCOL);
        }
    }

    private static void loop(Duplex duplex) {
        ByteBuffer piece = ByteBuffer.allocate(READ_BYTES);
        int count = duplex.read(piece);
        while (count > 0) {
            duplex.write(new Body.Bytes(piece.flip(), null));
            piece = ByteBuffer.allocate(READ_BYTES);
            count = duplex.read(piece);
        }
        if (count == 0) {
            duplex.onReadable(() -> loop(duplex));
        } else {
            duplex.end();
        }
    }
}
