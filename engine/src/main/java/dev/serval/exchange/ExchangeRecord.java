package dev.serval.exchange;

import dev.serval.codec.AddressText;
import dev.serval.handler.AccessRecord;
import dev.serval.handler.ConnectionFacts;
import dev.serval.handler.Fault;
import dev.serval.handler.MountSettings;
import dev.serval.handler.Route;
import dev.serval.http.RequestHead;
import dev.serval.http.ResponseHead;
import dev.serval.http.Target;
import dev.serval.loop.EventLoop;
import dev.serval.loop.Reports;
import dev.serval.metrics.EndedRequest;
import dev.serval.metrics.PathGroup;
import dev.serval.metrics.RequestPhase;
import dev.serval.policy.Counter;
import dev.serval.policy.LabelledCounter;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// An exchange as the access log and the metrics see it: with the head that the client sent, whatever
/// the rules of a mount have made of it. Owned by the loop.
final class ExchangeRecord implements AccessRecord, EndedRequest, ExchangeNotes {
    private static final String LOG_FAILED = Reports.text("The access log failed");
    private static final byte[] NOTHING = {};
    private static final int NAME_MAX_CHARS = 200;
    private static final int NO_MOUNT = 0; // counted as LabelledCounter.OTHER

    private final ServerExchange exchange;
    private final ExchangeTasks tasks;
    private @Nullable RequestHead head; // null if it could not be read
    private boolean timed;
    private @Nullable Route mount; // that it entered, before the page of an error
    private int mountNumber;
    private long startedTurn; // of the loop; only if timed
    private long startedNanos;
    private long respondedNanos; // 0 until the head of the response
    private long waitingNanos; // since when it waits for a connection; 0 if it does not
    private long waitedNanos; // for connections to upstreams before
    private @Nullable String user; // as an application knows
    private @Nullable String upstream; // that was asked last
    private long askedNanos; // 0 if no upstream is being asked
    private long upstreamNanos; // of upstreams that were asked before
    private boolean refused; // by the server itself
    private @Nullable SocketAddress client; // of the texts, which most often stays the same
    private byte[] clientText = NOTHING; // empty until it is asked for
    private byte[] networkText = NOTHING;

    ExchangeRecord(ServerExchange exchange, ExchangeTasks tasks) {
        this.exchange = exchange;
        this.tasks = tasks;
    }

    /// Starts with another exchange.
    void begin(@Nullable RequestHead request) {
        head = request;
        timed = exchange.service().settings().accessLog().timed();
        startedNanos = readClock();
        startedTurn = timed ? eventLoop().turns() : 0;
        mount = null;
        mountNumber = NO_MOUNT;
        respondedNanos = 0;
        waitingNanos = 0;
        waitedNanos = 0;
        user = null;
        upstream = null;
        askedNanos = 0;
        upstreamNanos = 0;
        refused = false;
    }

    /// Notes the mount that the exchange enters, and counts it. The page of an error does not change
    /// the mount.
    void entered(Route route) {
        int number = exchange.service().metrics().enter(route.mapping().name());
        if (!exchange.sink().isReplaced()) {
            mount = route;
            mountNumber = number;
        }
    }

    /// Reports the exchange to the metrics, and to the access log of its mount. An exception there must
    /// not keep an exchange from ending.
    void end() {
        @Nullable Route entered = mount;
        @Nullable MountSettings settings = entered == null ? null : entered.settings();
        @Nullable Listener own = settings == null ? null : settings.log();
        Listener log = own == null ? exchange.service().settings().accessLog() : own;
        try {
            long _ = readClock();
            String name = entered == null ? LabelledCounter.OTHER : entered.mapping().name();
            exchange.service().metrics().ended(this, name, nowNanos());
            log.ended(this);
        } catch (RuntimeException | Error e) {
            exchange.service().report(LOG_FAILED, e);
        }
    }

    @Override
    public void responds() {
        respondedNanos = readClock();
    }

    @Override
    public void waits() {
        waitingNanos = exchange.nowNanos();
    }

    @Override
    public void waited() {
        waitedNanos = forUpstreamsNanos();
        waitingNanos = 0;
    }

    @Override
    public void asks(String next) {
        leftUpstream();
        upstream = next;
        askedNanos = exchange.nowNanos();
    }

    @Override
    public void user(String name) {
        user = name;
    }

    @Override
    public void refused(Counter reason) {
        exchange.service().metrics().refuse(reason);
        exchange.blame(Fault.OVERLOAD);
        refused = true;
    }

    @Override
    public void leftUpstream() {
        upstreamNanos = upstreamNanos();
        askedNanos = 0;
    }

    private long readClock() {
        return timed ? eventLoop().readClock() : exchange.nowNanos();
    }

    private EventLoop eventLoop() {
        return exchange.service().exchanges().loop();
    }

    @Override
    public boolean hasRequest() {
        return head != null;
    }

    @Override
    public RequestHead request() {
        if (head == null) {
            throw new IllegalStateException("The head of this request could not be read");
        }
        return head;
    }

    @Override
    public @Nullable String user() {
        return user != null || head == null ? user : exchange.request().user();
    }

    @Override
    public ConnectionFacts connection() {
        return exchange.connection();
    }

    @Override
    public int loop() {
        return eventLoop().index();
    }

    @Override
    public byte[] clientText(boolean shortened) {
        SocketAddress peer = connection().peer();
        if (!peer.equals(client)) {
            client = peer;
            clientText = NOTHING;
            networkText = NOTHING;
        }
        byte[] text = shortened ? networkText : clientText;
        if (text.length == 0) {
            text = AddressText.of(peer, shortened);
            clientText = shortened ? clientText : text;
            networkText = shortened ? text : networkText;
        }
        return text;
    }

    @Override
    public int status() {
        return exchange.sink().status();
    }

    @Override
    public long contentBytes() {
        return exchange.sink().contentSent();
    }

    @Override
    public @Nullable ResponseHead response() {
        return exchange.sink().sentHead();
    }

    @Override
    public long receivedBytes() {
        return exchange.port().figures().receivedBytes();
    }

    @Override
    public long sentBytes() {
        return exchange.port().figures().sentBytes();
    }

    @Override
    public long earlierRequests() {
        return exchange.port().figures().earlierExchanges();
    }

    @Override
    public boolean persists() {
        return exchange.port().persists();
    }

    @Override
    public @Nullable Fault fault() {
        return exchange.fault();
    }

    @Override
    public long startedNanos() {
        return startedNanos;
    }

    @Override
    public long acceptedNanos() {
        return exchange.port().figures().acceptedNanos();
    }

    @Override
    public long firstByteNanos() {
        long known = exchange.port().figures().firstByteNanos();
        return known == 0 ? startedNanos : known;
    }

    @Override
    public long waitedNanos() {
        return forUpstreamsNanos() + tasks.waitedNanos();
    }

    private long forUpstreamsNanos() {
        return waitingNanos == 0 ? waitedNanos : waitedNanos + exchange.nowNanos() - waitingNanos;
    }

    @Override
    public long respondedNanos() {
        return respondedNanos;
    }

    @Override
    public @Nullable String upstream() {
        return upstream;
    }

    @Override
    public long upstreamNanos() {
        return upstreamNanos + (askedNanos == 0 ? 0 : exchange.nowNanos() - askedNanos);
    }

    @Override
    public @Nullable RequestHead handledRequest() {
        return head == null ? null : exchange.request();
    }

    @Override
    public long nowNanos() {
        return exchange.nowNanos();
    }

    @Override
    public long epochMicros(long nanos) {
        return eventLoop().epochMicros(nanos);
    }

    @Override
    public int mount() {
        return mountNumber;
    }

    @Override
    public boolean isRefused() {
        return refused;
    }

    @Override
    public long totalNanos() {
        if (exchange.isTunnel()) {
            return -1;
        }
        boolean ofOneTurn = timed && !tasks.hasBegun() && startedTurn == eventLoop().turns();
        return ofOneTurn ? 0 : Math.max(0, nowNanos() - startedNanos);
    }

    @Override
    public long nanos(RequestPhase phase) {
        return switch (phase) {
            case HEAD -> Math.max(0, startedNanos - firstByteNanos());
            case QUEUE -> queueNanos();
            case HANDLER -> untilResponseNanos() - queueNanos();
            case WRITE -> Math.max(0, nowNanos() - endOfHandlerNanos());
        };
    }

    private long queueNanos() {
        return Math.clamp(waitedNanos(), 0L, untilResponseNanos());
    }

    private long untilResponseNanos() {
        return Math.max(0, endOfHandlerNanos() - startedNanos);
    }

    private long endOfHandlerNanos() {
        return respondedNanos == 0 ? nowNanos() : respondedNanos;
    }

    @Override
    public long group() {
        if (head == null) {
            return 0;
        }
        Target target = head.target();
        return PathGroup.of(
                mountNumber,
                head.methodText().hashCode(),
                target.buffer(),
                target.originFrom(),
                target.originTo());
    }

    @Override
    public String name() {
        String name = ServerRequests.name(head);
        int query = name.indexOf('?'); // it may hold secrets
        int end = Math.min(query < 0 ? name.length() : query, NAME_MAX_CHARS);
        return name.substring(0, end);
    }

    @Override
    public long endedEpochSeconds() {
        return eventLoop().epochSeconds();
    }
}
