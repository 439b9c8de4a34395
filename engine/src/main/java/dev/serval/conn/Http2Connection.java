package dev.serval.conn;

import dev.serval.conn.ConnectionDeadlines.Wait;
import dev.serval.conn.StreamDeadlines.Lateness;
import dev.serval.handler.Fault;
import dev.serval.http2.Broken;
import dev.serval.http2.ErrorCode;
import dev.serval.http2.FloodGuard;
import dev.serval.http2.FrameError;
import dev.serval.http2.FrameReader;
import dev.serval.http2.Preface;
import dev.serval.http2.ReceiveWindow;
import dev.serval.http2.RecentResets;
import dev.serval.http2.StreamTable;
import dev.serval.loop.Command;
import dev.serval.loop.Deadline;
import dev.serval.net.Connection;
import dev.serval.net.Driver;
import dev.serval.net.Input;
import dev.serval.policy.Counter;
import dev.serval.policy.Http2Limits;
import org.jspecify.annotations.Nullable;

/// Drives one HTTP/2 connection: reads its frames, keeps its streams, and enforces the limits of the
/// connection. [Http2Frames] handles the frames, [Http2Sender] sends, and each [Http2Stream] carries one
/// exchange.
///
/// ```
///            preface read        drain            ping answered, or too late
///   PREFACE ─────────────▶ OPEN ───────▶ ENDING ────────────────────────────▶ LEAVING
///      │                    │              │                                     │
///      │ wrong              │ error, idle  │ error                               │ no stream left
///      ▼                    ▼              ▼                                     ▼
///   LINGER ◀────────────────┴──────────────┴─────────────────────────────────────┘
///      └── client is done ──▶ CLOSING ──▶ CLOSED ◀── every state: connection lost or closed
/// ```
/// CLOSING reads nothing, and ends once everything was sent. The end has two steps (RFC 9113 §6.8). First a
/// GOAWAY that refuses nothing, with a ping: requests that were on their way are still served. When the
/// ping is answered, a second GOAWAY names the last stream.
final class Http2Connection implements Driver {
    /// The states of the diagram above.
    private enum Phase {
        PREFACE,
        OPEN,
        ENDING,
        LEAVING,
        LINGER,
        CLOSING,
        CLOSED;

        /// Returns whether no stream is served any more.
        boolean isOver() {
            return this == LINGER || this == CLOSING || this == CLOSED;
        }
    }

    private static final long LAST_PING = 0x5365_7276_616c_0001L;
    private static final long IDLE_PING = 0x5365_7276_616c_0002L;

    private final Http2Loop http;
    private final Http2Limits announced; // those that our settings tell the client
    private final AcceptedConnection accepted;
    private final Connection connection;
    private final ConnectionDeadlines deadlines;
    private final Lingering lingering;
    private final FrameReader reader = new FrameReader();
    private final FloodGuard guard = new FloodGuard();
    private final Http2Sender sender;
    private final Http2Frames frames;
    private final StreamTable<Http2Stream> streams = new StreamTable<>();
    private final RecentResets resets;
    private final StreamDeadlines.Shared shared;
    private final Command lookAgain;
    private Phase phase = Phase.PREFACE;
    private Wait awaited = Wait.HEAD;
    private boolean paused; // whether frames in the input wait for us
    private int lastStream;
    private long requests;
    private int memoryBytes; // of the codecs, as counted

    Http2Connection(Http2Loop http, AcceptedConnection accepted) {
        this.http = http;
        this.announced = http.http2();
        this.accepted = accepted;
        this.connection = accepted.net();
        this.lookAgain = connection.command(this::lookAgain);
        this.deadlines = new ConnectionDeadlines(accepted, this::due);
        this.lingering = new Lingering(accepted, deadlines);
        this.resets = new RecentResets(announced.resetsMax());
        this.sender = new Http2Sender(http, accepted);
        this.frames = new Http2Frames(http, this, guard);
        int bytes = announced.connectionWindowBytes();
        ReceiveWindow content = new ReceiveWindow(bytes, announced.connectionWindowMaxBytes());
        this.shared = new StreamDeadlines.Shared(content, sender.window(), streams);
    }

    // Calls from net

    @Override
    public void readable() {
        switch (phase) {
            case PREFACE, OPEN, ENDING, LEAVING -> {
                if (in().fill() != Input.LOST) { // even at the end, or if another driver has read
                    receive();
                }
            }
            case LINGER -> {
                if (lingering.isOver()) {
                    close();
                }
            }
            case CLOSING, CLOSED -> {}
        }
        rearm();
    }

    @Override
    public void blocked() {
        deadlines.beginSending();
        streams.forEach(Http2Stream::blocked);
        rearm();
    }

    @Override
    public void drained() {
        deadlines.endSending();
        if (phase == Phase.LINGER) {
            deadlines.restart(); // the client can read our answer from now on
        } else if (phase != Phase.CLOSED) {
            sender.retryStarved();
            streams.forEach(Http2Stream::unblocked);
            sender.pump();
            lookAgain();
        }
        rearm();
    }

    @Override
    public void closed(boolean byPeer) {
        phase = Phase.CLOSED;
        deadlines.cancel();
        accepted.closed();
        loseStreams(byPeer ? Fault.PEER_GONE : Fault.SHUTDOWN);
        connection.net().pool().hold(-memoryBytes);
        memoryBytes = 0;
        connection.outlast(held());
    }

    @Override
    public void drain() {
        accepted.drain();
        announceEnd();
        rearm();
    }

    @Override
    public void loadChanged() {
        if (awaited == Wait.REQUEST && phase == Phase.OPEN) {
            deadlines.rearmIdle();
        }
    }

    @Override
    public boolean isIdle() {
        return phase == Phase.OPEN && streams.size() == 0 && in().length() == 0;
    }

    @Override
    public long held() {
        long[] sum = {memoryBytes + sender.unsent().counted()};
        streams.forEach(stream -> sum[0] += stream.heldBytes());
        return sum[0];
    }

    @Override
    public boolean preempt() {
        accepted.metrics().count(Counter.CONNECTIONS_PREEMPTED);
        streams.forEach(stream -> stream.blame(Fault.OVERLOAD));
        return false;
    }

    // Called by frames

    Http2Sender sender() {
        return sender;
    }

    /// Returns the limits that our settings tell the client. Others may be in force meanwhile.
    Http2Limits announced() {
        return announced;
    }

    int lastStream() {
        return lastStream;
    }

    @Nullable Http2Stream find(int stream) {
        return streams.find(stream);
    }

    /// Opens a stream whose head follows.
    ///
    /// @return null if it is refused, because there are too many or the connection ends
    @Nullable Http2Stream open(int number) {
        lastStream = number; // also if it is refused: more of its frames may be on their way
        if (phase == Phase.LEAVING || streams.size() >= announced.streamsMax()) {
            if (phase != Phase.LEAVING) {
                accepted.metrics().refuse(Counter.STREAMS_REFUSED);
            }
            reset(number, ErrorCode.REFUSED_STREAM);
            return null;
        }
        Http2Stream stream = http.stream();
        stream.open(this, number, requests);
        streams.put(number, stream);
        return stream;
    }

    /// Notes that the head of a request was read.
    void requestRead() {
        requests++;
        deadlines.used();
        if (awaited == Wait.REQUEST) { // and may again after this turn
            deadlines.begin(awaited);
        }
        accepted.metrics().count(Counter.REQUESTS);
        long most = accepted.limits().counts().requestsPerConnectionMax();
        if (most > 0 && requests >= most) {
            announceEnd();
        }
    }

    /// Notes that a response begins.
    ///
    /// @param refused whether the server itself refused the request
    void responseBegins(boolean refused) {
        if (!accepted.service().mayPersist(refused)) {
            announceEnd();
        }
    }

    /// Takes bytes of content from the client's window.
    ///
    /// @return whether it has them
    boolean spend(int bytes) {
        return shared.content().spend(bytes);
    }

    /// Gives back bytes to the client's window that were read or dropped.
    void grant(int bytes) {
        int more = shared.content().take(bytes, connection.net().isShortOfMemory());
        if (more > 0) {
            sender.windowUpdate(0, more);
        }
    }

    /// Changes the windows of all streams, because the client has changed its setting (RFC 9113 §6.9.2).
    ///
    /// @return whether none is too large
    boolean changeWindows(int change) {
        boolean[] right = {true};
        streams.forEach(stream -> {
            right[0] &= stream.response().window().grant(change);
            stream.ready();
        });
        return right[0];
    }

    /// Takes the answer to a ping.
    void pinged(long opaque) {
        if (phase == Phase.ENDING && opaque == LAST_PING) {
            leave();
        }
    }

    /// Notes that the client opens no more streams.
    void clientLeaves() {
        if (phase == Phase.OPEN || phase == Phase.ENDING) {
            leave();
        }
    }

    /// Resets a stream.
    void reset(int stream, ErrorCode code) {
        sender.rstStream(stream, code);
        resets.add(stream, true);
    }

    /// Returns the streams that were reset lately.
    RecentResets resets() {
        return resets;
    }

    // Called by streams

    AcceptedConnection accepted() {
        return accepted;
    }

    FloodGuard guard() {
        return guard;
    }

    StreamDeadlines.Shared shared() {
        return shared;
    }

    /// Returns the window that the client gives a new stream.
    int peerWindow() {
        return frames.peerWindow();
    }

    boolean isOpen() {
        return connection.isOpen();
    }

    /// Returns whether the client may open more streams.
    boolean persists() {
        return phase == Phase.OPEN;
    }

    /// Removes a stream that is over in both directions.
    void forget(Http2Stream stream) {
        if (streams.remove(stream.streamNumber())) {
            stream.retire();
            deadlines.used();
            if (phase == Phase.CLOSED) {
                connection.outlast(held());
            }
            closeIfOver();
            rearm();
        }
    }

    // Reading

    /// Reads frames while there is room for what they cause, then sends for all streams together.
    private void receive() {
        boolean any = false;
        long most = requests + accepted.limits().counts().requestsPerTurnMax();
        paused = false;
        while (!phase.isOver() && in().length() > 0 && connection.isOpen() && mayRead(most)) {
            int used = next();
            if (used <= 0 || phase == Phase.LINGER) { // which has dropped the rest
                break;
            }
            in().consume(used);
            any = true;
        }
        sender.pump();
        countMemory();
        if (in().ended() && !paused) {
            inputEnded();
        }
        if (any) {
            heard();
        }
    }

    /// Waits for the next frame after one was read. Only a request prolongs the idle time.
    private void heard() {
        if (awaited == Wait.FRAME || awaited == Wait.ANSWER) {
            awaited = Wait.FRAME;
            deadlines.restart();
        } else if (awaited == Wait.HEAD && lastStream > 0 && !reader.isInBlock()) {
            if (streams.size() > 0 || !deadlines.isUnused()) {
                deadlines.restart(); // a frame was read to its end, so another one waits now
            }
        }
    }

    /// Reads the preface or one frame.
    ///
    /// @return the bytes used; 0 if more are needed or the connection ends
    private int next() {
        if (phase == Phase.PREFACE) {
            int same = Preface.same(in().array(), in().from(), in().to());
            if (same < Preface.LENGTH && same == in().length()) {
                return 0;
            }
            sender.settings(announced, frames.extendedConnect()); // the first frame in any case
            if (same < Preface.LENGTH) {
                fail(Broken.PREFACE);
                return 0;
            }
            phase = Phase.OPEN;
            if (accepted.isDraining()) { // it began when the drain had
                announceEnd();
            }
            return same;
        }
        int used = reader.read(in().array(), in().from(), in().to(), frames);
        if (used == FrameReader.ERROR) {
            @Nullable FrameError wrong = reader.error();
            fail(wrong == null ? Broken.PREFACE : wrong);
            return 0;
        }
        return used;
    }

    /// Returns whether another frame may be read now. If not, it stops reading, so that a flood stays
    /// with the client.
    private boolean mayRead(long most) {
        long unsent = accepted.limits().buffers().unsentMaxBytes();
        boolean room = connection.out().backlog() <= 2 * unsent; // content stops at half of it
        if (room && requests < most) {
            return true;
        }
        paused = true;
        connection.wantRead(false);
        if (room) {
            connection.loop().submit(lookAgain); // after the other connections
        } else {
            connection.wantDrained();
        }
        return false;
    }

    private void lookAgain() {
        if (paused && !phase.isOver()) {
            connection.wantRead(true);
            receive();
            rearm();
        }
    }

    private void inputEnded() {
        connection.wantRead(false);
        frames.close();
        streams.forEach(Http2Stream::cut);
        closeIfOver();
    }

    private void countMemory() {
        if (phase != Phase.CLOSED) {
            int now = sender.memoryBytes() + frames.memoryBytes();
            connection.net().pool().hold(now - memoryBytes);
            memoryBytes = now;
        }
    }

    // The end

    /// Takes the first step of the end.
    private void announceEnd() {
        if (phase == Phase.OPEN) {
            phase = Phase.ENDING;
            sender.goAway(Integer.MAX_VALUE, ErrorCode.NO_ERROR);
            sender.ping(false, LAST_PING);
            deadlines.restart();
        }
    }

    /// Takes the second step of the end.
    private void leave() {
        phase = Phase.LEAVING;
        sender.goAway(lastStream, ErrorCode.NO_ERROR);
        closeIfOver();
    }

    private void closeIfOver() {
        boolean cut = in().ended() && !paused && !phase.isOver();
        if ((cut || phase == Phase.LEAVING) && streams.size() == 0) {
            linger();
        }
    }

    /// Ends our half. A client that still sends, such as WINDOW_UPDATE for what it reads, must not lose
    /// the end of that by a reset.
    private void linger() {
        phase = Phase.LINGER;
        deadlines.restart();
        if (lingering.begin()) {
            close();
        }
    }

    /// Ends the connection because the client broke a rule that concerns all of it.
    private void fail(FrameError wrong) {
        frames.count(wrong);
        sender.goAway(lastStream, wrong.code());
        phase = Phase.LINGER;
        loseStreams(Fault.PROTOCOL);
        linger();
    }

    private void loseStreams(Fault why) {
        frames.close();
        streams.forEach(stream -> stream.lost(why));
        sender.close();
    }

    /// Closes after everything was sent. Until then only the client's pace is checked.
    private void close() {
        phase = Phase.CLOSING;
        connection.close();
    }

    // Time limits

    /// Sets the timer for what the connection waits for now.
    private void rearm() {
        Wait now = waiting();
        if (now != awaited) {
            awaited = now;
            deadlines.begin(now);
        }
        if (phase != Phase.CLOSED) {
            deadlines.rearm(awaited, Deadline.NEVER);
        }
    }

    private Wait waiting() {
        return switch (phase) {
            case PREFACE -> accepted.isDraining() ? Wait.LAST_REQUEST : Wait.HEAD;
            case OPEN, LEAVING -> {
                boolean partial = in().length() > 0 && !reader.isInFrame() && !paused;
                if (partial || reader.isInBlock() || lastStream == 0) {
                    yield Wait.HEAD;
                }
                yield streams.size() == 0 ? Wait.REQUEST : waitingForFrame();
            }
            case ENDING -> Wait.LAST_REQUEST;
            case LINGER -> Wait.LINGER;
            case CLOSING, CLOSED -> Wait.NOTHING;
        };
    }

    /// Returns what a connection waits for whose streams are in progress.
    private Wait waitingForFrame() {
        if (paused) {
            return Wait.NOTHING;
        }
        return awaited == Wait.ANSWER ? Wait.ANSWER : Wait.FRAME;
    }

    /// Asks a silent client whether it is there. One that has ended its half cannot answer, but if it is
    /// gone, its system resets the connection. While bytes wait for the client, its pace shows that.
    private void askClient() {
        if (connection.out().isEmpty()) {
            sender.ping(false, IDLE_PING);
            awaited = in().ended() ? Wait.FRAME : Wait.ANSWER;
        }
        deadlines.restart();
    }

    private void due() {
        sender.countUnsent();
        long rate = accepted.limits().pace().minBytesPerSecond();
        // Content does not count: a client that takes nothing gets no windows for more of it.
        if (deadlines.late(0, rate) == Lateness.READER) {
            connection.abort();
        } else if (deadlines.isOver(awaited)) {
            over();
        }
        rearm();
    }

    private void over() {
        switch (awaited) {
            case HEAD -> {
                accepted.metrics().count(Counter.HEAD_TIMEOUTS);
                boolean slow = reader.isInBlock();
                sender.goAway(lastStream, slow ? ErrorCode.ENHANCE_YOUR_CALM : ErrorCode.NO_ERROR);
                loseStreams(Fault.TIMEOUT);
                close();
            }
            case REQUEST -> {
                accepted.metrics().count(Counter.IDLE_TIMEOUTS);
                sender.goAway(lastStream, ErrorCode.NO_ERROR);
                linger();
            }
            case LAST_REQUEST -> {
                if (phase != Phase.PREFACE) {
                    leave();
                } else if (in().length() == 0 && in().probe() > 0) {
                    receive(); // it has come just in time
                } else {
                    close();
                }
            }
            case FRAME -> askClient();
            case ANSWER -> {
                accepted.metrics().count(Counter.PING_TIMEOUTS);
                loseStreams(Fault.PEER_GONE);
                connection.abort();
            }
            case LINGER -> {
                if (!lingering.goesOn()) {
                    close();
                }
            }
            case NOTHING -> {}
        }
    }

    private Input in() {
        return connection.in();
    }
}
