package dev.serval.file;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.handler.Sink;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.Method;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// Answers an exchange with a [Representation]: checks method, conditions and ranges in the order
/// of RFC 9110 §13.2.2. Called on the loop. Keeps no state of an exchange.
final class Responder {
    /// The methods that every file allows.
    private static final String ALLOWED = "GET, HEAD, OPTIONS";

    private static final ResponseHead OPTIONS =
            new ResponseHead(Status.NO_CONTENT, Fields.of(FieldName.ALLOW, ALLOWED), 0);

    private final InstantSource clock;

    /// @param clock the clock for dates with a two-digit year
    Responder(InstantSource clock) {
        this.clock = clock;
    }

    /// Answers an exchange with the representation of the file that fits it best.
    ///
    /// @param again as below
    /// @return as below
    boolean answer(EngineExchange x, Found.File file, Handler again) {
        Representation plain = file.representation();
        return answer(
                x,
                file.coded().isEmpty() ? plain : file.coded().select(x.request().fields(), plain),
                again);
    }

    /// Answers an exchange.
    ///
    /// @param again answers if the file changes before its first bytes were read from the disk
    /// @return false, without an answer, if the file was written or closed meanwhile and must be
    ///     looked up again
    boolean answer(EngineExchange x, Representation r, Handler again) {
        Method method = x.request().method();
        if (method != Method.GET && method != Method.HEAD) {
            withoutContent(x);
            return true;
        }
        Fields fields = x.request().fields();
        int present = Preconditions.present(fields);
        if (present == 0) {
            return whole(x, r, again);
        }
        return switch (Preconditions.evaluate(fields, present, r, clock)) {
            case NOT_MODIFIED -> {
                x.response().send(r.notModified(), Body.Empty.EMPTY);
                yield true;
            }
            case FAILED -> {
                x.refuse(
                        Status.PRECONDITION_FAILED,
                        Fields.EMPTY,
                        "The file does not match the conditions of the request.");
                yield true;
            }
            case PROCEED -> {
                int range =
                        method == Method.GET // §14.2: only GET has ranges
                                ? Preconditions.rangeField(fields, present, r, clock)
                                : -1;
                yield range < 0 ? whole(x, r, again) : ranges(x, r, range, again);
            }
        };
    }

    /// Answers methods other than GET and HEAD: OPTIONS (§9.3.7), otherwise 405 (§15.5.6).
    static void withoutContent(Exchange x) {
        if (x.request().method() == Method.OPTIONS) {
            x.response().send(OPTIONS, Body.Empty.EMPTY);
            return;
        }
        x.refuse(
                Status.METHOD_NOT_ALLOWED,
                Fields.of(FieldName.ALLOW, ALLOWED),
                "A file allows only GET, HEAD and OPTIONS.");
    }

    /// Answers with the whole content, without conditions and ranges.
    ///
    /// @param again as for [#answer]
    /// @return false, without an answer, if the file was written or closed meanwhile
    static boolean whole(EngineExchange x, Representation r, Handler again) {
        if (x.request().method() == Method.HEAD) {
            x.response().send(r.ok(), Body.Empty.EMPTY);
            return true;
        }
        if (r.content() instanceof Representation.InMemory memory) {
            x.response().send(r.ok(), memory.body());
            return true;
        }
        OpenFile file = (OpenFile) r.content();
        if (!file.lendUnchanged()) {
            return false;
        }
        if (file.isHot(x.nowNanos())) {
            file.touch(x.nowNanos());
            x.response().send(r.ok(), file.whole());
        } else {
            long[] end = {file.length()};
            new FileSend(x, file, new ByteRanges.Parts(new long[1], end), null, again)
                    .start(r.ok());
        }
        return true;
    }

    private static boolean ranges(EngineExchange x, Representation r, int field, Handler again) {
        Fields fields = x.request().fields();
        long length = r.content().length();
        ByteRanges ranges =
                ByteRanges.parse(
                        fields.buffer(), fields.valueAt(field), fields.valueEnd(field), length);
        if (ranges instanceof ByteRanges.Parts parts) {
            if (parts.count() == 1) {
                return onePart(x, r, parts, again);
            }
            // Content-Encoding would be that of the multipart content, which is in no coding
            // (§8.4).
            return r.isCoded() ? whole(x, r, again) : severalParts(x, r, parts, again);
        }
        if (ranges instanceof ByteRanges.Ignored) {
            return whole(x, r, again);
        }
        x.refuse(
                Status.RANGE_NOT_SATISFIABLE,
                Fields.of(FieldName.CONTENT_RANGE, "bytes */" + length),
                "The range is past the end of the file, which has " + length + " bytes.");
        return true;
    }

    /// Answers with one part (§15.3.7.1).
    private static boolean onePart(
            EngineExchange x, Representation r, ByteRanges.Parts parts, Handler again) {
        long first = parts.firsts()[0];
        long end = parts.ends()[0];
        Fields fields =
                r.fields(r.type())
                        .add(
                                FieldName.CONTENT_RANGE,
                                Multipart.contentRange(first, end, r.content().length()));
        ResponseHead head = new ResponseHead(Status.PARTIAL_CONTENT, fields, end - first).asFixed();
        if (r.content() instanceof Representation.InMemory memory) {
            x.response().send(head, slice(memory, first, end));
            return true;
        }
        return send(x, (OpenFile) r.content(), parts, null, head, again);
    }

    /// Answers with several parts (§15.3.7.2).
    private static boolean severalParts(
            EngineExchange x, Representation r, ByteRanges.Parts parts, Handler again) {
        Multipart frame = new Multipart(parts, r.type(), r.content().length());
        ResponseHead head =
                new ResponseHead(Status.PARTIAL_CONTENT, r.fields(frame.type()), frame.length())
                        .asFixed();
        if (!(r.content() instanceof Representation.InMemory memory)) {
            return send(x, (OpenFile) r.content(), parts, frame, head, again);
        }
        Sink response = x.response();
        response.head(head);
        for (int i = 0; i < parts.count(); i++) {
            response.write(frame.before(i));
            response.write(slice(memory, parts.firsts()[i], parts.ends()[i]));
        }
        response.write(frame.end());
        response.end(Fields.EMPTY);
        return true;
    }

    /// Sends parts of an open file.
    ///
    /// @param frame separates them; null if there is only one
    /// @return false, without an answer, if the file was written or closed meanwhile
    private static boolean send(
            EngineExchange x,
            OpenFile file,
            ByteRanges.Parts parts,
            @Nullable Multipart frame,
            ResponseHead head,
            Handler again) {
        if (!file.lendUnchanged()) {
            return false;
        }
        new FileSend(x, file, parts, frame, again).start(head);
        return true;
    }

    private static Body slice(Representation.InMemory memory, long first, long end) {
        return memory.body().part(first, end - first, null);
    }
}
