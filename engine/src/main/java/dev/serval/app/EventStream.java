package dev.serval.app;

import dev.serval.handler.Fault;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Sends server-sent events (HTML standard §9.2) to one client. Each event is sent at once. A call
/// blocks while the client does not read, and throws after the client disconnected.
///
/// Without an event for [AppLimits#eventSilenceNanos] to twice that time, the stream sends a
/// comment, which browsers ignore. That also detects a lost client. The stream then interrupts the
/// source, which may be waiting for something to send. The exchange counts as in progress until the
/// source returns.
///
/// Any thread may send while the source runs.
public final class EventStream {
    /// Sends events to one client.
    @FunctionalInterface
    public interface Source {
        /// Sends events until it returns, which ends the response; browsers then reconnect.
        ///
        /// @throws Exception ends the response in the middle. It is logged, unless the client
        ///     disconnected
        void run(EventStream events) throws Exception;
    }

    private static final byte[] SILENCE = {':', '\n', '\n'};

    private final AppExchange x;
    private final OutputStream out;
    private final long silenceNanos;
    private final Thread source;
    private final ReentrantLock sending = new ReentrantLock();
    private boolean ended; // guarded by sending, like the next field
    private boolean sent = true; // since the last check of breakSilence

    private EventStream(AppExchange x, OutputStream out, long silenceNanos) {
        this.x = x;
        this.out = out;
        this.silenceNanos = silenceNanos;
        this.source = Thread.currentThread();
    }

    /// Runs `source` on this thread. Writes nothing after `source` has returned.
    static void run(Source source, AppExchange x, OutputStream out, long silenceNanos)
            throws Exception {
        EventStream events = new EventStream(x, out, silenceNanos);
        Thread guard = Thread.ofVirtual().name("serval-events").start(events::breakSilence);
        x.blocking("events").onAbort(() -> LockSupport.unpark(guard));
        try {
            source.run(events);
        } finally {
            events.end();
            LockSupport.unpark(guard);
        }
    }

    /// Returns the id of the last event that the client received before it lost its connection
    /// (Last-Event-ID), or null.
    public @Nullable String lastId() {
        return x.field("Last-Event-ID");
    }

    /// Sends an event of the type `message`.
    ///
    /// @param data one or more lines
    /// @throws IOException if the client disconnected
    public void send(String data) throws IOException {
        write(text(null, data, null));
    }

    /// Sends an event.
    ///
    /// @param type the event type that the page listens for
    /// @param data one or more lines
    /// @throws IOException if the client disconnected
    /// @throws IllegalArgumentException for a type with a line end or NUL
    public void send(String type, String data) throws IOException {
        write(text(type, data, null));
    }

    /// Sends an event with an id, which [#lastId] returns after the client reconnected.
    ///
    /// @param type the event type that the page listens for
    /// @param data one or more lines
    /// @param id text without line end and NUL
    /// @throws IOException if the client disconnected
    /// @throws IllegalArgumentException for a type or an id with a line end or NUL
    public void send(String type, String data, String id) throws IOException {
        write(text(type, data, id));
    }

    /// Sends lines that clients ignore.
    ///
    /// @throws IOException if the client disconnected
    public void comment(String text) throws IOException {
        write(lines(new StringBuilder(), ": ", text).append('\n').toString());
    }

    /// Tells the client how long to wait before it reconnects.
    ///
    /// @throws IOException if the client disconnected
    public void retryAfter(Duration pause) throws IOException {
        write("retry: " + Math.max(0, pause.toMillis()) + "\n\n");
    }

    /// Returns the lines of an event, including the empty line at its end.
    static String text(@Nullable String type, String data, @Nullable String id) {
        StringBuilder text = new StringBuilder(data.length() + 32);
        if (type != null) {
            text.append("event: ").append(line("type", type)).append('\n');
        }
        if (id != null) {
            text.append("id: ").append(line("id", id)).append('\n');
        }
        return lines(text, "data: ", data).append('\n').toString();
    }

    private static String line(String what, String value) {
        if (value.chars().anyMatch(c -> c == '\n' || c == '\r' || c == 0)) {
            throw new IllegalArgumentException(
                    "The " + what + " of an event must be one line without NUL.");
        }
        return value;
    }

    /// Prefixes each line with `before`. CR, LF and CRLF all end a line in an event stream.
    private static StringBuilder lines(StringBuilder text, String before, String lines) {
        text.append(before);
        for (int i = 0; i < lines.length(); i++) {
            char c = lines.charAt(i);
            boolean pair = c == '\r' && i + 1 < lines.length() && lines.charAt(i + 1) == '\n';
            if (c != '\n' && c != '\r') {
                text.append(c);
            } else if (!pair) {
                text.append('\n').append(before);
            }
        }
        return text.append('\n');
    }

    private void write(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        sending.lock();
        try {
            if (ended) {
                throw new IOException("The event stream has ended: its source returned.");
            }
            sent = true;
            out.write(bytes);
            out.flush();
        } finally {
            sending.unlock();
        }
    }

    private void end() {
        sending.lock();
        try {
            ended = true;
        } finally {
            sending.unlock();
        }
    }

    /// Runs on the guard thread. Sends comments while no event is sent, and interrupts the source
    /// after the client disconnected.
    private void breakSilence() {
        while (continues()) {
            LockSupport.parkNanos(this, silenceNanos);
        }
    }

    /// @return whether to check again after the next silence
    private boolean continues() {
        sending.lock();
        try {
            if (ended) {
                return false;
            }
            if (isLost()) {
                source.interrupt();
                return false;
            }
            if (!sent) {
                out.write(SILENCE);
                out.flush();
            }
            sent = false;
            return true;
        } catch (IOException e) {
            source.interrupt();
            return false;
        } catch (RuntimeException | Error e) { // such as no memory: the next check tries again
            return true;
        } finally {
            sending.unlock();
        }
    }

    private boolean isLost() {
        @Nullable Fault fault = x.blocking("events").fault();
        return fault != null;
    }
}
