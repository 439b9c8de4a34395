package dev.serval.net;

import dev.serval.loop.Command;
import dev.serval.loop.EventLoop;
import dev.serval.loop.Reports;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Represents one open connection: a transport, its input and output, and the [Driver] that
/// interprets the bytes. One loop owns it until it closes.
///
/// ```
///           close()            all sent
///   OPEN ───────────▶ CLOSING ──────────────▶ CLOSED
///    │ │                │  │                   ▲  ▲
///    │ └── abort() ─────┴──┼──▶ ABORTING ──────┘  │
///    └──── I/O error ──────┴──▶ LOST ─────────────┘
/// ```
///
/// Decisions take effect when the loop flushes the connection, at the end of the connection's part
/// of the turn. The flush sends answers, saves unused input, and closes. So no call of a driver
/// runs inside another call of it.
public final class Connection implements Readiness {
    private static final String DRIVER_FAILED =
            Reports.text("A connection's driver failed; the connection is being closed");
    private static final String NOT_ALL_BACK =
            Reports.text("A closed connection could not return all of its memory");

    /// The states of the diagram above.
    private enum State {
        OPEN,
        CLOSING,
        ABORTING,
        LOST,
        CLOSED
    }

    /// Whether the socket accepts the queued bytes.
    private enum Flow {
        /// The socket accepts bytes.
        FREE,
        /// The socket accepts no bytes. The driver is notified once all bytes are sent.
        BLOCKED,
        /// All bytes are sent, but the driver was not notified yet.
        DRAINED
    }

    /// Our half of the stream.
    private enum Half {
        OPEN,
        /// It ends after all bytes are sent.
        ENDING,
        ENDED
    }

    private final NetLoop net;
    private final long id;
    private final Driver.Factory origin;
    private final Input in;
    private final Output out;
    private Transport transport;
    private Driver driver = NoDriver.NONE;
    private State state = State.OPEN;
    private boolean wantsRead = true;
    private boolean dirty; // to be flushed in this turn
    private @Nullable IOException writeFault; // the connection is lost after its input
    private Flow flow = Flow.FREE;
    private Half output = Half.OPEN;
    private final Command drained = new Command(this::tellDrained);
    private long outlasting; // bytes
    @Nullable Connection newer;
    @Nullable Connection older;
    @Nullable Connection nextDirty; // in the loop's list of dirty connections
    boolean isListed; // in that list; it may have been flushed since

    /// @param origin what creates the driver
    Connection(NetLoop net, Transport transport, Driver.Factory origin, long id) {
        this.net = net;
        this.transport = transport;
        this.origin = origin;
        this.id = id;
        this.in = new Input(this, net);
        this.out = new Output(this, net);
    }

    /// Returns the connection's number, unique on its loop and counted from 1.
    public long id() {
        return id;
    }

    /// Returns the loop that owns the connection.
    public EventLoop loop() {
        return net.loop();
    }

    /// Returns the sockets and buffers of that loop.
    public NetLoop net() {
        return net;
    }

    /// Returns the input.
    public Input in() {
        return in;
    }

    /// Returns the output.
    public Output out() {
        return out;
    }

    /// Returns the local address.
    public SocketAddress local() {
        return transport.local();
    }

    /// Returns the peer's address.
    public SocketAddress peer() {
        return transport.peer();
    }

    /// Returns how it is encrypted; null if it is not. It never changes after a header in clear
    /// ([#headerEnded]). Any thread.
    public @Nullable Encryption encryption() {
        return transport.encryption();
    }

    /// Returns whether it can still be written to.
    public boolean isOpen() {
        return state == State.OPEN && writeFault == null;
    }

    /// Returns whether it can still be read.
    boolean canRead() {
        return state == State.OPEN;
    }

    /// Returns whether written bytes can still be sent.
    boolean canSend() {
        return isUndecided() && writeFault == null;
    }

    /// Hands the connection to another driver.
    public void driver(Driver next) {
        driver = next;
    }

    /// Continues after a header in clear on the transport that the factory lays over the socket
    /// ([Driver.Factory]). That transport gets the input that was not used. The driver that has read the
    /// header calls this before it hands the connection over, and before anything was written.
    ///
    /// @param client the client's address, as the header states it
    /// @param acceptedNanos when the connection was accepted
    public void headerEnded(SocketAddress client, long acceptedNanos) {
        ByteBuffer rest = ByteBuffer.wrap(in.array(), in.from(), in.length());
        Transport next =
                origin.transport(net, transport, new ClearHeader(client, acceptedNanos, rest));
        if (!next.equals(transport)) {
            in.consume(in.length());
            transport = next;
            out.transportChanged();
            next.attach(this);
        }
    }

    /// Sets whether [Driver#readable] is called.
    public void wantRead(boolean wanted) {
        if (wantsRead != wanted) {
            wantsRead = wanted;
            markDirty();
        }
    }

    /// Requests one call of [Driver#drained] after all written bytes are sent.
    public void wantDrained() {
        if (flow == Flow.FREE) {
            flow = Flow.DRAINED;
        }
        markDirty();
    }

    /// Ends our half of the stream after all written bytes are sent. Reading continues.
    public void endOutput() {
        if (output == Half.OPEN) {
            output = Half.ENDING;
        }
        markDirty();
    }

    /// Closes the connection after all written bytes are sent. Reading ends now.
    public void close() {
        if (state == State.OPEN) {
            state = State.CLOSING;
            markDirty();
        }
    }

    /// Closes the connection with a reset. Bytes that were not sent are lost.
    public void abort() {
        if (isUndecided()) {
            state = State.ABORTING;
            markDirty();
        }
    }

    /// Gives up the socket, so that another loop can go on with it ([NetLoop#adopt]). Then this
    /// connection is closed, and its driver is not called any more, not even for that.
    ///
    /// @return null if the connection is not open in both directions, has input that was not used
    ///     or output that was not sent, or if its transport is not movable
    ///     ([Transport#isMovable]); then nothing has changed
    public @Nullable LooseSocket giveUp() {
        boolean idle = in.length() == 0 && !in.ended() && out.isEmpty();
        if (!isOpen() || output != Half.OPEN || !idle || !transport.isMovable()) {
            return null;
        }
        state = State.CLOSED;
        driver = NoDriver.NONE;
        try {
            out.drop();
            in.free();
        } finally {
            net.forget(this);
        }
        return transport.release();
    }

    /// Closes the connection because its loop ends. A connection whose last response is complete, or
    /// that does nothing, is not reset, so that its peer can read what was sent.
    void endWithLoop() {
        if (output == Half.OPEN && !driver.isIdle()) {
            abort();
        } else {
            close();
        }
    }

    /// Marks the connection to be flushed at the end of the turn.
    void markDirty() {
        assert loop().isOwnedHere() : "Another thread owns " + loop().name();
        if (!dirty) {
            dirty = true;
            net.addDirty(this);
        }
    }

    /// Returns a command of the driver, which is [#guarded].
    public Command command(Runnable action) {
        return new Command(() -> guarded(action));
    }

    /// Asks the driver to end as soon as the exchanges in progress allow.
    public void drain() {
        if (isOpen()) {
            guarded(driver::drain);
        }
    }

    /// Tells the driver that the load mode of the server has changed.
    public void loadChanged() {
        if (isOpen()) {
            guarded(driver::loadChanged);
        }
    }

    /// Returns whether there may be input that is not used yet, or the end of it: without a system
    /// call, and as the last poll has seen it.
    public boolean mayHaveInput() {
        return in.length() > 0 || transport.mayHaveInput();
    }

    /// Returns the bytes that the peer's system has acknowledged, or [Transport#UNKNOWN].
    public long acknowledged() {
        return isUndecided() ? transport.acknowledged() : Transport.UNKNOWN;
    }

    /// Acknowledges at once what has been read, because the rest of a message is awaited
    /// ([Transport#acknowledgeNow]).
    public void acknowledgeNow() {
        if (canRead()) {
            transport.acknowledgeNow();
        }
    }

    /// Lets the system find a peer that has vanished ([Transport#keepAlive]).
    public void keepAlive() {
        transport.keepAlive();
    }

    Transport transport() {
        return transport;
    }

    /// Returns the bytes held for input that waits. A transport counts as a whole, because it holds
    /// mostly records whose end has not arrived.
    long heldForInput() {
        return in.held() + transport.held();
    }

    /// Returns the bytes held for requests in progress: unsent answers and the driver's own memory.
    long heldForAnswers() {
        return out.held() + driver.held();
    }

    /// Notes how many bytes the driver of this closed connection still holds, because a task reads
    /// them. No other connection has to end for them. Has no effect before the connection is closed.
    public void outlast(long bytes) {
        if (state == State.CLOSED) {
            net.pool().outlast(bytes - outlasting);
            outlasting = bytes;
        }
    }

    /// Gives back memory that the connection does not need at present.
    void trim() {
        if (isOpen()) {
            guarded(driver::trim);
        }
    }

    /// Ends the connection to reclaim its memory. This takes effect at once, so no connection may
    /// be in a call.
    void preempt() {
        try {
            if (!isOpen() || !driver.preempt()) {
                abort();
            }
        } catch (RuntimeException | Error e) {
            failed(e);
        }
        flush();
    }

    /// Returns whether `drivers` has created the first driver.
    boolean comesFrom(Driver.Factory drivers) {
        return origin.equals(drivers);
    }

    /// Creates the driver and tries to read the first bytes.
    void start() {
        try {
            transport.attach(this);
            driver = origin.open(this);
        } catch (RuntimeException | Error e) {
            failed(e);
        }
        ready(true, false);
    }

    /// Serves a transport that is ready. The network calls this at most once a turn.
    @Override
    public void ready(boolean readable, boolean writable) {
        if (state == State.CLOSED) {
            return;
        }
        dirty = true; // flushed below
        try {
            act(readable, writable);
        } catch (RuntimeException | Error e) {
            failed(e);
        }
        flush();
        net.relieveIfShort();
    }

    private void act(boolean readable, boolean writable) {
        in.beginTurn();
        if (readable && wantsRead && canRead()) {
            driver.readable();
        }
        // After the read: if the peer has sent its last bytes and reset the connection, a write
        // would fail and lose them.
        if (writable) {
            sendOn();
        }
    }

    /// Handles a reset that the transport noticed without a read or a write. A driver that still
    /// needs what had arrived reads it when it wants to, and finds the end then.
    @Override
    public void broken() {
        if (!readsTheRest()) {
            lost(new IOException("Connection reset by peer"));
        }
    }

    private boolean readsTheRest() {
        return canRead() && driver.readsAfterBreak();
    }

    /// Notes that the connection broke. The next flush closes it.
    void lost(IOException why) {
        if (isUndecided()) {
            state = State.LOST;
            loop().reportLost("A connection was lost", why);
            markDirty();
        }
    }

    /// Notes that a write failed. The next flush closes the connection, unless the driver still
    /// needs what had arrived.
    void unwritable(IOException why) {
        if (readsTheRest()) {
            writeFault = why;
            markDirty();
        } else {
            lost(why);
        }
    }

    /// Applies the decisions of the turn. If anything is thrown, such as an OutOfMemoryError, the
    /// connection is closed, so that it is never left half flushed.
    void flush() {
        try {
            carryOut();
        } catch (Throwable e) { // otherwise it would never be flushed or closed
            failed(e);
            dirty = false;
            if (state != State.CLOSED) {
                finishGuarded();
            }
        }
    }

    private void finishGuarded() {
        try {
            finish(false);
        } catch (Throwable e) { // it is closed and forgotten anyway
            loop().report(NOT_ALL_BACK, e);
        }
    }

    /// Ends the connection because its unused input could not be saved.
    void unsaved(Throwable why) {
        failed(why);
    }

    /// Ends the connection because its output could neither be sent nor kept.
    void failedToSend(Throwable why) {
        failed(why);
    }

    private void carryOut() {
        if (state == State.CLOSED) {
            dirty = false;
            return;
        }
        out.flush();
        endAfterWriteFault();
        in.save();
        dirty = false;
        switch (state) {
            case OPEN -> continueOpen();
            case CLOSING -> {
                if (out.isEmpty()) {
                    finish(false);
                } else {
                    continueOpen();
                }
            }
            case ABORTING, LOST -> finish(state == State.LOST);
            case CLOSED -> {}
        }
        out.endTurn();
    }

    /// Ends a connection that cannot be written to as soon as its input has ended, or the driver
    /// needs no more of it.
    private void endAfterWriteFault() {
        @Nullable IOException why = writeFault;
        if (why == null) {
            return;
        }
        out.drop();
        if (in.ended() || !readsTheRest()) {
            lost(why);
        }
    }

    private boolean isUndecided() {
        return state == State.OPEN || state == State.CLOSING;
    }

    private void continueOpen() {
        boolean blocked = !out.isEmpty();
        if (blocked && flow != Flow.BLOCKED) {
            flow = Flow.BLOCKED;
            guarded(driver::blocked);
        } else if (!blocked && flow != Flow.FREE && writeFault == null) {
            flow = Flow.DRAINED;
            loop().submit(drained); // after other connections' turns
        }
        if (output == Half.ENDING && !blocked && writeFault == null) {
            shutdownOutput();
        }
        boolean reads = wantsRead && state == State.OPEN && !in.ended();
        transport.interest(reads, blocked && out.waitsForSocket());
    }

    private void tellDrained() {
        if (flow == Flow.DRAINED && isOpen() && out.isEmpty()) {
            flow = Flow.FREE;
            guarded(driver::drained);
        }
    }

    private void sendOn() {
        out.unblock();
        out.flush();
        if (flow == Flow.BLOCKED && out.isEmpty() && isOpen()) {
            flow = Flow.FREE;
            guarded(driver::drained);
        }
    }

    private void shutdownOutput() {
        output = Half.ENDED;
        try {
            transport.shutdownOutput();
        } catch (IOException e) {
            unwritable(e);
        }
    }

    private void finish(boolean byPeer) {
        boolean reset = state == State.ABORTING;
        state = State.CLOSED;
        try {
            out.drop();
            in.free();
        } finally {
            try {
                closeTransport(reset);
            } finally {
                net.forget(this);
                tellClosed(byPeer);
            }
        }
    }

    private void closeTransport(boolean reset) {
        if (reset) {
            transport.reset();
        } else {
            transport.close();
        }
    }

    private void tellClosed(boolean byPeer) {
        try {
            driver.closed(byPeer);
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    /// Runs `call` for the driver, outside of a call of this class. If it throws, the connection is aborted:
    /// what it has written may be half of a message.
    public void guarded(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    private void failed(Throwable e) {
        abort();
        if (e instanceof OutOfMemoryError) {
            net.exhausted();
        }
        loop().report(DRIVER_FAILED, e);
    }
}
