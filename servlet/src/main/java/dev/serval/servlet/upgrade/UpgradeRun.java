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
/// [UpgradeState] says when a container thread is inside. It calls the application: `init`, the
/// listeners of the streams, `destroy`. An event while a thread is inside waits until that thread
/// asks [#next]. The thread is a Worker, or a thread of its own after the connection has ended. Any
/// thread, under one lock that is never held while application code runs.
public final class UpgradeRun implements AutoCloseable {
    /// Stands for a ReadListener that was not set.
    private static final ReadListener NO_READER =
            new ReadListener() {
                @Override
                public void onDataAvailable() {}

                @Override
                public void onAllDataRead() {}

                @Override
                public void onError(Throwable thrown) {}
            };

    /// Stands for a WriteListener that was not set.
    private static final WriteListener NO_WRITER =
            new WriteListener() {
                @Override
                public void onWritePossible() {}

                @Override
                public void onError(Throwable thrown) {}
            };

    private final RequestHost container;
    private final AppRoutes app;
    private final Mapping mapping;
    private final HttpUpgradeHandler handler;
    private final BriefLock lock = new BriefLock();
    private final UpgradeState state = new UpgradeState();
    private final UpgradeDirection<ReadListener> reading = new UpgradeDirection<>(NO_READER);
    private final UpgradeDirection<WriteListener> writing = new UpgradeDirection<>(NO_WRITER);
    private volatile boolean mustWait; // the application was told that a write would wait
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
            call(state.opened());
        } finally {
            lock.unlock();
        }
    }

    /// Ends a handler whose connection was lost before the 101 response. Runs on the loop.
    public void dropped() {
        lock.lock();
        try {
            boolean _ = state.over();
            call(state.opened());
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
            reading.listen(listener);
            call(state.due());
        } finally {
            lock.unlock();
        }
    }

    void write(WriteListener listener) {
        lock.lock();
        try {
            tunnel().withoutWaiting();
            writing.listen(listener);
            call(state.due());
        } finally {
            lock.unlock();
        }
    }

    /// Returns whether a read would not wait; if it would, the ReadListener is called later.
    boolean mayRead() {
        lock.lock();
        try {
            if (reading.isArmed()) {
                return false;
            }
            if (tunnel().readsWithoutWaiting()) {
                return true;
            }
            if (reading.arm()) {
                tunnel().onReadable(this::arrived);
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    /// Returns whether a write would not wait; if it would, the WriteListener is called later.
    boolean isReadyToWrite() {
        if (hasRoom()) {
            mustWait = false;
            return true;
        }
        return false;
    }

    /// Returns whether the application may write. Once it was told that a write would wait, it may
    /// not until it is told otherwise, even if there is room already.
    boolean mayWrite() {
        return !mustWait && isReadyToWrite();
    }

    private boolean hasRoom() {
        lock.lock();
        try {
            if (writing.isArmed()) {
                return false;
            }
            if (tunnel().writesWithoutWaiting()) {
                return true;
            }
            if (writing.arm()) {
                mustWait = true; // before the loop can report, after which the listener may write
                tunnel().onWritable(this::roomy);
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    // Events, on the loop

    private void arrived() {
        lock.lock();
        try {
            reading.reported();
            call(state.due());
        } finally {
            lock.unlock();
        }
    }

    private void roomy() {
        lock.lock();
        try {
            writing.reported();
            call(state.due());
        } finally {
            lock.unlock();
        }
    }

    private void ended() {
        lock.lock();
        try {
            call(state.over());
        } finally {
            lock.unlock();
        }
    }

    /// Calls a container thread if `called`. Under the lock.
    private void call(boolean called) {
        if (!called) {
            return;
        }
        if (state.isOver()) {
            runElsewhere();
        } else {
            tunnel().run(mapping, this::settle, this::runElsewhere);
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
                    case LISTENERS -> listeners();
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

    private UpgradeState.Step next() {
        lock.lock();
        try {
            return state.next(reading.isDue() || writing.isDue());
        } finally {
            lock.unlock();
        }
    }

    private void listeners() {
        if (take(reading)) {
            read();
        } else if (take(writing)) {
            write();
        }
    }

    private boolean take(UpgradeDirection<?> direction) {
        lock.lock();
        try {
            return direction.take();
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
        ReadListener listener = reading.listener();
        if (tunnel().isOver()) {
            return;
        }
        try {
            if (!tunnel().inputEnded()) {
                if (!mayRead()) {
                    return; // the loop reports when bytes have arrived
                }
                listener.onDataAvailable();
            }
            if (tunnel().inputEnded() && finishReading()) {
                listener.onAllDataRead();
            }
        } catch (Throwable e) {
            failed(() -> listener.onError(e), e);
        }
    }

    private boolean finishReading() {
        lock.lock();
        try {
            return reading.finish();
        } finally {
            lock.unlock();
        }
    }

    private void write() {
        WriteListener listener = writing.listener();
        if (tunnel().isOver()) {
            return;
        }
        mustWait = false;
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
        forgetListeners();
        notifying(notice);
        tunnel().abort();
    }

    /// Lets nothing more be told to the listeners, because one of them has failed and knows it.
    private void forgetListeners() {
        lock.lock();
        try {
            reading.forget();
            writing.forget();
        } finally {
            lock.unlock();
        }
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
        if (fault != null) {
            IOException gone = new ExchangeAbortedException(fault);
            ReadListener reader = reading.listener();
            WriteListener writer = writing.listener();
            notifying(() -> reader.onError(gone));
            notifying(() -> writer.onError(gone));
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
