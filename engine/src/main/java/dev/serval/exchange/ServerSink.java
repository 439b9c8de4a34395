package dev.serval.exchange;

import dev.serval.coding.CodedHead;
import dev.serval.coding.Compression;
import dev.serval.handler.Body;
import dev.serval.handler.Fault;
import dev.serval.handler.MountSettings;
import dev.serval.handler.Sink;
import dev.serval.http.FieldChanges;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.ProtocolError;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.policy.Counter;
import dev.serval.policy.ErrorPages;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The response of an exchange, for any protocol. It checks the order of calls and the length, and
/// answers with error pages. The same object serves the next exchange.
///
/// ```
///   OPEN ── head ──▶ CONTENT ── end, abort, lost ──▶ ENDED
///     │                 └─ end ─▶ ENDING ── caught up ──▶
///     └──────────── upgrade, abort, lost ────────────▶
/// ```
/// In ENDING the handler has done its part, and content waits to be compressed.
///
/// After the end, parts that are still written are released unsent. Owned by the loop.
final class ServerSink implements Sink, DirectContent {
    private enum State {
        OPEN,
        CONTENT,
        ENDING,
        ENDED
    }

    private static final int ERRORS_FROM = 400;

    private final ServerExchange exchange;
    private final ResponsePort port;
    private ResponsePort out; // the port, or what compresses for it
    private @Nullable GzipPort gzip; // created by the first compressed response
    private State state = State.ENDED;
    private boolean headOnly;
    private boolean suppressed; // content is counted and not sent
    private int status;
    private long length;
    private long written;
    private Runnable waiting = ServerExchange.NOTHING;
    private @Nullable ByteBuffer lent; // between room and filled
    private int lentFrom;
    private int lentLimit;
    private Fields added = Fields.EMPTY; // to the head
    private Fields addedToErrors = Fields.EMPTY; // in their place, from status 400 on
    private @Nullable MountSettings mount;
    private @Nullable ResponseHead sent;
    private @Nullable ResponseHead replaced; // status and fields of an error whose page is sent

    ServerSink(ServerExchange exchange, ResponsePort port) {
        this.exchange = exchange;
        this.port = port;
        this.out = port;
    }

    /// Starts another response.
    ///
    /// @param headAsked whether the client requested only the head
    void begin(boolean headAsked) {
        state = State.OPEN;
        out = port;
        headOnly = headAsked;
        suppressed = false;
        status = 0;
        length = ResponseHead.UNKNOWN_LENGTH;
        written = 0;
        waiting = ServerExchange.NOTHING;
        added = Fields.EMPTY;
        addedToErrors = Fields.EMPTY;
        mount = null;
        sent = null;
        replaced = null;
    }

    /// Adds fields to the head, as [EngineExchange#addFields(Fields, Fields)] describes.
    void add(Fields fields, Fields toErrors) {
        added = fields;
        addedToErrors = toErrors;
    }

    /// Sets the settings of the mount, whose changes of fields follow those of [#add], and whose
    /// pages take the place of the server's; null for none.
    void enter(@Nullable MountSettings settings) {
        mount = settings;
    }

    /// Returns the settings of the mount, or null.
    @Nullable MountSettings mount() {
        return mount;
    }

    /// Lets the next response be the page of an error: it gets its status and fields.
    void replaceStatus(Status error, Fields fields) {
        replaced = new ResponseHead(error, new Fields().addAll(fields), 0);
    }

    /// Returns whether the response is the page of an error.
    boolean isReplaced() {
        return replaced != null;
    }

    /// Returns the bytes of memory that compress the response.
    long compressorBytes() {
        return gzip == null ? 0 : gzip.compressorBytes();
    }

    /// Returns the port, for a tunnel.
    ResponsePort port() {
        return port;
    }

    @Override
    public void inform(Status interim, Fields fields) {
        exchange.started();
        if (state == State.CONTENT || !interim.interim() || interim.code() == 101) {
            throw new IllegalStateException(
                    "An interim response must be 1xx, not 101, and precede the head: " + interim);
        }
        sendInterim(interim, fields);
    }

    @Override
    public void head(ResponseHead head) {
        if (head.status().interim()) {
            throw new IllegalArgumentException(
                    "The head of a response needs a final status, and inform sends interim ones: "
                            + head.status());
        }
        exchange.started();
        if (state != State.OPEN) {
            requireEnded("A response must have only one head");
            return;
        }
        state = State.CONTENT;
        ResponseHead given = replaced == null ? head : asError(replaced, head);
        // A 205 has no content, but is framed as if it had (RFC 9110 §15.3.6).
        boolean reset = Status.RESET_CONTENT.equals(given.status());
        ResponseHead meant = reset ? given.withContentLength(0) : given;
        status = meant.status().code();
        length = meant.contentLength();
        suppressed = headOnly || reset || meant.status().withoutContent();
        Fields more = status < ERRORS_FROM ? added : addedToErrors;
        ResponseHead own =
                exchange.service().fields().applied(more.size() == 0 ? meant : with(more, meant));
        exchange.notes().responds();
        if (mount == null) {
            sent = own;
            port.head(own, suppressed);
        } else {
            headOf(mount, own, head.isFixed());
        }
    }

    private void headOf(MountSettings settings, ResponseHead own, boolean fixed) {
        ResponseHead last = settings.fields().applied(own);
        @Nullable Compression compression = fixed ? null : settings.compression();
        CodedHead.Choice choice =
                compression == null
                        ? CodedHead.Choice.UNTOUCHED
                        : CodedHead.of(last, exchange.request(), compression);
        if (compression != null && choice == CodedHead.Choice.GZIP) {
            if (gzip == null) {
                gzip = new GzipPort(exchange, this, port);
            }
            gzip.begin(compression);
            out = gzip;
        }
        sent =
                switch (choice) {
                    case UNTOUCHED, GZIP -> last;
                    case VARIES -> CodedHead.varied(last);
                    case NOT_MODIFIED -> CodedHead.notModified(last);
                };
        out.head(sent, suppressed);
    }

    /// Notes the head that was made of the response's own.
    void sent(ResponseHead head) {
        sent = head;
    }

    /// Ends the response, or calls its writer: the content that waited has been compressed.
    void caughtUp() {
        if (state == State.ENDING && gzip != null) {
            state = State.ENDED;
            gzip.endNow();
            exchange.responseEnded();
        } else if (port.room() > 0) {
            takeWriter().run();
        } else {
            port.wantWritable();
            exchange.port().rearm();
        }
    }

    @Override
    public long write(Body part) {
        if (state == State.OPEN) {
            throw new IllegalStateException("Content must follow the head");
        }
        long n = part.length();
        if (state != State.CONTENT || suppressed || n == 0) {
            written += state == State.CONTENT ? n : 0;
            part.release();
        } else if (length != ResponseHead.UNKNOWN_LENGTH && n > length - written) {
            overrun(part);
        } else {
            written += n;
            out.content(part);
        }
        return out.room();
    }

    @Override
    public @Nullable ByteBuffer room(long most) {
        if (state != State.CONTENT || suppressed) {
            return null;
        }
        long allowed =
                length == ResponseHead.UNKNOWN_LENGTH ? most : Math.min(most, length - written);
        @Nullable ByteBuffer buffer = allowed > 0 ? out.direct() : null;
        if (buffer != null) {
            lent = buffer;
            lentFrom = buffer.position();
            lentLimit = buffer.limit();
            buffer.limit((int) Math.min(lentLimit, lentFrom + allowed));
        }
        return buffer;
    }

    @Override
    public long filled() {
        @Nullable ByteBuffer buffer = lent;
        if (buffer != null) {
            lent = null;
            buffer.limit(lentLimit);
            written += buffer.position() - lentFrom;
        }
        return port.room();
    }

    @Override
    public boolean takesHeld() {
        return state == State.CONTENT && !suppressed && out.takesHeld();
    }

    @Override
    public void onWritable(Runnable once) {
        exchange.started();
        boolean over = state == State.ENDED || state == State.ENDING;
        if (over || out.room() > 0) {
            exchange.later(once);
        } else if (exchange.outlastsTurn()) {
            waiting = once;
            out.wantWritable();
            exchange.port().rearm();
        }
    }

    @Override
    public void end(Fields trailers) {
        if (state != State.CONTENT) {
            requireEnded("A response must have a head before its end");
            return;
        }
        boolean known = length != ResponseHead.UNKNOWN_LENGTH;
        if (known && !suppressed && written < length) {
            reportLength("fewer");
            exchange.blame(Fault.APPLICATION);
            finish(Fields.EMPTY, ResponsePort.Ending.SHORT);
        } else {
            // They may wait for the client, or for the compressor.
            Fields kept = known ? Fields.EMPTY : trailers.lasting();
            finish(kept, ResponsePort.Ending.WHOLE);
        }
        forgetHandler();
    }

    /// Calls the handler no more, if it has ended a response whose content waits to be compressed.
    private void forgetHandler() {
        if (state == State.ENDING) {
            exchange.onAbort(ServerExchange.NOTHING);
        }
    }

    @Override
    public void cut(Fault why) {
        if (state != State.CONTENT) {
            abort(why);
        } else {
            exchange.blame(why);
            finish(
                    Fields.EMPTY,
                    suppressed ? ResponsePort.Ending.WHOLE : ResponsePort.Ending.SHORT);
            forgetHandler();
        }
    }

    @Override
    public void abort(Fault why) {
        giveUp(why, why == Fault.OVERLOAD);
    }

    /// Aborts the response as [#abort] does.
    ///
    /// @param known whether the handler's current call reports the abort to the handler. If not,
    ///     the handler may call late, so the object must not serve another request
    void giveUp(Fault why, boolean known) {
        exchange.started();
        switch (state) {
            case OPEN -> {
                if (!known) {
                    exchange.retire();
                }
                replaced = null;
                send(ErrorAnswer.of(pages(), why));
            }
            case CONTENT, ENDING -> {
                exchange.blame(why);
                state = State.ENDED;
                waiting = ServerExchange.NOTHING;
                out.reset();
                exchange.responseEnded();
            }
            case ENDED -> {}
        }
    }

    /// Answers with an error page.
    void refuse(Status error, Fields fields, String what) {
        exchange.started();
        if (state == State.OPEN) {
            @Nullable ResponseHead first = replaced; // the error whose page has failed
            send(
                    first == null
                            ? ErrorAnswer.of(pages(), error, fields, what)
                            : ErrorAnswer.of(pages(), first.status(), Fields.EMPTY, ""));
        } else {
            abort(Fault.APPLICATION);
        }
    }

    /// Answers content that failed, or aborts a response that has begun.
    void contentFailed(Fault why, @Nullable ProtocolError error) {
        switch (state) {
            case OPEN -> {
                replaced = null;
                send(error != null ? ErrorAnswer.of(pages(), error) : ErrorAnswer.of(pages(), why));
            }
            case CONTENT -> abort(why);
            case ENDING, ENDED -> {}
        }
    }

    /// Sends the head that opens a tunnel.
    void upgrade(ResponseHead head) {
        if (state != State.OPEN) {
            throw new IllegalStateException("An upgrade must be the only response");
        }
        status = head.status().code();
        sent = head;
        exchange.notes().responds();
        state = State.ENDED;
        port.upgrade(head);
    }

    /// Sends `100 Continue`, for which the client waits with its content (RFC 9110 §10.1.1).
    void sendContinue() {
        sendInterim(Status.CONTINUE, Fields.EMPTY);
    }

    /// Returns whether the head was sent and the end was not.
    boolean hasBegun() {
        return state == State.CONTENT || state == State.ENDING;
    }

    /// Returns how many bytes of content were accepted to be sent; of compressed content, how many
    /// were passed on.
    long contentSent() {
        if (suppressed) {
            return 0;
        }
        return gzip != null && gzip.equals(out) ? gzip.sent() : written;
    }

    /// Returns the head that was sent, or null.
    @Nullable ResponseHead sentHead() {
        return sent;
    }

    /// Returns the final status, or 0.
    int status() {
        return status;
    }

    /// Returns and clears the callback that waits for room, or [ServerExchange#NOTHING].
    Runnable takeWriter() {
        if (gzip != null && gzip.isBehind()) {
            return gzip.stepper();
        }
        Runnable callback = waiting;
        waiting = ServerExchange.NOTHING;
        return callback;
    }

    /// Ends the connection or stream at once, and the exchange with it.
    void breakOff(Fault why) {
        exchange.blame(why);
        out.reset();
        exchange.lost(why); // a stream of HTTP/2 that the server resets reports nothing
    }

    /// Ends the response, because the connection is lost.
    void lost() {
        state = State.ENDED;
        waiting = ServerExchange.NOTHING;
        if (gzip != null) {
            gzip.close();
        }
    }

    /// Returns the head of a page as that of an error. Validators and ranges are those of the page,
    /// not of what the client asked for, and the time that a file may be cached is not one for an error.
    private static ResponseHead asError(ResponseHead error, ResponseHead page) {
        Fields fields =
                new Fields()
                        .addAll(page.fields())
                        .remove(FieldName.ETAG)
                        .remove(FieldName.LAST_MODIFIED)
                        .remove(FieldName.ACCEPT_RANGES);
        if (page.isFixed()) {
            fields.remove(FieldName.CACHE_CONTROL);
        }
        ResponseHead own = new ResponseHead(error.status(), fields, page.contentLength());
        return error.fields().size() == 0 ? own : with(error.fields(), own);
    }

    private static ResponseHead with(Fields more, ResponseHead head) {
        Fields merged = new Fields();
        Fields own = head.fields();
        boolean typeStays = FieldChanges.hasSeveralRanges(head);
        for (int i = 0; i < own.size(); i++) {
            @Nullable FieldName known = own.known(i);
            boolean list = FieldName.VARY.equals(known) || FieldName.SET_COOKIE.equals(known);
            boolean stays = list || (typeStays && FieldName.CONTENT_TYPE.equals(known));
            if (stays || more.first(own.name(i)) == null) {
                merged.add(own.name(i), own.value(i));
            }
        }
        for (int i = 0; i < more.size(); i++) {
            if (!typeStays || !FieldName.CONTENT_TYPE.equals(more.known(i))) {
                merged.add(more, i);
            }
        }
        return new ResponseHead(head.status(), merged, head.contentLength());
    }

    private void sendInterim(Status interim, Fields fields) {
        if (state == State.OPEN && port.interim(interim, fields)) {
            exchange.service().metrics().count(Counter.RESPONSES_1XX);
        }
    }

    /// Sends content up to the promised length, and no more, then ends the response.
    private void overrun(Body part) {
        long allowed = length - written;
        reportLength("more");
        written = length;
        if (allowed > 0) {
            out.content(part.part(0, allowed, part.released()));
        } else {
            part.release();
        }
        exchange.blame(Fault.APPLICATION);
        finish(Fields.EMPTY, ResponsePort.Ending.CUT);
        exchange.tellAborted(ServerExchange.NOTHING);
    }

    private void finish(Fields trailers, ResponsePort.Ending ending) {
        waiting = ServerExchange.NOTHING;
        if (gzip != null && gzip.isBehind()) {
            state = State.ENDING;
            gzip.endLater(trailers, ending);
            boolean _ = exchange.outlastsTurn(); // if not, it was aborted
        } else {
            state = State.ENDED;
            out.end(trailers, ending, suppressed);
            exchange.responseEnded();
        }
    }

    private void reportLength(String how) {
        String what = "A response has " + how + " bytes than its Content-Length: " + length;
        exchange.service().metrics().count(Counter.HANDLER_FAULTS);
        exchange.service()
                .report(
                        "A response does not match its Content-Length",
                        new IllegalStateException(what));
    }

    private void requireEnded(String rule) {
        if (state != State.ENDED && state != State.ENDING) {
            throw new IllegalStateException(rule);
        }
    }

    private void send(ErrorAnswer answer) {
        ErrorAnswer own = mount == null ? answer : ErrorRoute.page(mount, answer);
        send(own.head(), own.content());
    }

    private ErrorPages pages() {
        return exchange.service().settings().pages();
    }
}
