package dev.serval.conn;

import dev.serval.handler.ConnectionFacts;
import dev.serval.handler.Duplex;
import dev.serval.handler.Exchange;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Fault;
import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;
import dev.serval.handler.Route;
import dev.serval.handler.Sink;
import dev.serval.handler.Source;
import dev.serval.handler.Task;
import dev.serval.http.Fields;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHead;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.loop.Deadline;
import dev.serval.policy.AccessRecord;
import dev.serval.policy.Counter;
import dev.serval.testkit.ToyFrames.Frame;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// One stream of a [ToyConnection]: an exchange, and what is left of it to be sent when it has ended.
/// Used once.
final class ToyStream implements Exchange, AccessRecord, ExchangeTasks.Host {
    private final ToyConnection connection;
    private final int number;
    private final Frame kind;
    private final ToyInlet inlet;
    private final ToyOutlet outlet;
    private final ToySource source;
    private final ToySink sink;
    private final ExchangeTasks tasks = new ExchangeTasks(this);
    private final HandlerChain chain = new HandlerChain();
    private final Permit permit;
    private final Deadline due = new Deadline(this::due);
    private final long startedNanos;
    private final long deadlineNanos;
    private @Nullable RequestHead head;
    private @Nullable ToyTunnel tunnel;
    private @Nullable Runnable onAbort;
    private @Nullable Fault fault;
    private boolean readable;
    private boolean running = true;

    ToyStream(ToyConnection connection, int number, Frame kind) {
        this.connection = connection;
        this.number = number;
        this.kind = kind;
        this.inlet = new ToyInlet(connection, number);
        this.outlet = new ToyOutlet(connection, number);
        this.source = new ToySource(this, inlet);
        this.sink = new ToySink(this, outlet);
        this.permit = new Permit(connection.http().quota());
        this.startedNanos = connection.now();
        long most = connection.limits().pace().exchangeNanos();
        this.deadlineNanos = most == 0 ? Deadline.NEVER : startedNanos + most;
    }

    // What the connection calls

    int number() {
        return number;
    }

    ToyInlet inlet() {
        return inlet;
    }

    ToyOutlet outlet() {
        return outlet;
    }

    /// Reads the head.
    boolean read(byte[] bytes, int at, int length) {
        RequestHead lent = connection.http().lendHead();
        head = lent;
        int n = connection.http().parser().parse(bytes, at, at + length, at, lent);
        readable = n == length;
        return readable;
    }

    /// The handler is called at once.
    void begin(boolean read) {
        if (kind == Frame.LAST_HEAD) {
            inlet.end(Fields.EMPTY);
        }
        @Nullable ProtocolError error =
                read ? source.begin(request()) : connection.http().parser().error();
        if (error != null) {
            contentFailed(Fault.PROTOCOL, error);
        } else {
            call(connection.http().settings().handler());
        }
        if (running && !permit.isTaken()) {
            admit();
        }
        rearm();
    }

    /// There is no room for another stream.
    void refuse() {
        running = false;
        connection.send(number, Frame.RESET, "");
        rest();
    }

    /// Content came, or its end.
    void arrived() {
        @Nullable ToyTunnel open = tunnel;
        if (open != null) {
            open.readable();
        } else {
            source.readable();
        }
        rearm();
    }

    /// The client's direction is over.
    void ended(Fields trailers) {
        inlet.end(trailers);
        arrived();
        leaveIfOver();
    }

    /// The client has finished sending altogether.
    void cut() {
        inlet.cut();
        arrived();
    }

    /// Reset, or the connection is gone.
    void lost(boolean byPeer) {
        outlet.close();
        inlet.close();
        connection.forget(this);
        connection.loop().timers().cancel(due);
        if (!running) {
            return;
        }
        if (byPeer) {
            connection.metrics().count(Counter.PEERS_GONE);
        }
        blame(byPeer ? Fault.PEER_GONE : Fault.SHUTDOWN);
        sink.lost();
        connection.http().settings().accessLog().ended(this);
        @Nullable ToyTunnel open = tunnel;
        @Nullable Runnable reader = open != null ? open.lost() : source.lost();
        over();
        tellAborted(reader);
    }

    /// Something may have been sent.
    void sent() {
        leaveIfOver();
    }

    /// There may be room again.
    void writable() {
        if (outlet.queued() <= connection.limits().buffers().unsentMaxBytes() / 2) {
            @Nullable ToyTunnel open = tunnel;
            @Nullable Runnable writer = open != null ? open.takeWriter() : sink.takeWriter();
            if (writer != null) {
                call(writer);
            }
        }
        rearm();
    }

    // What source, sink and tunnel call

    ToyConnection carrier() {
        return connection;
    }

    ToySource source() {
        return source;
    }

    ToySink sink() {
        return sink;
    }

    void touched() {
        chain.touch();
    }

    @Override
    public boolean outlastsTurn() {
        return running && (permit.isTaken() || admit());
    }

    void call(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    /// As [#call], when the present calls have returned, if the exchange still goes on.
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
                        rearm();
                    }
                });
    }

    void contentFailed(Fault why, @Nullable ProtocolError error) {
        if (error != null) {
            connection.metrics().count(Counter.PROTOCOL_ERRORS);
        }
        blame(why);
        @Nullable Runnable reader = source.takeReader();
        sink.contentFailed(why, error);
        tellAborted(reader);
    }

    /// The response is complete, as far as it will ever be; of it, something may still be unsent.
    void responseEnded() {
        connection.metrics().countResponse(sink.status());
        connection.http().settings().accessLog().ended(this);
        over();
    }

    /// The tunnel is over.
    void tunnelEnded() {
        if (running) {
            connection.http().settings().accessLog().ended(this);
            over();
        }
    }

    /// Ends the stream at once: the client sees that it is not whole.
    void resetNow() {
        outlet.close();
        inlet.close();
        connection.send(number, Frame.RESET, "");
        connection.loop().timers().cancel(due);
        connection.forget(this);
    }

    /// The engine ends the exchange.
    void giveUp(Fault why) {
        blame(why);
        @Nullable Runnable reader = source.lost();
        sink.abort(why);
        tellAborted(reader);
    }

    /// Tells whoever waits to read, then as [#runOnAbort].
    private void tellAborted(@Nullable Runnable reader) {
        if (reader != null) {
            call(reader);
        }
        runOnAbort();
    }

    /// Remembers why it ends before its time; the first reason stays.
    void blame(Fault why) {
        fault = fault == null ? why : fault;
    }

    void runOnAbort() {
        @Nullable Runnable callback = onAbort;
        onAbort = null;
        if (callback != null) {
            call(callback);
        }
    }

    /// Sets the one deadline to whatever comes first.
    void rearm() {
        if (connection.net().isOpen() && !outlet.isClosed()) {
            connection.loop().timers().set(due, Math.min(exchangeEnds(), paceEnds()));
        }
    }

    // Exchange

    @Override
    public RequestHead request() {
        @Nullable RequestHead present = head;
        if (present == null || !readable) {
            throw new IllegalStateException("There is no head");
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
            return true;
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
    public void maintenance(Handler.Maintenance maintenance, long atNanos) {
        connection.http().maintenance(maintenance, atNanos);
    }

    @Override
    public void refuse(Status status, Fields fields, String what) {
        sink.refuse(status, fields, what);
    }

    @Override
    public Duplex upgrade(ResponseHead answer) {
        if (kind == Frame.HEAD && !source.finished()) {
            throw new IllegalStateException("An upgrade comes behind the content");
        }
        touched();
        ToyTunnel opened = new ToyTunnel(this);
        if (outlastsTurn()) {
            opened.open();
            tunnel = opened;
            sink.upgrade(answer);
            connection.metrics().countResponse(sink.status());
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
        return readable;
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

    // ExchangeTasks.Home

    @Override
    public HttpLoop http() {
        return connection.http();
    }

    @Override
    public boolean hasBegun() {
        return sink.hasBegun();
    }

    @Override
    public void carryOn(Handler handler) {
        call(handler);
    }

    @Override
    public void failed(Throwable fault) {
        connection.metrics().count(Counter.HANDLER_FAULTS);
        connection.loop().report("A handler failed", fault);
        @Nullable ToyTunnel open = tunnel;
        if (running && open != null) {
            @Nullable Runnable reader = open.lost();
            resetNow();
            tunnelEnded();
            tellAborted(reader);
        } else if (running) {
            giveUp(Fault.APPLICATION);
        }
    }

    @Override
    public void overloaded() {
        giveUp(Fault.OVERLOAD);
    }

    @Override
    public void resumed() {
        rearm();
    }

    @Override
    public void rested() {
        rest();
    }

    @Override
    public String name() {
        return request().method()
                + " "
                + request().target().text()
                + ", connection "
                + connection.id()
                + ", stream "
                + number;
    }

    private Mapping mapping() {
        return chain.mapping(connection.http().mapping());
    }

    private void call(Handler handler) {
        try {
            handler.handle(this);
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    private boolean admit() {
        boolean admitted = permit.take();
        if (!admitted) {
            connection.metrics().count(Counter.REQUESTS_REFUSED_LIMIT);
            giveUp(Fault.OVERLOAD);
        }
        return admitted;
    }

    private void over() {
        running = false;
        tasks.renew();
        source.end();
        if (!tasks.atWork()) {
            rest();
        }
        rearm();
        leaveIfOver();
    }

    /// Nobody reads the head any more.
    private void rest() {
        permit.leave();
        @Nullable RequestHead lent = head;
        if (lent != null) {
            head = null;
            connection.http().giveBack(lent);
        }
    }

    /// Leaves the connection once all was sent; a client that still sends is told that it need not.
    private void leaveIfOver() {
        if (running || !outlet.isClosed()) {
            return;
        }
        if (!inlet.ended()) {
            connection.send(number, Frame.ENOUGH, "");
        }
        inlet.close();
        connection.loop().timers().cancel(due);
        connection.forget(this);
    }

    private long exchangeEnds() {
        return running && tunnel == null
                ? Math.min(deadlineNanos, tasks.startByNanos())
                : Deadline.NEVER;
    }

    private long paceEnds() {
        long stall = connection.limits().pace().stallNanos();
        long sending = outlet.isWaiting() ? outlet.movedNanos() + stall : Deadline.NEVER;
        long reading = source.isWaiting() ? source.movedNanos() + stall : Deadline.NEVER;
        return Math.min(sending, reading);
    }

    private void due() {
        long now = connection.now();
        if (outlet.isWaiting() && now >= outlet.movedNanos() + stallNanos()) {
            connection.metrics().count(Counter.SLOW_READERS);
            connection.send(number, Frame.RESET, "");
            lost(false);
        } else if (source.isWaiting() && now >= source.movedNanos() + stallNanos()) {
            connection.metrics().count(Counter.SLOW_CONTENT);
            source.fail(Fault.TOO_SLOW);
        } else if (running && !tasks.cancelLate() && now >= deadlineNanos && tunnel == null) {
            connection.metrics().count(Counter.EXCHANGE_TIMEOUTS);
            tasks.interrupt();
            giveUp(Fault.TIMEOUT);
        }
        rearm();
    }

    private long stallNanos() {
        return connection.limits().pace().stallNanos();
    }
}
