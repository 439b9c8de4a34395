package dev.serval.bench.load;

import dev.serval.bench.client.AnswerReader;
import dev.serval.bench.client.Conversation;
import dev.serval.bench.client.LoadConnection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A connection of a user, with one request at a time. It is made when a request needs it, and stays
/// open until the server or the user closes it. Owned by the load's thread.
///
/// Apart from the bytes of a request, nothing is allocated for one on a connection that is open.
///
/// @param <R> what the user asks for
public final class Lane<R> implements Conversation {
    private final Traffic traffic;
    private final User<R> user;
    private final boolean resends;
    private @Nullable AnswerReader reader; // null while no answer is due
    private @Nullable LoadConnection connection; // null while there is none
    private @Nullable R asked; // the last request
    private Runnable stopConnecting = () -> {};
    private boolean resendable;

    /// A user: what it sends, and what it does next.
    ///
    /// @param <R> what it asks for
    public interface User<R> {
        /// Returns the address for a new connection, or null for that of the machine.
        default @Nullable InetSocketAddress source() {
            return null;
        }

        /// Returns a request, to be read once.
        ByteBuffer bytes(R asked);

        /// Learns that a connection is open that was made without a request.
        default void opened() {}

        /// Takes an answer, which is valid during the call. The lane can be asked again.
        void answered(Lane<R> lane, R asked, AnswerReader answer);

        /// Learns that there is no right answer. After [Fate#WRONG] the connection is still open:
        /// the server has sent something else, perhaps while no answer was due.
        ///
        /// @param why in words; empty if the server has closed the connection
        void failed(Lane<R> lane, Fate fate, String why);

        /// Learns that a connection has ended, or was not made, while no answer was due.
        ///
        /// @param why as for a failure
        default void closed(String why) {}
    }

    /// @param resends whether a request is sent once more, on a new connection, if the open one has
    ///     ended before the first byte of the answer, as browsers do
    public Lane(Traffic traffic, User<R> user, boolean resends) {
        this.traffic = traffic;
        this.user = user;
        this.resends = resends;
    }

    /// Makes the connection without a request.
    public void open() {
        stopConnecting = traffic.connect(user.source(), this);
    }

    /// Sends a request, after a connect if there is no connection.
    public void ask(R request) {
        asked = request;
        reader = traffic.reader();
        LoadConnection open = connection;
        resendable = resends && open != null;
        if (open == null) {
            open();
            return;
        }
        try {
            send(open);
        } catch (IOException e) {
            lost(Fate.RESET, String.valueOf(e.getMessage()));
        }
    }

    private void send(LoadConnection open) throws IOException {
        open.send(user.bytes(last()));
    }

    /// Returns the last request.
    public R last() {
        return Objects.requireNonNull(asked);
    }

    @Override
    public void connected(LoadConnection made) throws IOException {
        connection = made;
        if (reader == null) {
            user.opened();
        } else {
            send(made);
        }
    }

    @Override
    public void received(ByteBuffer in) {
        AnswerReader due = reader;
        resendable = false;
        try {
            if (due != null && !due.take(in)) {
                return;
            }
        } catch (ProtocolException e) {
            wrong(String.valueOf(e.getMessage()));
            return;
        }
        if (due != null) {
            reader = null;
            user.answered(this, last(), due);
            traffic.giveBack(due);
        }
        if (in.hasRemaining()) {
            wrong("bytes after the answer");
        }
    }

    private void wrong(String why) {
        forget();
        user.failed(this, Fate.WRONG, why);
    }

    @Override
    public void ended(@Nullable IOException cause) {
        Fate fate = connection == null ? Fate.unconnected(cause) : Fate.RESET;
        String why = cause == null ? "" : String.valueOf(cause.getMessage());
        connection = null;
        if (reader == null) {
            user.closed(why);
        } else {
            lost(fate, why);
        }
    }

    private void lost(Fate fate, String why) {
        forget();
        close();
        if (resendable) {
            ask(last());
        } else {
            user.failed(this, fate, why);
        }
    }

    /// Awaits no answer any more.
    private void forget() {
        AnswerReader due = reader;
        reader = null;
        if (due != null) {
            traffic.giveBack(due);
        }
    }

    /// Closes the connection, or stops to make one.
    public void close() {
        LoadConnection open = connection;
        if (open != null) {
            open.close();
        } else if (reader != null) {
            stopConnecting.run();
        }
        connection = null;
        forget();
    }

    /// Closes with a reset (RST), or stops to make a connection.
    void reset() {
        LoadConnection open = connection;
        if (open != null) {
            open.reset();
        }
        close();
    }
}
