package dev.serval.exchange;

import dev.serval.handler.ConnectionFacts;
import dev.serval.handler.Duplex;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Fault;
import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;
import dev.serval.handler.MountSettings;
import dev.serval.handler.Route;
import dev.serval.handler.Sink;
import dev.serval.handler.Source;
import dev.serval.handler.Task;
import dev.serval.handler.TunnelRequest;
import dev.serval.http.Fields;
import dev.serval.http.Method;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHead;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.loop.Deadline;
import dev.serval.loop.Reports;
import dev.serval.policy.Counter;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// One request and its response, for any protocol. A protocol creates one for each connection or
/// stream, with its three ports. It calls [#begin], then [#readable], [#writable] and [#overdue]
/// when requested, and [#lost]. After each call it checks [#isFinished]. The object may serve many
/// exchanges in sequence. A serial number shows whether the exchange of a late call ended.
///
/// ```
///   OVER ── begin ──▶ OPEN ── response ended, lost ──▶ OVER
///                      └── upgrade ──▶ TUNNEL ── closed, lost ──▶ OVER
/// ```
/// Owned by the loop.
public final class ServerExchange implements EngineExchange {
    private enum State {
        OPEN,
        TUNNEL,
        OVER
    }

    /// Stands for a callback that no handler has set.
    static final Runnable NOTHING = () -> {};

    private static final String HANDLER_FAILED = Reports.text("A handler failed");

    private final ServiceLoop service;
    private final ExchangePort port;
    private final ServerSource source;
    private final ServerSink sink;
    private @Nullable ServerTunnel tunnel; // created by the first upgrade
    private final HandlerChain chain = new HandlerChain();
    private final Permit permit;
    private final ExchangeTasks tasks = new ExchangeTasks(this);
    private final ExchangeRecord record = new ExchangeRecord(this, tasks);
    private @Nullable RequestHead head;
    private @Nullable ConnectionFacts forwarded; // as a trusted proxy tells
    private Runnable onAbort = NOTHING;
    private @Nullable Fault fault;
    private State state = State.OVER;
    private boolean retired;
    private int calls; // nested calls of handlers and callbacks
    private long deadlineNanos = Deadline.NEVER;

    /// Creates an exchange that has not begun.
    ///
    /// @param service the loop's part of the listener's service
    /// @param port the connection or stream
    /// @param content the framing of the request's content
    /// @param response the framing of the response
    public ServerExchange(
            ServiceLoop service, ExchangePort port, ContentPort content, ResponsePort response) {
        this.service = service;
        this.port = port;
        this.permit = new Permit(service.quota());
        this.source = new ServerSource(this, content);
        this.sink = new ServerSink(this, response);
    }

    // Called by the protocol

    /// Starts with a head that was read, and calls the handler at once.
    public void begin(RequestHead request) {
        assert service.exchanges().loop().isOwnedHere();
        start(request, request.method() == Method.HEAD);
        @Nullable ProtocolError wrong = source.begin(request);
        if (wrong != null) {
            contentFailed(Fault.PROTOCOL, wrong, NOTHING);
            return;
        }
        if (!ServerRequests.answer(this, request)) {
            Dispatch.start(this, request);
        }
    }

    /// Answers a head that could not be read.
    ///
    /// @param headOnly whether the request is HEAD, as far as the codec could read it
    public void refuseUnread(ProtocolError error, boolean headOnly) {
        start(null, headOnly);
        service.countUnread(error);
        sink.contentFailed(Fault.PROTOCOL, error);
    }

    /// Calls the handler that waits for content, for its end, or for bytes of the tunnel.
    ///
    /// @return whether a handler waited; if not, the protocol keeps the bytes
    public boolean readable() {
        Runnable reader = state == State.TUNNEL ? duplex().takeReader() : source.takeReader();
        call(reader);
        return !NOTHING.equals(reader);
    }

    /// Returns whether a handler waits for [#readable].
    public boolean awaitsContent() {
        return state == State.TUNNEL ? duplex().isAwaited() : source.isAwaited();
    }

    /// Calls the handler that waits for room in the response or the tunnel.
    public void writable() {
        call(state == State.TUNNEL ? duplex().takeWriter() : sink.takeWriter());
    }

    /// Marks that the content will not be complete, and notifies its reader.
    public void failContent(Fault why) {
        contentFailed(why, null, source.lost());
    }

    /// Ends the exchange, because the connection is lost.
    public void lost(Fault why) {
        assert service.exchanges().loop().isOwnedHere();
        if (state == State.OVER) {
            return;
        }
        if (why == Fault.PEER_GONE) {
            service.metrics().count(Counter.PEERS_GONE);
        }
        blame(why);
        sink.lost();
        tasks.abandon();
        Runnable reader = state == State.TUNNEL ? duplex().lost() : source.lost();
        over();
        tellAborted(reader);
    }

    /// Returns the instant at which [#overdue] must be called.
    public long overdueNanos() {
        return state == State.OPEN ? Math.min(deadlineNanos, tasks.startByNanos()) : Deadline.NEVER;
    }

    /// Handles an expired deadline: that of a task to start, or that of the exchange.
    public void overdue() {
        if (state == State.OPEN && !tasks.cancelLate() && nowNanos() >= deadlineNanos) {
            timeOut();
        }
    }

    /// Ends the exchange on behalf of the engine, and notifies its handler.
    public void giveUp(Fault why) {
        blame(why);
        Runnable reader = source.takeReader();
        sink.abort(why);
        if (!NOTHING.equals(reader)) {
            source.lost(); // only now: abort may still drop the content
        }
        tellAborted(reader);
    }

    /// Returns whether it has ended and no task reads its request, so that it and its head are free.
    public boolean isFinished() {
        return state == State.OVER && !tasks.atWork();
    }

    /// Returns whether the exchange has become a tunnel.
    public boolean isTunnel() {
        return state == State.TUNNEL;
    }

    /// Returns whether application code may use it late, so that it and its head serve no other.
    public boolean isRetired() {
        return retired;
    }

    /// Returns whether the content is being read, and neither failed nor awaits `100 Continue`.
    public boolean readsContent() {
        return source.isRead() && !source.continueOwed();
    }

    /// Returns whether the rest can be dropped: it neither failed nor awaits `100 Continue`.
    public boolean mayDropContent() {
        return !source.hasFailed() && !source.continueOwed();
    }

    /// Returns the bytes of memory that compress the response.
    public long compressorBytes() {
        return sink.compressorBytes();
    }

    /// Returns the minimum rate at which the client must send this content and take this response.
    public long minBytesPerSecond() {
        return MountEntry.minBytesPerSecond(sink.mount(), service);
    }

    @Override
    public void endsWithClient() {
        port.endsWithClient();
    }

    @Override
    public DirectContent directContent() {
        return sink;
    }

    // Called by source, sink, tunnel and tasks

    /// Marks that content or response was started, so that no handler may pass the exchange on.
    void started() {
        chain.start();
    }

    @Override
    public boolean outlastsTurn() {
        if (permit.isTaken() || state == State.OVER) {
            return state != State.OVER;
        }
        return permit.admit(this, true);
    }

    /// Continues after the handler has returned: without an answer, it answers later.
    void dispatched() {
        if (state != State.OVER && !permit.isTaken()) {
            permit.admit(this, false);
        }
    }

    /// Drops what the handlers so far wait for, so that others answer.
    ///
    /// @return false if the response has begun, or a task is at work
    boolean startAgain() {
        boolean free = state == State.OPEN && !sink.hasBegun() && !tasks.atWork();
        if (free) {
            onAbort = NOTHING;
            tasks.renew(); // no callback of the former handlers runs any more
            source.hide();
            chain.startAgain();
        }
        return free;
    }

    /// Calls a callback of a handler.
    void call(Runnable callback) {
        calls++;
        try {
            callback.run();
        } catch (Throwable e) { // other languages also throw checked exceptions undeclared
            failed(e);
        } finally {
            calls--;
        }
    }

    void call(Handler handler) {
        calls++;
        try {
            handler.handle(this);
        } catch (Throwable e) { // as above
            failed(e);
        } finally {
            calls--;
        }
    }

    /// Calls [#proceed] after this turn's calls have returned, if the exchange still runs.
    void later(Runnable callback) {
        if (state == State.OVER) {
            return;
        }
        long expected = tasks.serial();
        loop().execute(() -> {
            if (tasks.serial() == expected) {
                proceed(callback);
            }
        });
    }

    @Override
    public void proceed(Runnable callback) {
        call(callback);
        port.resumed();
    }

    /// Ends the exchange because its content failed, and answers if the response has not begun.
    ///
    /// @param reader the callback that waits for the content
    void contentFailed(Fault why, @Nullable ProtocolError error, Runnable reader) {
        boolean tooLarge = error != null && error.status().equals(Status.CONTENT_TOO_LARGE);
        blame(tooLarge ? Fault.TOO_LARGE : why);
        if (error != null) {
            service.metrics().refuse(error);
        }
        sink.contentFailed(why, error);
        tellAborted(reader);
    }

    /// Records why the exchange ends before its response; the first reason stays.
    public void blame(Fault why) {
        if (fault == null) {
            fault = why;
        }
    }

    @Override
    public void retire() {
        retired = true;
    }

    /// Ends the exchange, because nothing more is added to its response.
    void responseEnded() {
        service.metrics().countResponse(sink.status());
        over();
    }

    void closeTunnel(Fault why) {
        port.closeTunnel(why);
        if (state == State.TUNNEL) {
            over();
        }
    }

    /// Handles an exception of a task or callback.
    @Override
    public void failed(Throwable thrown) {
        service.metrics().count(Counter.HANDLER_FAULTS);
        service.report(HANDLER_FAILED, thrown);
        switch (state) {
            case OPEN -> {
                try {
                    giveUp(Fault.APPLICATION);
                } catch (Error e) { // no memory for a response: the client must not wait
                    sink.breakOff(Fault.APPLICATION);
                    throw e;
                }
            }
            case TUNNEL -> {
                Runnable reader = duplex().takeReader();
                duplex().close(Fault.APPLICATION);
                tellAborted(reader);
            }
            case OVER -> {}
        }
    }

    /// Returns the permit of an exchange that has ended, after its last task came back.
    void rested() {
        if (state == State.OVER) {
            permit.leave();
        }
    }

    ExchangePort port() {
        return port;
    }

    ServerSink sink() {
        return sink;
    }

    ServiceLoop service() {
        return service;
    }

    /// Sets how long the exchange may take from its start; 0 for no limit.
    void limitTime(long nanos) {
        deadlineNanos = nanos == 0 ? Deadline.NEVER : record.startedNanos() + nanos;
    }

    /// Returns the name for thread dumps: "GET /x, connection 17".
    String name() {
        return ServerRequests.name(head) + ", " + port.name();
    }

    // Exchange

    @Override
    public RequestHead request() {
        if (head == null) {
            throw new IllegalStateException("The head of this request could not be read");
        }
        return head;
    }

    @Override
    public int stream() {
        return port.streamNumber();
    }

    @Override
    public ConnectionFacts connection() {
        return forwarded == null ? port.facts() : forwarded;
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
    public long deadlineNanos() {
        return deadlineNanos;
    }

    @Override
    public Route route() {
        return chain.route();
    }

    @Override
    public void pass() {
        chain.pass(this);
    }

    @Override
    public void run(ExecutorKind executor, Task task) {
        tasks.run(executor, mapping(), task);
    }

    @Override
    public void refuse(Status status, Fields fields, String what) {
        if (!ErrorRoute.serves(this, status, fields)) {
            sink.refuse(status, fields, what);
        }
    }

    @Override
    public TunnelRequest tunnel() {
        return port.tunnel(request());
    }

    @Override
    public Duplex upgrade(ResponseHead answer) {
        if (!(tunnel() instanceof TunnelRequest.ByConnect) && !source.finished()) {
            throw new IllegalStateException("An upgrade must follow the content (RFC 9110 §7.8)");
        }
        started();
        if (outlastsTurn()) {
            sink.upgrade(answer);
            state = State.TUNNEL;
            duplex().open();
            service.metrics().countResponse(sink.status());
        }
        return duplex();
    }

    @Override
    public void onAbort(Runnable then) {
        onAbort = then;
    }

    @Override
    public @Nullable Fault fault() {
        return fault;
    }

    // EngineExchange

    @Override
    public long nowNanos() {
        return service.nowNanos();
    }

    @Override
    public void enter(Route entered) {
        if (!chain.enter(entered)) { // routed again, to the mount that it is in
            pass();
            return;
        }
        record.entered(entered);
        @Nullable MountSettings settings = entered.settings();
        if ((settings == null && !chain.isRoutedAgain() && source.fits())
                || MountEntry.admits(this, settings, source, permit)) {
            pass();
        }
    }

    @Override
    public void replaceHead(RequestHead other) {
        chain.requireUntouched();
        head = other;
    }

    @Override
    public void routeAgain() {
        Dispatch.again(this, chain);
    }

    @Override
    public void addFields(Fields fields, Fields toErrors) {
        sink.add(fields, toErrors);
    }

    @Override
    public void run(Mapping mapping, Task task) {
        tasks.run(ExecutorKind.WORKER, mapping, task);
    }

    @Override
    public boolean offer(ExecutorKind executor, Task task) {
        if (state == State.OVER) {
            tasks.drop(task); // ended meanwhile: no response is due
            return true;
        }
        boolean taken = permit.take() && tasks.offer(executor, mapping(), task);
        if (!taken) {
            service.metrics().count(Counter.REQUESTS_WITHOUT_EXECUTOR);
        }
        return taken;
    }

    @Override
    public void timeOut() {
        service.metrics().count(Counter.EXCHANGE_TIMEOUTS);
        tasks.stop();
        giveUp(Fault.TIMEOUT);
    }

    @Override
    public Executor loop() {
        return service.exchanges().loop();
    }

    @Override
    public void maintenance(Handler.Maintenance work, long atNanos) {
        service.exchanges().maintenance(work, atNanos);
    }

    @Override
    public ExchangeNotes notes() {
        return record;
    }

    @Override
    public Lender lender() {
        return service.exchanges().lender();
    }

    private void start(@Nullable RequestHead request, boolean headOnly) {
        head = request;
        forwarded = Forwarded.told(service, port.facts(), request);
        chain.restart();
        onAbort = NOTHING;
        fault = null;
        retired = false;
        tasks.renew();
        state = State.OPEN;
        record.begin(request);
        limitTime(service.limits().pace().exchangeNanos());
        sink.begin(headOnly);
    }

    /// Returns what the engine knows about this exchange's application code.
    private Mapping mapping() {
        return chain.mapping(service.settings().mapping());
    }

    private ServerTunnel duplex() {
        if (tunnel == null) {
            tunnel = new ServerTunnel(this, source.port(), sink.port());
        }
        return tunnel;
    }

    private void over() {
        record.end();
        state = State.OVER;
        tasks.renew();
        source.takeReader();
        if (!tasks.atWork()) {
            permit.leave();
        }
        if (calls == 0) {
            port.changed();
        }
    }

    /// Calls the reader that waits, and then, once, the callback of [#onAbort].
    void tellAborted(Runnable reader) {
        call(reader);
        Runnable callback = onAbort;
        onAbort = NOTHING;
        call(callback);
    }
}
