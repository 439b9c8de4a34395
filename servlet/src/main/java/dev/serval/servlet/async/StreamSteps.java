package dev.serval.servlet.async;

import dev.serval.servlet.request.RequestContent;
import jakarta.servlet.ReadListener;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The steps of a request whose streams do not wait (Servlet 6.1 §3.7, §5.7), on its container
/// thread.
public final class StreamSteps {
    private StreamSteps() {}

    /// Calls the ReadListener, if there is content or its end.
    public static void read(AsyncRun run, AsyncCycle async) {
        @Nullable ReadListener listener = async.streams().reader();
        // The WriteListener may wait for content already, if the event is older than that.
        if (listener == null || async.streams().isReadArmed()) {
            return; // the loop reports when content has arrived
        }
        try {
            if (!hasEnded(async)) {
                if (!async.mayRead()) {
                    return; // the loop reports when content has arrived
                }
                listener.onDataAvailable();
            }
            readEnd(async, listener);
        } catch (Throwable e) {
            run.listenerFailed(() -> listener.onError(e), e);
        }
    }

    private static void readEnd(AsyncCycle async, ReadListener listener) throws IOException {
        if (!async.streams().isReadArmed() && hasEnded(async)) {
            async.exchange().content().finish();
            if (async.streams().tellReadEnd()) {
                listener.onAllDataRead();
            }
        }
    }

    /// Returns whether all content was read, as far as this thread can tell. A thread of the
    /// application may be reading: it will find the end by itself.
    private static boolean hasEnded(AsyncCycle async) {
        RequestContent content = async.exchange().content();
        try {
            return async.streams().isReadEndFound() || content.isFinished() || content.hasEnded();
        } catch (IOException e) { // another thread reads, or the exchange was aborted
            return false;
        }
    }

    /// Calls the WriteListener, and the ReadListener if that has read the last byte.
    public static void write(AsyncRun run, AsyncCycle async) {
        @Nullable WriteListener listener = async.streams().writerToTell();
        if (listener == null) {
            return;
        }
        try {
            listener.onWritePossible();
        } catch (Throwable e) {
            run.listenerFailed(() -> listener.onError(e), e);
            return;
        }
        @Nullable ReadListener reader = async.streams().reader();
        if (reader == null || !async.isOpen()) {
            return;
        }
        try {
            readEnd(async, reader); // the WriteListener may have read the last byte
        } catch (Throwable e) {
            run.listenerFailed(() -> reader.onError(e), e);
        }
    }
}
