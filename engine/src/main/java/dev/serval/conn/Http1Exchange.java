package dev.serval.conn;

import dev.serval.handler.ConnectionFacts;
import dev.serval.handler.Duplex;
import dev.serval.handler.Exchange;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Fault;
import dev.serval.handler.Handler;
import dev.serval.handler.Handler.Maintenance;
import dev.serval.handler.Mapping;
import dev.serval.handler.Route;
import dev.serval.handler.Sink;
import dev.serval.handler.Source;
import dev.serval.handler.Task;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.Method;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHead;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.http.Target;
import dev.serval.loop.Deadline;
import dev.serval.policy.AccessRecord;
import dev.serval.policy.Counter;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// The exchanges of an HTTP/1.1 connection, one after the other: the object is used again, and what
/// comes back late from another thread is told by its serial number that its exchange is over.
final class Http1Exchange implements Exchange, AccessRecord, ExchangeTasks.Host {
    private static final Fields ALLOW_ALL =
            Fields.of(FieldName.ALLOW, "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
    private static final ResponseHead OPTIONS_ANSWER =
            new ResponseHead(Status.NO_CONTENT, ALLOW_ALL, 0);

    /// What is left to do when the last task of an exchange that has ended comes back.
    private enum Rest {
        NOTHING,
        KEEP_CONNECTION,
        END_CONNECTION,
        GIVE_BACK
    }

    private final Http1Connection connection;
    private final Http1Source source;
    private final Http1Sink sink;
    private @Nullable RequestHead head;
    private @Nullable Runnable onAbort;
    private @Nullable Fault fault;
    private @Nullable Http1Tunnel tunnel;
    private final HandlerChain chain = new HandlerChain();
    private final Permit permit;
    private final ExchangeTasks tasks = new ExchangeTasks(this);
    private Rest rest = Rest.NOTHING;
    private boolean running;
    private long startedNanos;
    private long deadlineNanos = Deadline.NEVER;

    Http1Exchange(Http1Connection connection) {
        this.connection = connection;
        this.permit = new Permit(connection.http().quota());
        this.source = new Http1Source(connection, this);
        this.sink = new Http1Sink(connection, this);
    }

    // What the connection calls

    /// Starts with a head that was read: the handler is called at once.
    void begin(RequestHead request) {
        start(request);
        @Nullable ProtocolError wrong = source.begin(request);
        if (wrong != null) {
            contentFailed(Fault.PROTOCOL, wrong);
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
            if (running && !permit.isTaken()) {
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
            rest = Rest.GIVE_BACK; // if a task is still at work
            return;
        }
        if (why == Fault.PEER_GONE) {
            connection.metrics().count(Counter.PEERS_GONE);
        }
        blame(why);
        sink.lost();
        connection.http().settings().accessLog().ended(this);
        @Nullable Http1Tunnel open = tunnel;
        @Nullable Runnable reader = open != null ? open.lost() : source.lost();
        ended();
        rest = Rest.GIVE_BACK;
        tellAborted(reader);
    }

    /// Whether a task is at work, which reads the request.
    boolean atWork() {
        return tasks.atWork();
    }

    /// The instant at which [#overdue] wants to be called.
    long overdueNanos() {
        return running ? Math.min(deadlineNanos, tasks.startByNanos()) : Deadline.NEVER;
    }

    /// Time is over: for a Worker to start, or for the exchange.
    void overdue() {
        if (!running || tasks.cancelLate() || connection.now() < deadlineNanos) {
            return;
        }
        connection.metrics().count(Counter.EXCHANGE_TIMEOUTS);
        tasks.interrupt();
        giveUp(Fault.TIMEOUT);
    }

    /// The engine ends the exchange, and whoever works on it hears of it.
    void giveUp(Fault why) {
        blame(why);
        @Nullable Runnable reader = source.takeReader();
        sink.abort(why);
        if (reader != null) {
            source.lost(); // only now: what is left of the content may still be dropped
        }
        tellAborted(reader);
    }

    /// Remembers why it ends, if it does before its time; the first reason stays.
    void blame(Fault why) {
        if (fault == null) {
            fault = why;
        }
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
        chain.touch();
    }

    /// The exchange goes on after this turn, so it counts as one in progress.
    ///
    /// @return whether there was room for it; if not, it has been refused
    @Override
    public boolean outlastsTurn() {
        if (permit.isTaken() || !running) {
            return running;
        }
        return admit(true);
    }

    /// Calls what a handler left to be called.
    void call(Runnable callback) {
        try {
            callback.run();
        } catch (Throwable e) { // also what other languages throw undeclared
            failed(e);
        }
    }

    /// As [#call], when this turn's calls have returned, if the exchange still goes on.
    void later(Runnable callback) {
        if (!running) {
            return;
        }
        long expected = tasks.serial();
        connection
                .loop()
                .execute(() -> {
                    if (tasks.serial() == expected) {
                        call(callback);
                        connection.resumed();
                    }
                });
    }

    /// The content will never be complete. The client is told while it can be.
    void contentFailed(Fault why, @Nullable ProtocolError error) {
        contentFailed(why, error, null);
    }

    /// As the other.
    ///
    /// @param reader who waits for the content
    void contentFailed(Fault why, @Nullable ProtocolError error, @Nullable Runnable reader) {
        boolean tooLarge = error != null && error.status().equals(Status.CONTENT_TOO_LARGE);
        blame(tooLarge ? Fault.TOO_LARGE : why);
        if (error != null) {
            connection.metrics().count(Counter.PROTOCOL_ERRORS);
        }
        sink.contentFailed(why, error);
        tellAborted(reader);
    }

    /// A head that could not be read was answered.
    void refused() {
        connection.metrics().countResponse(sink.status());
        connection.http().settings().accessLog().ended(this);
        ended();
    }

    /// The response is complete, as far as it will ever be.
    void responseEnded(boolean persistent) {
        connection.metrics().countResponse(sink.status());
        connection.http().settings().accessLog().ended(this);
        ended();
        if (tasks.atWork()) { // they read this request: the next one waits
            rest = persistent ? Rest.KEEP_CONNECTION : Rest.END_CONNECTION;
        } else {
            connection.exchangeEnded(persistent);
        }
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
        return chain.route();
    }

    @Override
    public void enter(Route entered) {
        chain.enter(entered);
        pass();
    }

    @Override
    public void pass() {
        @Nullable Handler next = chain.next();
        if (next == null) {
            refuse(Status.NOT_FOUND, Fields.EMPTY, "There is nothing at this address.");
        } else {
            next.handle(this);
        }
    }

    @Override
    public void run(ExecutorKind executor, Task task) {
        tasks.run(executor, mapping(), task);
    }

    @Override
    public void run(Mapping mapping, Task task) {
        tasks.run(ExecutorKind.WORKER, mapping, task);
    }

    @Override
    public boolean offer(ExecutorKind executor, Task task) {
        if (!running) {
            return true; // ended meanwhile: there is nothing to answer
        }
        boolean taken = permit.take() && tasks.offer(executor, mapping(), task);
        if (!taken) {
            connection.metrics().count(Counter.REQUESTS_WITHOUT_EXECUTOR);
        }
        return taken;
    }

    @Override
    public Executor loop() {
        return connection.loop();
    }

    @Override
    public void maintenance(Maintenance maintenance, long atNanos) {
        connection.http().maintenance(maintenance, atNanos);
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
        touched();
        Http1Tunnel opened = new Http1Tunnel(connection, this);
        if (outlastsTurn()) {
            opened.open();
            tunnel = opened;
            sink.upgrade(answer);
            connection.metrics().countResponse(sink.status());
            connection.tunnelled();
        }
        return opened;
    }

    @Override
    public void onAbort(Runnable then) {
        onAbort = then;
    }

    @Override
    public @Nullable Fault fault() {
        return fault;
    }

    @Override
    public ByteBuffer lend() {
        return connection.net().net().pool().heap();
    }

    @Override
    public void giveBack(ByteBuffer lent) {
        connection.net().net().pool().giveBack(lent);
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
        chain.restart();
        onAbort = null;
        fault = null;
        tunnel = null;
        tasks.renew();
        rest = Rest.NOTHING;
        running = true;
        startedNanos = connection.now();
        long most = connection.limits().pace().exchangeNanos();
        deadlineNanos = most == 0 ? Deadline.NEVER : startedNanos + most;
        sink.begin(request);
    }

    @Override
    public void carryOn(Handler handler) {
        call(handler);
    }

    @Override
    public HttpLoop http() {
        return connection.http();
    }

    @Override
    public boolean hasBegun() {
        return sink.hasBegun();
    }

    @Override
    public void overloaded() {
        giveUp(Fault.OVERLOAD);
    }

    @Override
    public void resumed() {
        connection.resumed();
    }

    @Override
    public void rested() {
        Rest left = rest;
        rest = Rest.NOTHING;
        if (left != Rest.NOTHING) {
            permit.leave();
        }
        switch (left) {
            case KEEP_CONNECTION -> connection.exchangeEnded(true);
            case END_CONNECTION -> connection.exchangeEnded(false);
            case GIVE_BACK -> connection.giveBackHead();
            case NOTHING -> {}
        }
    }

    @Override
    public String name() {
        @Nullable RequestHead present = head;
        String request =
                present == null
                        ? "a request that could not be read"
                        : present.method() + " " + present.target().text();
        return request + ", connection " + connection.id();
    }

    /// What is known of this exchange's application code.
    private Mapping mapping() {
        return chain.mapping(connection.http().mapping());
    }

    private void call(Handler handler) {
        try {
            handler.handle(this);
        } catch (Throwable e) { // also what other languages throw undeclared
            failed(e);
        }
    }

    /// Asks for a place among the requests in progress; without one the exchange is refused.
    ///
    /// @param asked whether its holder just asked for something, so that it learns of a refusal
    private boolean admit(boolean asked) {
        boolean admitted = permit.take();
        if (!admitted) {
            connection.metrics().count(Counter.REQUESTS_REFUSED_LIMIT);
            blame(Fault.OVERLOAD);
            sink.giveUp(Fault.OVERLOAD, asked);
            runOnAbort();
        }
        return admitted;
    }

    // ExchangeTasks.Home

    @Override
    public void failed(Throwable fault) {
        connection.metrics().count(Counter.HANDLER_FAULTS);
        connection.loop().report("A handler failed", fault);
        @Nullable Http1Tunnel open = tunnel;
        if (running && open != null) {
            @Nullable Runnable reader = open.takeReader();
            open.close(Fault.APPLICATION);
            tellAborted(reader);
        } else if (running) {
            giveUp(Fault.APPLICATION);
        }
    }

    private void ended() {
        running = false;
        tasks.renew();
        source.end();
        if (!tasks.atWork()) {
            permit.leave();
        }
    }

    /// Tells whoever waits to read, then as [#runOnAbort].
    private void tellAborted(@Nullable Runnable reader) {
        if (reader != null) {
            call(reader);
        }
        runOnAbort();
    }

    /// Tells once that the exchange ended before its response did.
    void runOnAbort() {
        @Nullable Runnable callback = onAbort;
        onAbort = null;
        if (callback != null) {
            call(callback);
        }
    }
}
