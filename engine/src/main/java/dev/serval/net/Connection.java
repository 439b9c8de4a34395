package dev.serval.net;

import dev.serval.loop.Command;
import dev.serval.loop.EventLoop;
import dev.serval.loop.Reports;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// One open connection: a transport, its input and output, and the [Driver] that knows what they
/// mean. Owned by one loop for life.
///
/// ```
///           close()            sent
///   OPEN ───────────▶ CLOSING ───────▶ CLOSED
///     └───────────────────┴─── abort(), lost ──▶ CLOSED
/// ```
///
/// What happens during a turn takes effect when the connection is settled, at the end of its part of
/// the turn: answers are sent, what was read and not used is saved, closing is carried out. So a
/// driver is never called from within its own calls.
public final class Connection implements Readiness {
    private static final String DRIVER_FAILED =
            Reports.text("A connection's driver failed; the connection is closed");
    private static final String NOT_ALL_BACK =
            Reports.text("A connection could not give back all it held");

    private enum State {
        OPEN,
        CLOSING,
        CLOSED
    }

    private final NetLoop net;
    private final long id;
    private final Transport transport;
    private final Input in;
    private final Output out;
    private @Nullable Driver driver;
    private State state = State.OPEN;
    private boolean wantsRead = true;
    private boolean dirty;
    private boolean waiting; // for the socket to take what is queued
    private boolean wantsDrained;
    private boolean endsOutput;
    private final Command drained = new Command(this::tellDrained);
    private boolean aborted;
    private @Nullable IOException lost;
    @Nullable Connection newer;
    @Nullable Connection older;
    @Nullable Connection nextTouched; // of the loop's list
    boolean isListed; // there, perhaps settled meanwhile

    Connection(NetLoop net, Transport transport, long id) {
        this.net = net;
        this.transport = transport;
        this.id = id;
        this.in = new Input(this, net);
        this.out = new Output(this, net);
    }

    /// Unique on its loop, counted from 1.
    public long id() {
        return id;
    }

    /// The loop that owns it.
    public EventLoop loop() {
        return net.loop();
    }

    /// The loop's sockets and buffers.
    public NetLoop net() {
        return net;
    }

    /// What was read.
    public Input in() {
        return in;
    }

    /// What is to be sent.
    public Output out() {
        return out;
    }

    /// Our end.
    public SocketAddress local() {
        return transport.local();
    }

    /// The other end.
    public SocketAddress peer() {
        return transport.peer();
    }

    /// Whether it can still be written to.
    public boolean isOpen() {
        return state == State.OPEN && lost == null && !aborted;
    }

    /// Whether what was written can still be sent.
    boolean canSend() {
        return state != State.CLOSED && lost == null && !aborted;
    }

    /// Hands the connection to another driver.
    public void driver(Driver next) {
        driver = next;
    }

    /// Whether [Driver#readable] is to be called.
    public void wantRead(boolean wanted) {
        if (wantsRead != wanted) {
            wantsRead = wanted;
            markDirty();
        }
    }

    /// Asks for one call of [Driver#drained], when nothing that was written waits any more.
    public void wantDrained() {
        wantsDrained = true;
        markDirty();
    }

    /// Ends our half of the stream once everything is sent; reading goes on.
    public void endOutput() {
        endsOutput = true;
        markDirty();
    }

    /// Closes once everything is sent; nothing is read any more.
    public void close() {
        if (state == State.OPEN) {
            state = State.CLOSING;
            markDirty();
        }
    }

    /// Closes with a reset; what was not sent is lost.
    public void abort() {
        if (state != State.CLOSED) {
            aborted = true;
            markDirty();
        }
    }

    /// Makes sure that the connection is settled when the turn ends.
    public void markDirty() {
        if (!dirty) {
            dirty = true;
            net.addDirty(this);
        }
    }

    /// Asks the driver to end as soon as what is in progress allows.
    public void drain() {
        @Nullable Driver present = driver;
        if (present != null && isOpen()) {
            guarded(present::drain);
        }
    }

    Transport transport() {
        return transport;
    }

    /// The driver is made and the first bytes are tried.
    void start(Driver.Factory drivers) {
        try {
            transport.attach(this);
            driver = drivers.open(this);
        } catch (RuntimeException | Error e) {
            failed(e);
        }
        ready(true, false);
    }

    /// The transport is ready. Called by the network, once a turn.
    @Override
    public void ready(boolean readable, boolean writable) {
        if (state == State.CLOSED) {
            return;
        }
        dirty = true; // settled below
        try {
            act(readable, writable);
        } catch (RuntimeException | Error e) {
            failed(e);
        }
        flush();
    }

    private void act(boolean readable, boolean writable) {
        in.beginTurn();
        if (writable) {
            sendOn();
        }
        @Nullable Driver present = driver;
        if (readable && wantsRead && isOpen() && present != null) {
            present.readable();
        }
    }

    /// The peer is gone, seen by the transport while nobody reads or writes.
    @Override
    public void broken() {
        lost(new IOException("Connection reset by peer"));
    }

    /// The connection broke; carried out when it is settled.
    void lost(IOException why) {
        if (lost == null) {
            lost = why;
            loop().reportLost("A connection was lost", why);
            markDirty();
        }
    }

    /// Carries out what the turn decided. Nothing that is thrown, such as for want of memory, leaves
    /// the connection half settled: it is closed.
    void flush() {
        try {
            carryOut();
        } catch (Throwable e) { // else nobody would ever settle or close it
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
        } catch (Throwable e) { // it is closed and forgotten all the same
            loop().report(NOT_ALL_BACK, e);
        }
    }

    /// What was read could not be saved: the connection cannot go on.
    void unsaved(Throwable why) {
        failed(why);
    }

    private void carryOut() {
        if (state == State.CLOSED) {
            dirty = false;
            return;
        }
        out.flush();
        in.save();
        dirty = false;
        if (lost != null || aborted) {
            finish(lost != null);
        } else if (out.isEmpty() && state == State.CLOSING) {
            finish(false);
        } else {
            goOn();
        }
        out.endTurn();
    }

    private void goOn() {
        boolean waited = waiting;
        waiting = !out.isEmpty();
        if (waiting && !waited) {
            tellBlocked();
        } else if (!waiting && (waited || wantsDrained)) {
            wantsDrained = true;
            loop().submit(drained); // not from here: a driver that goes on writing has its turn
        }
        if (endsOutput && !waiting) {
            shutdownOutput();
        }
        transport.interest(wantsRead && state == State.OPEN && !in.ended(), waiting);
    }

    private void tellBlocked() {
        @Nullable Driver present = driver;
        if (present != null) {
            guarded(present::blocked);
        }
    }

    private void tellDrained() {
        @Nullable Driver present = driver;
        if (wantsDrained && isOpen() && out.isEmpty() && present != null) {
            wantsDrained = false;
            guarded(present::drained);
        }
    }

    private void sendOn() {
        out.unblock();
        out.flush();
        @Nullable Driver present = driver;
        if (waiting && out.isEmpty() && isOpen() && present != null) {
            waiting = false;
            wantsDrained = false;
            guarded(present::drained);
        }
    }

    private void shutdownOutput() {
        endsOutput = false;
        try {
            transport.shutdownOutput();
        } catch (IOException e) {
            lost(e);
        }
    }

    private void finish(boolean byPeer) {
        state = State.CLOSED;
        try {
            out.drop();
            in.free();
        } finally {
            try {
                closeTransport();
            } finally {
                net.forget(this);
                tellClosed(byPeer);
            }
        }
    }

    private void closeTransport() {
        if (aborted) {
            transport.reset();
        } else {
            transport.close();
        }
    }

    private void tellClosed(boolean byPeer) {
        @Nullable Driver present = driver;
        if (present != null) {
            try {
                present.closed(byPeer);
            } catch (RuntimeException | Error e) {
                failed(e);
            }
        }
    }

    private void guarded(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    private void failed(Throwable e) {
        abort();
        loop().report(DRIVER_FAILED, e);
    }
}
