package dev.serval.conn;

import dev.serval.handler.ConnectionFacts;
import dev.serval.http.Fields;
import dev.serval.loop.Command;
import dev.serval.loop.Deadline;
import dev.serval.loop.EventLoop;
import dev.serval.net.Connection;
import dev.serval.net.Driver;
import dev.serval.net.Input;
import dev.serval.policy.Admission;
import dev.serval.policy.Counter;
import dev.serval.policy.Leniency;
import dev.serval.policy.Limits;
import dev.serval.policy.Metrics;
import dev.serval.testkit.ToyFrames;
import dev.serval.testkit.ToyFrames.Frame;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The server's side of [ToyFrames]. It passes frames to their streams, and lets streams send in
/// turn, as far as the windows and the socket allow. It uses nothing of HTTP/1.1.
final class ToyConnection implements Driver, ConnectionFacts {
    /// The protocol of a listener with such connections.
    static final Protocol PROTOCOL =
            service -> {
                HttpLoop http = new HttpLoop(service, Leniency.defaults());
                return connection -> open(http, connection);
            };

    private static Driver open(HttpLoop http, Connection connection) {
        http.service().metrics().count(Counter.CONNECTIONS_ACCEPTED);
        Admission admission = http.service().service().admission();
        boolean admitted = admission.enter(null) == Admission.Verdict.ADMITTED;
        if (!admitted) {
            http.service().metrics().count(Counter.CONNECTIONS_REFUSED_LIMIT);
            connection.abort();
        }
        return new ToyConnection(http, connection, admitted);
    }

    private final HttpLoop http;
    private final Connection connection;
    private final Input in;
    private final boolean admitted;
    private final Map<Integer, ToyStream> streams = new HashMap<>();
    private final ArrayDeque<ToyStream> ring = new ArrayDeque<>(); // in sending order
    private final Command pump = new Command(this::pump);
    private final Deadline idle = new Deadline(this::closeIfQuiet);
    private long mayReceive = ToyFrames.CONNECTION_WINDOW;
    private int owed;
    private long maySend = ToyFrames.CONNECTION_WINDOW;
    private int last;
    private boolean draining;
    private boolean closed;

    private ToyConnection(HttpLoop http, Connection connection, boolean admitted) {
        this.http = http;
        this.connection = connection;
        this.in = connection.in();
        this.admitted = admitted;
        awaitRequest();
    }

    // Called by net

    @Override
    public void readable() {
        int n = in.fill();
        while (n >= 0 && connection.isOpen() && ToyFrames.isWhole(in.array(), in.from(), in.to())) {
            next();
        }
        if (n == Input.END) {
            connection.wantRead(false);
            for (ToyStream stream : List.copyOf(ring)) {
                stream.cut();
            }
            closeIfOver();
        }
    }

    @Override
    public void blocked() {
        // Each stream checks its own pace.
    }

    @Override
    public void drained() {
        pump();
    }

    @Override
    public void closed(boolean byPeer) {
        closed = true;
        loop().timers().cancel(idle);
        metrics().count(Counter.CONNECTIONS_CLOSED);
        if (admitted) {
            http.service().service().admission().leave(null);
        }
        for (ToyStream stream : List.copyOf(ring)) {
            stream.lost(byPeer);
        }
    }

    @Override
    public void drain() {
        draining = true;
        send(0, Frame.GOODBYE, "");
        closeIfOver();
    }

    // Called by streams

    HttpLoop http() {
        return http;
    }

    Connection net() {
        return connection;
    }

    EventLoop loop() {
        return connection.loop();
    }

    Metrics.Column metrics() {
        return http.service().metrics();
    }

    Limits limits() {
        return http.limits();
    }

    long now() {
        return loop().nowNanos();
    }

    /// Returns the number of bytes that may be sent on all streams together.
    long window() {
        return maySend;
    }

    void spend(int bytes) {
        maySend -= bytes;
    }

    void send(int stream, Frame type, String text) {
        send(ToyFrames.frame(stream, type, text));
    }

    void send(int stream, Frame type, byte[] payload) {
        send(ToyFrames.frame(stream, type, payload));
    }

    private void send(byte[] frame) {
        if (connection.isOpen()) {
            connection.out().room(frame.length).put(frame);
        }
    }

    void sendGrant(int stream, int bytes) {
        send(ToyFrames.grant(stream, bytes));
    }

    /// Grants the client as many bytes as the server has read or dropped.
    void grant(int bytes) {
        owed += bytes;
        if (owed >= ToyFrames.CONNECTION_WINDOW / 4) {
            sendGrant(0, owed);
            mayReceive += owed;
            owed = 0;
        }
    }

    /// Sends after the current calls have returned.
    void pumpSoon() {
        loop().submit(pump);
    }

    /// Removes a stream that is over in both directions.
    void forget(ToyStream stream) {
        if (streams.remove(stream.number()) != null) {
            ring.remove(stream);
            closeIfOver();
            if (streams.isEmpty()) {
                awaitRequest();
            }
        }
    }

    @Override
    public long id() {
        return connection.id();
    }

    @Override
    public SocketAddress local() {
        return connection.local();
    }

    @Override
    public SocketAddress peer() {
        return connection.peer();
    }

    @Override
    public boolean secure() {
        return false;
    }

    private void next() {
        byte[] bytes = in.array();
        int at = in.from() + ToyFrames.HEADER;
        int length = ToyFrames.length(bytes, in.from());
        int number = ToyFrames.stream(bytes, in.from());
        Frame type = ToyFrames.type(bytes, in.from());
        @Nullable ToyStream stream = streams.get(number);
        switch (type) {
            case HEAD, LAST_HEAD, UPGRADE -> {
                ToyStream begun = new ToyStream(this, number, type);
                begun.read(bytes, at, length);
                taken(length);
                begin(begun);
            }
            case DATA -> {
                mayReceive -= length;
                boolean right = stream == null || stream.inlet().data(bytes, at, length);
                taken(length);
                data(stream, length, right && mayReceive >= 0);
            }
            case END -> {
                Fields trailers = fields(text(bytes, at, length));
                taken(length);
                if (stream != null) {
                    stream.ended(trailers);
                }
            }
            case RESET -> {
                taken(length);
                if (stream != null) {
                    stream.lost(true);
                }
            }
            case WINDOW -> {
                int more = ToyFrames.number(bytes, at);
                taken(length);
                granted(number, stream, more);
            }
            case INFORM, ENOUGH, GOODBYE -> broken();
        }
    }

    private void taken(int payload) {
        in.consume(ToyFrames.HEADER + payload);
    }

    private void begin(ToyStream stream) {
        if (stream.number() <= last) {
            broken();
            return;
        }
        last = stream.number();
        if (draining || streams.size() == ToyFrames.STREAMS_MAX) {
            stream.refuse();
            return;
        }
        loop().timers().cancel(idle);
        streams.put(stream.number(), stream);
        ring.addLast(stream);
        metrics().count(Counter.REQUESTS);
        stream.begin();
    }

    private void data(@Nullable ToyStream stream, int length, boolean right) {
        if (!right) {
            broken();
        } else if (stream == null) {
            grant(length); // the stream is over
        } else {
            stream.arrived();
        }
    }

    private void granted(int number, @Nullable ToyStream stream, int bytes) {
        if (number == 0) {
            maySend += bytes;
            pumpSoon();
        } else if (stream != null) {
            stream.outlet().granted(bytes);
        }
    }

    private void broken() {
        metrics().count(Counter.PROTOCOL_ERRORS);
        connection.abort();
    }

    /// Lets streams send one frame each in turn, then calls those that wait for room.
    private void pump() {
        if (closed) {
            return;
        }
        int idleTurns = 0;
        while (mayWrite() && idleTurns < ring.size()) {
            ToyStream stream = ring.removeFirst();
            ring.addLast(stream);
            idleTurns = stream.outlet().send() ? 0 : idleTurns + 1;
            stream.sent();
        }
        if (!mayWrite()) {
            connection.wantDrained();
        }
        for (ToyStream stream : List.copyOf(ring)) {
            stream.writable();
        }
    }

    private boolean mayWrite() {
        return connection.isOpen()
                && connection.out().backlog() <= limits().buffers().unsentMaxBytes()
                && !connection.out().hasUsedQuota();
    }

    private void awaitRequest() {
        if (!closed) {
            loop().timers().set(idle, now() + limits().pace().idleNanos());
        }
    }

    private void closeIfOver() {
        if (draining || in.ended()) {
            closeIfQuiet();
        }
    }

    private void closeIfQuiet() {
        if (streams.isEmpty() && !closed) {
            connection.close();
        }
    }

    private static Fields fields(String lines) {
        Fields fields = new Fields();
        lines.lines()
                .forEach(line -> {
                    int colon = line.indexOf(':');
                    fields.add(line.substring(0, colon), line.substring(colon + 1).strip());
                });
        return fields;
    }

    private static String text(byte[] bytes, int at, int length) {
        return new String(bytes, at, length, StandardCharsets.ISO_8859_1);
    }
}
