package dev.serval.conn;

import dev.serval.http.AccessRecord;
import dev.serval.http.ConnectionFacts;
import dev.serval.http.Counter;
import dev.serval.http.Duplex;
import dev.serval.http.Exchange;
import dev.serval.http.Fault;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.Handler;
import dev.serval.http.Method;
import dev.serval.http.Place;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHead;
import dev.serval.http.ResponseHead;
import dev.serval.http.Route;
import dev.serval.http.Sink;
import dev.serval.http.Source;
import dev.serval.http.Status;
import dev.serval.http.Target;
import dev.serval.http.Task;
import dev.serval.loop.Deadline;
import org.jspecify.annotations.Nullable;

/// The exchanges of an HTTP/1.1 connection, one after the other: the object is used again, and what
/// comes back late from another thread is told by its serial number that its exchange is over.
final class Http1Exchange implements Exchange, AccessRecord {
    private static final Fields ALLOW_ALL =
            Fields.of(FieldName.ALLOW, "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
    private static final ResponseHead OPTIONS_ANSWER =
            new ResponseHead(Status.NO_CONTENT, ALLOW_ALL, 0);
    private static final Fields RETRY = Fields.of(FieldName.RETRY_AFTER, "1");

    /// How often a response that has begun asks for room at a place.
    private static final long ASK_AGAIN_NANOS = 50_000_000;

    private final Http1Connection connection;
    private final Http1Source source;
    private final Http1Sink sink;
    private @Nullable RequestHead head;
    private @Nullable Route route;
    private @Nullable Runnable onAbort;
    private @Nullable Http1Tunnel tunnel;
    private int next; // handler of the chain
    private long serial;
    private boolean running;
    private boolean touched;
    private boolean counted;
    private long startedNanos;
    private long deadlineNanos = Deadline.NEVER;

    Http1Exchange(Http1Connection connection) {
        this.connection = connection;
        this.source = new Http1Source(connection, this);
        this.sink = new Http1Sink(connection, this);
    }

    // What the connection calls

    /// Starts with a head that was read: the handler is called at once.
    void begin(RequestHead request) {
        start(request);
        @Nullable ProtocolError wrong = source.begin(request);
        if (wrong != null) {
            connection.metrics().count(Counter.PROTOCOL_ERRORS);
            sink.refuse(wrong.status(), Fields.EMPTY, wrong.what());
            return;
        }
        Method method = request.method();
        if (method == Method.TRACE || method == Method.CONNECT) {
            refuse(Status.METHOD_NOT_ALLOWED, ALLOW_ALL, method + " is not offered here.");
        } else if (request.target().form() == Target.Form.ASTERISK) {
            sink.head(OPTIONS_ANSWER);
            sink.end(Fields.EMPTY);
        } else {
            call(connection.http().settings().handler());
            if (running && !counted) {
                admit(false); // kept for later, though nothing was asked for
            }
        }
    }

    /// Answers a head that could not be read, for the last time on this connection.
    void refuseUnread(ProtocolError error, boolean headAlone) {
        start(null);
        sink.refuseUnread(error, headAlone);
    }

    /// The connection is gone.
    void aborted(Fault why) {
        if (!running) {
            return;
        }
        if (why == Fault.PEER_GONE) {
            connection.metrics().count(Counter.PEERS_GONE);
        }
        sink.lost();
        connection.http().settings().accessLog().ended(this);
        @Nullable Http1Tunnel open = tunnel;
        @Nullable Runnable reader = open != null ? open.lost() : source.lost();
        ended();
        if (reader != null) {
            call(reader);
        }
        runOnAbort();
    }

    /// The engine ends the exchange, and whoever works on it hears of it.
    void giveUp(Fault why) {
        sink.abort(why);
        runOnAbort();
    }

    /// Whether the client said that no request follows, or nothing it said could be read.
    boolean isLastOfClient() {
        @Nullable RequestHead present = head;
        return present != null && !present.persistent();
    }

    Http1Source source() {
        return source;
    }

    Http1Sink sink() {
        return sink;
    }

    Http1Tunnel tunnel() {
        @Nullable Http1Tunnel open = tunnel;
        if (open == null) {
            throw new IllegalStateException("No tunnel was opened");
        }
        return open;
    }

    // What source and sink call

    /// Content or response was touched: passing on is over.
    void touched() {
        touched = true;
    }

    /// The exchange goes on after this turn, so it counts as one in progress.
    ///
    /// @return whether there was room for it; if not, it has been refused
    boolean outlastsTurn() {
        if (counted || !running) {
            return running;
        }
        return admit(true);
    }

    /// Calls what a handler left to be called.
    void call(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    /// As [#call], when this turn's calls have returned, if the exchange still goes on.
    void later(Runnable callback) {
        if (!running) {
            return;
        }
        long expected = serial;
        connection
                .loop()
                .execute(() -> {
                    if (serial == expected) {
                        call(callback);
                        connection.resumed();
                    }
                });
    }

    /// The content will never be complete. The client is told while it can be.
    void contentFailed(Fault why, @Nullable ProtocolError error) {
        if (error != null) {
            connection.metrics().count(Counter.PROTOCOL_ERRORS);
        }
        sink.contentFailed(why, error);
        runOnAbort();
    }

    /// A head that could not be read was answered.
    void refused() {
        count(sink.status());
        connection.http().settings().accessLog().ended(this);
        ended();
    }

    /// The response is complete, as far as it will ever be.
    void responseEnded(boolean persistent) {
        count(sink.status());
        connection.http().settings().accessLog().ended(this);
        ended();
        connection.exchangeEnded(persistent);
    }

    // Exchange

    @Override
    public RequestHead request() {
        @Nullable RequestHead present = head;
        if (present == null) {
            throw new IllegalStateException("The head of this request could not be read");
        }
        return present;
    }

    @Override
    public ConnectionFacts connection() {
        return connection;
    }

    @Override
    public Source content() {
        return source;
    }

    @Override
    public Sink response() {
        return sink;
    }

    @Override
    public long nowNanos() {
        return connection.now();
    }

    @Override
    public long deadlineNanos() {
        return deadlineNanos;
    }

    @Override
    public Route route() {
        @Nullable Route entered = route;
        if (entered == null) {
            throw new IllegalStateException("No mount was entered");
        }
        return entered;
    }

    @Override
    public void enter(Route entered) {
        route = entered;
        next = 0;
        pass();
    }

    @Override
    public void pass() {
        if (touched) {
            throw new IllegalStateException("Content or response was touched already");
        }
        if (next == route().chain().size()) {
            refuse(Status.NOT_FOUND, Fields.EMPTY, "There is nothing at this address.");
        } else {
            route().chain().get(next++).handle(this);
        }
    }

    @Override
    public void run(Place place, Task task) {
        if (place == Place.WORKER) {
            throw new IllegalStateException(
                    "Place.WORKER is not there yet: use Place.BLOCKING for code that blocks");
        }
        if (!outlastsTurn()) {
            drop(task);
            return;
        }
        long expected = serial;
        if (place == Place.LOOP) {
            connection.loop().execute(() -> carryOut(task, expected));
        } else {
            long patience = sink.hasBegun() ? connection.limits().pace().placeNanos() : 0;
            submit(place, task, connection.now() + patience);
        }
    }

    @Override
    public void refuse(Status status, Fields fields, String what) {
        sink.refuse(status, fields, what);
    }

    @Override
    public Duplex upgrade(ResponseHead answer) {
        if (!source.finished()) {
            throw new IllegalStateException("An upgrade comes behind the content (RFC 9110 §7.8)");
        }
        touched = true;
        Http1Tunnel opened = new Http1Tunnel(connection, this);
        if (outlastsTurn()) {
            opened.open();
            tunnel = opened;
            sink.upgrade(answer);
            count(sink.status());
            connection.tunnelled();
        }
        return opened;
    }

    @Override
    public void onAbort(Runnable then) {
        onAbort = then;
    }

    // AccessRecord

    @Override
    public boolean readable() {
        return head != null;
    }

    @Override
    public int status() {
        return sink.status();
    }

    @Override
    public long contentBytes() {
        return sink.written();
    }

    @Override
    public long startedNanos() {
        return startedNanos;
    }

    /// The tunnel closed.
    void tunnelEnded() {
        if (running) {
            connection.http().settings().accessLog().ended(this);
            ended();
        }
    }

    private void start(@Nullable RequestHead request) {
        head = request;
        route = null;
        onAbort = null;
        tunnel = null;
        serial++;
        running = true;
        touched = false;
        counted = false;
        startedNanos = connection.now();
        long most = connection.limits().pace().exchangeNanos();
        deadlineNanos = most == 0 ? Deadline.NEVER : startedNanos + most;
        sink.begin(request);
    }

    private void call(Handler handler) {
        try {
            handler.handle(this);
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    /// Asks for a place among the requests in progress; without one the exchange is refused.
    ///
    /// @param asked whether its holder just asked for something, so that it learns of a refusal
    private boolean admit(boolean asked) {
        counted = connection.http().admission().begin();
        if (!counted) {
            connection.metrics().count(Counter.REQUESTS_REFUSED_LIMIT);
            sink.giveUp(Fault.OVERLOAD, asked);
            runOnAbort();
        }
        return counted;
    }

    /// Asks for room at a place, which a response that has begun waits for: it can no longer be
    /// refused, and whoever gets half of it asks for all of it again.
    private void submit(Place place, Task task, long untilNanos) {
        long expected = serial;
        Runnable work = () -> carryOut(task, expected);
        if (connection.http().settings().places().submit(place, work)) {
            return;
        }
        long now = connection.now();
        if (now >= untilNanos) {
            connection.metrics().count(Counter.REQUESTS_REFUSED_PLACE);
            giveUp(Fault.OVERLOAD);
            drop(task);
            return;
        }
        Runnable again =
                () -> {
                    if (serial != expected) {
                        drop(task);
                    } else {
                        submit(place, task, untilNanos);
                        connection.resumed();
                    }
                };
        connection.loop().timers().set(new Deadline(again), now + ASK_AGAIN_NANOS);
    }

    /// At the task's place. What follows is the loop's.
    private void carryOut(Task task, long expected) {
        @Nullable Handler then = null;
        @Nullable Throwable fault = null;
        try {
            then = task.run();
        } catch (Exception | Error e) {
            fault = e;
        }
        @Nullable Handler handler = then;
        @Nullable Throwable thrown = fault;
        connection.loop().execute(() -> resume(expected, task, handler, thrown));
    }

    private void resume(
            long expected, Task task, @Nullable Handler handler, @Nullable Throwable thrown) {
        if (serial != expected) { // aborted meanwhile
            if (handler != null) {
                drop(task);
            }
            return;
        }
        if (thrown != null) {
            failed(thrown);
        } else if (handler != null) {
            call(handler);
        }
        connection.resumed();
    }

    /// Nothing comes of a task. What it throws then is not held against the exchange that may run
    /// here by now.
    private void drop(Task task) {
        try {
            task.dropped();
        } catch (RuntimeException | Error e) {
            connection.metrics().count(Counter.HANDLER_FAULTS);
            Http1Connection.report(e, "A task failed while it gave back what it held");
        }
    }

    private void failed(Throwable fault) {
        connection.metrics().count(Counter.HANDLER_FAULTS);
        Http1Connection.report(fault, "A handler failed");
        @Nullable Http1Tunnel open = tunnel;
        if (running && open != null) {
            open.close(Fault.APPLICATION);
            runOnAbort();
        } else if (running) {
            giveUp(Fault.APPLICATION);
        }
    }

    private void ended() {
        running = false;
        serial++;
        source.end();
        if (counted) {
            counted = false;
            connection.http().admission().end();
        }
    }

    /// Tells once that the exchange ended before its response did.
    void runOnAbort() {
        @Nullable Runnable callback = onAbort;
        onAbort = null;
        if (callback != null) {
            call(callback);
        }
    }

    private void count(int status) {
        switch (status / 100) {
            case 1 -> connection.metrics().count(Counter.RESPONSES_1XX);
            case 2 -> connection.metrics().count(Counter.RESPONSES_2XX);
            case 3 -> connection.metrics().count(Counter.RESPONSES_3XX);
            case 4 -> connection.metrics().count(Counter.RESPONSES_4XX);
            case 5 -> connection.metrics().count(Counter.RESPONSES_5XX);
            default -> {}
        }
    }

    /// Sent with answers that may be different in a moment.
    static Fields retryLater() {
        return RETRY;
    }
}
