package dev.serval.servlet.upgrade;

import static java.lang.System.Logger.Level.ERROR;

import dev.serval.blocking.BlockingTunnel;
import dev.serval.blocking.ExchangeAbortedException;
import dev.serval.handler.Exchange;
import dev.serval.handler.Fault;
import dev.serval.handler.Mapping;
import dev.serval.http.ResponseHead;
import dev.serval.servlet.async.BriefLock;
import dev.serval.servlet.async.Notice;
import dev.serval.servlet.dispatch.AppRoutes;
import dev.serval.servlet.dispatch.Loaders;
import dev.serval.servlet.dispatch.RequestHost;
import jakarta.servlet.ReadListener;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpUpgradeHandler;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Runs an [HttpUpgradeHandler] from the 101 response to the end of its connection (Servlet 6.1
/// §2.3.3.5).
///
/// ```
///   WAITING ── opened ──▶ OPENED ── init ──▶ RUNNING ── tunnel is over ──▶ ENDED (destroy)
///      └── dropped ──────────┴── tunnel is over before init ─────────────────▶
/// ```
///
/// At most one container thread is inside and calls the application: `init`, the listeners of the
/// streams, `destroy`. An event while a thread is inside waits until that thread asks [#next]. It is
/// a Worker, or a thread of its own after the connection has ended. Any thread, under one lock that
/// is never held while application code runs.
public final class UpgradeRun implements AutoCloseable {
    private enum State {
        WAITING,
        OPENED,
        RUNNING,
        ENDED
    }

    private enum Step {
        INIT,
        READ,
        WRITE,
        DESTROY,
        RELEASE,
        LEAVE
    }

    private final RequestHost container;
    private final AppRoutes app;
    private final Mapping mapping;
    private final HttpUpgradeHandler handler;
    private final BriefLock lock = new BriefLock();
    private State state = State.WAITING;
    private boolean inside; // a container thread runs code of the handler
    private boolean over; // the tunnel has ended
    private boolean readable; // an event for the ReadListener
    private boolean writable; // an event for the WriteListener
    private boolean readArmed; // the loop reports when bytes can be read
    private boolean writeArmed;
    private boolean readEndTold;
    private boolean failureTold; // a listener has failed and knows it
    private @Nullable ReadListener reader;
    private @Nullable WriteListener writer;
    private volatile @Nullable BlockingTunnel tunnel;

    public UpgradeRun(
            RequestHost container, AppRoutes app, Mapping mapping, HttpUpgradeHandler handler) {
        this.container = container;
        this.app = app;
        this.mapping = mapping;
        this.handler = handler;
    }

    /// Sends the head, and starts the handler on a Worker. Runs on the loop.
    public void open(Exchange x, ResponseHead head) {
        try {
            tunnel = BlockingTunnel.open(x, head, this::ended);
        } catch (RuntimeException | Error e) {
            dropped();
            throw e;
        }
        if (!container.hold(this)) {
            close();
        }
        lock.lock();
        try {
            state = State.OPENED;
            comeBack();
        } finally {
            lock.unlock();
        }
    }

    /// Ends a handler whose connection was lost before the 101 response. Runs on the loop.
    public void dropped() {
        lock.lock();
        try {
            over = true;
            state = State.OPENED;
            comeBack();
        } finally {
            lock.unlock();
        }
    }

    /// Closes the connection, because the application stops or has called for it.
    @Override
    public void close() {
        tunnel().close();
    }

    BlockingTunnel tunnel() {
        return Objects.requireNonNull(tunnel, "the connection is not open");
    }

    // For the streams

    void read(ReadListener listener) {
        lock.lock();
        try {
            reader = listener;
            readable = true;
            comeBack();
        } finally {
            lock.unlock();
        }
    }

    void write(WriteListener listener) {
        lock.lock();
        try {
            tunnel().withoutWaiting();
            writer = listener;
            writable = true;
            comeBack();
        } finally {
            lock.unlock();
        }
    }

    /// Returns whether a read would not wait; if it would, the ReadListener is called later.
    boolean mayRead() {
        lock.lock();
        try {
            if (readArmed || tunnel().readsWithoutWaiting()) {
                return !readArmed;
            }
            readArmed = true;
            tunnel().onReadable(this::arrived);
            return false;
        } finally {
            lock.unlock();
        }
    }

    /// Returns whether a write would not wait; if it would, the WriteListener is called later.
    boolean mayWrite() {
        lock.lock();
        try {
            if (writeArmed || tunnel().writesWithoutWaiting()) {
                return !writeArmed;
            }
            writeArmed = true;
            tunnel().onWritable(this::roomy);
            return false;
        } finally {
            lock.unlock();
        }
    }

    // Events, on the loop

    private void arrived() {
        lock.lock();
        try {
            readArmed = false;
            readable = true;
            comeBack();
        } finally {
            lock.unlock();
        }
    }

    private void roomy() {
        lock.lock();
        try {
            writeArmed = false;
            writable = true;
            comeBack();
        } finally {
            lock.unlock();
        }
    }

    private void ended() {
        lock.lock();
        try {
            over = true;
            comeBack();
        } finally {
            lock.unlock();
        }
    }

    /// Brings a container thread back, if none is inside. Under the lock.
    private void comeBack() {
        if (inside || state == State.WAITING || state == State.ENDED) {
            return;
        }
        inside = true;
        @Nullable BlockingTunnel open = tunnel;
        if (open == null || over) {
            runElsewhere();
        } else {
            open.run(mapping, this::settle, this::runElsewhere);
        }
    }

    private void runElsewhere() {
        Thread.ofVirtual().name("end of " + handler.getClass().getName()).start(this::settle);
    }

    // For the container thread

    /// Does what the handler needs now, until it waits for an event or has ended.
    private void settle() {
        @Nullable ClassLoader before = Loaders.enter(app.scope());
        try {
            while (true) {
                switch (next()) {
                    case INIT -> init();
                    case READ -> read();
                    case WRITE -> write();
                    case DESTROY -> destroy();
                    case RELEASE -> {
                        release();
                        return;
                    }
                    case LEAVE -> {
                        return;
                    }
                }
            }
        } finally {
            Loaders.leave(before);
        }
    }

    private Step next() {
        lock.lock();
        try {
            if (over) {
                boolean began = state == State.RUNNING;
                state = State.ENDED;
                readable = false;
                writable = false;
                return began ? Step.DESTROY : Step.RELEASE;
            }
            if (state == State.OPENED) {
                state = State.RUNNING;
                return Step.INIT;
            }
            if (readable) {
                readable = false;
                return Step.READ;
            }
            if (writable) {
                writable = false;
                return Step.WRITE;
            }
            inside = false;
            return Step.LEAVE;
        } finally {
            lock.unlock();
        }
    }

    private void init() {
        try {
            handler.init(new UpgradedConnection(this));
        } catch (Throwable e) {
            if (!tunnel().isOver()) {
                log("HttpUpgradeHandler.init failed", e);
            }
            tunnel().abort();
        }
    }

    private void read() {
        @Nullable ReadListener listener = reader;
        if (listener == null || tunnel().isOver()) {
            return;
        }
        try {
            if (!tunnel().inputEnded()) {
                if (!mayRead()) {
                    return; // the loop reports when bytes have arrived
                }
                listener.onDataAvailable();
            }
            if (tunnel().inputEnded() && !readEndTold) {
                readEndTold = true;
                listener.onAllDataRead();
            }
        } catch (Throwable e) {
            failed(() -> listener.onError(e), e);
        }
    }

    private void write() {
        @Nullable WriteListener listener = writer;
        if (listener == null || tunnel().isOver()) {
            return;
        }
        try {
            listener.onWritePossible();
        } catch (Throwable e) {
            failed(() -> listener.onError(e), e);
        }
    }

    private void failed(Notice notice, Throwable thrown) {
        if (tunnel().isOver()) {
            return; // destroy reports the loss
        }
        log("A listener of an upgraded connection failed", thrown);
        failureTold = true;
        notifying(notice);
        tunnel().abort();
    }

    private void notifying(Notice notice) {
        try {
            notice.tell();
        } catch (Throwable e) {
            log("A listener of an upgraded connection failed", e);
        }
    }

    private void destroy() {
        @Nullable Fault fault = tunnel().fault();
        if (fault != null && !failureTold) {
            IOException gone = new ExchangeAbortedException(fault);
            @Nullable ReadListener reading = reader;
            @Nullable WriteListener writing = writer;
            if (reading != null) {
                notifying(() -> reading.onError(gone));
            }
            if (writing != null) {
                notifying(() -> writing.onError(gone));
            }
        }
        try {
            handler.destroy();
        } catch (Throwable e) {
            log("HttpUpgradeHandler.destroy failed", e);
        }
    }

    private void release() {
        try {
            app.scope().destroy(handler);
        } finally {
            container.release(this);
            container.leave();
        }
    }

    private void log(String what, Throwable thrown) {
        app.context().logger().log(ERROR, what + ": " + handler.getClass().getName(), thrown);
    }
}
