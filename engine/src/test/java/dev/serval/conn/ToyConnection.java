package dev.serval.conn;

import dev.serval.conn.ConnectionDeadlines.Wait;
import dev.serval.conn.StreamDeadlines.Lateness;
import dev.serval.http.Fields;
import dev.serval.loop.Command;
import dev.serval.loop.Deadline;
import dev.serval.loop.EventLoop;
import dev.serval.net.Connection;
import dev.serval.net.Driver;
import dev.serval.net.Input;
import dev.serval.policy.Counter;
import dev.serval.testkit.ToyFrames;
import dev.serval.testkit.ToyFrames.Frame;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The server's side of [ToyFrames]. It passes frames to their streams, and lets streams send in
/// turn, as far as the windows and the socket allow. It uses nothing of HTTP/1.1.
final class ToyConnection implements Driver {
    /// The protocol of a listener with such connections.
    static final Protocol PROTOCOL = service -> new Entrance(service, ToyConnection::new);

    private final AcceptedConnection accepted;
    private final Connection connection;
    private final Input in;
    private final Map<Integer, ToyStream> streams = new HashMap<>();
    private final ArrayDeque<ToyStream> ring = new ArrayDeque<>(); // in sending order
    private final Command pump = new Command(this::pump);
    private final ConnectionDeadlines deadlines;
    private long mayReceive = ToyFrames.CONNECTION_WINDOW;
    private int owed;
    private long maySend = ToyFrames.CONNECTION_WINDOW;
    private int last;
    private boolean gone;
    private Wait awaited = Wait.HEAD;

    ToyConnection(AcceptedConnection accepted) {
        this.accepted = accepted;
        this.connection = accepted.net();
        this.in = connection.in();
        this.deadlines = new ConnectionDeadlines(accepted, this::due);
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
        rearm();
    }

    @Override
    public void blocked() {
        deadlines.beginSending();
        ring.forEach(stream -> stream.outlet().blocked());
        rearm();
    }

    @Override
    public void drained() {
        deadlines.endSending();
        ring.forEach(stream -> stream.outlet().drained());
        pump();
        rearm();
    }

    @Override
    public void closed(boolean byPeer) {
        gone = true;
        deadlines.cancel();
        accepted.closed();
        for (ToyStream stream : List.copyOf(ring)) {
            stream.lost(byPeer);
        }
    }

    @Override
    public void drain() {
        accepted.drain();
        send(0, Frame.GOODBYE, "");
        closeIfOver();
    }

    // Called by streams

    AcceptedConnection accepted() {
        return accepted;
    }

    EventLoop loop() {
        return connection.loop();
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

    /// Returns whether the connection's own bytes wait, whatever the streams may send.
    boolean isBlocked() {
        return deadlines.isSending();
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
            rearm();
        }
    }

    private void next() {
        byte[] bytes = in.array();
        int at = in.from() + ToyFrames.HEADER;
        int length = ToyFrames.length(bytes, in.from());
        int number = ToyFrames.stream(bytes, in.from());
        Frame type = ToyFrames.type(bytes, in.from());
        @Nullable ToyStream stream = streams.get(number);
        switch (type) {
            case HEAD, LAST_HEAD -> {
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
        if (accepted.isDraining() || streams.size() == ToyFrames.STREAMS_MAX) {
            stream.refuse();
            return;
        }
        streams.put(stream.number(), stream);
        ring.addLast(stream);
        accepted.metrics().count(Counter.REQUESTS);
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
        accepted.metrics().count(Counter.PROTOCOL_ERRORS);
        connection.abort();
    }

    /// Lets streams send one frame each in turn, then calls those that wait for room.
    private void pump() {
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
                && connection.out().backlog() <= accepted.limits().buffers().unsentMaxBytes()
                && !connection.out().hasUsedQuota();
    }

    /// Sets the timer for what the connection waits for now.
    private void rearm() {
        Wait now = wait(streams.isEmpty());
        if (now != awaited) {
            awaited = now;
            deadlines.restart();
        }
        if (!gone) {
            deadlines.rearm(awaited, Deadline.NEVER);
        }
    }

    private Wait wait(boolean quiet) {
        if (in.length() > 0 || last == 0) {
            return Wait.HEAD;
        }
        return quiet ? Wait.REQUEST : Wait.NOTHING;
    }

    private void due() {
        if (deadlines.late(0, accepted.limits().pace().minBytesPerSecond()) == Lateness.READER) {
            connection.abort();
        } else if (deadlines.isOver(awaited)) {
            accepted.metrics()
                    .count(awaited == Wait.HEAD ? Counter.HEAD_TIMEOUTS : Counter.IDLE_TIMEOUTS);
            connection.close();
        }
        rearm();
    }

    private void closeIfOver() {
        if ((accepted.isDraining() || in.ended()) && streams.isEmpty()) {
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
