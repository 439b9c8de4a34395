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
            RequestContent content = async.exchange().content();
            if (!content.isFinished() && !content.hasEnded()) {
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
        RequestContent content = async.exchange().content();
        if (content.isFinished() || (!async.streams().isReadArmed() && content.hasEnded())) {
            content.finish();
            if (async.streams().tellReadEnd()) {
                listener.onAllDataRead();
            }
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
