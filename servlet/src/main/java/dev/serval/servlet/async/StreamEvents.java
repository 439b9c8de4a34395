package dev.serval.servlet.async;

import jakarta.servlet.ReadListener;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// The listeners of a request's streams, and what the loop is to report to them (Servlet 6.1 §3.7,
/// §5.7). Any thread.
///
/// A stream that is not ready is armed once: the loop then reports when it is. The report disarms
/// the stream before it becomes an event, so that the thread that takes the event finds it disarmed.
public final class StreamEvents {
    /// The streams of the engine.
    interface Streams {
        /// Returns whether a read would not wait.
        boolean readsWithoutWaiting() throws IOException;

        /// Runs `then` on the loop when a read would not wait.
        void onReadable(Runnable then) throws IOException;

        /// Returns whether a write would not wait.
        boolean writesWithoutWaiting();

        /// Runs `then` on the loop when a write would not wait.
        void onWritable(Runnable then);
    }

    private final AsyncState state;
    private final Streams streams;
    private final AtomicBoolean readArmed = new AtomicBoolean(); // the loop reports content
    private final AtomicBoolean writeArmed = new AtomicBoolean(); // the loop reports room
    private volatile @Nullable ReadListener reader;
    private volatile @Nullable WriteListener writer;
    private volatile boolean mustWait; // the application was told that a write would wait
    private final AtomicBoolean readEndFound = new AtomicBoolean(); // by the application
    private boolean readEndTold; // used by the container thread

    StreamEvents(AsyncState state, Streams streams) {
        this.state = state;
        this.streams = streams;
    }

    /// Sets the ReadListener. Its first event comes when the container thread leaves.
    void read(ReadListener listener) {
        reader = listener;
        state.readable();
    }

    /// Sets the WriteListener. Its first event comes when the container thread leaves.
    void write(WriteListener listener) {
        writer = listener;
        state.writable();
    }

    public @Nullable ReadListener reader() {
        return reader;
    }

    public @Nullable WriteListener writer() {
        return writer;
    }

    /// Returns whether a read would not wait; if not, an event follows.
    boolean mayRead() {
        if (readArmed.get()) {
            return false;
        }
        try {
            if (streams.readsWithoutWaiting()) {
                return true;
            }
        } catch (IOException e) { // the exchange was aborted, or another thread has armed it
            return !readArmed.get();
        }
        if (!readArmed.compareAndSet(false, true)) {
            return false;
        }
        try {
            streams.onReadable(this::arrived);
            return false;
        } catch (IOException e) { // the exchange was aborted: a read reports that
            readArmed.set(false);
            return true;
        }
    }

    /// Returns whether the loop will report when content can be read.
    boolean isReadArmed() {
        return readArmed.get();
    }

    /// Records that the application has found the end of the content, and brings the container thread
    /// that tells the listener. Code that reads on a thread of its own brings none otherwise.
    void readEndFound() {
        if (readEndFound.compareAndSet(false, true)) {
            state.readable();
        }
    }

    /// Returns whether the application has found the end of the content.
    boolean isReadEndFound() {
        return readEndFound.get();
    }

    /// Records that the ReadListener learns of the end of the content.
    ///
    /// @return whether it has not learned of it before
    boolean tellReadEnd() {
        boolean first = !readEndTold;
        readEndTold = true;
        return first;
    }

    private void arrived() {
        readArmed.set(false);
        state.readableOnLoop();
    }

    /// Returns whether a write would not wait; if not, an event follows.
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

    /// Returns the WriteListener, which is about to be told that a write does not wait.
    @Nullable WriteListener writerToTell() {
        mustWait = false;
        return writer;
    }

    private boolean hasRoom() {
        if (writeArmed.get()) {
            return false;
        }
        if (streams.writesWithoutWaiting()) {
            return true;
        }
        if (writeArmed.compareAndSet(false, true)) {
            mustWait = true; // before the loop can report, after which the listener may write
            streams.onWritable(this::roomy);
        }
        return false;
    }

    private void roomy() {
        writeArmed.set(false);
        state.writableOnLoop();
    }
}
