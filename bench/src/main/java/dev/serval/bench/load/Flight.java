package dev.serval.bench.load;

import dev.serval.bench.client.AnswerReader;
import dev.serval.bench.client.Conversation;
import dev.serval.bench.client.LoadConnection;
import dev.serval.loop.Deadline;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// One request of an [OpenLoad] on a connection of its own. Used again for later requests, with a
/// connection that is left open if the load keeps connections. Owned by the load's thread.
///
/// ```
///   IDLE ──begin──▶ FLYING ──answer──▶ LEAVING ──server closes──▶ IDLE
///                     ├── answer, and the connection is kept ──▶ IDLE
///                     └── lost, or patience over ──────────────▶ IDLE
/// ```
final class Flight implements Conversation, OpenLoad.Trip {
    /// How long a server may take to close the connection after its answer, as it was asked to.
    private static final long LEAVE_NANOS = 1_000_000_000;

    /// The states of the diagram above.
    private enum State {
        IDLE,
        FLYING,
        LEAVING
    }

    private final OpenLoad load;
    private final AnswerReader reader = AnswerReader.dropping();
    private final Deadline patience = new Deadline(this::impatient);
    private State state = State.IDLE;
    private @Nullable Fates fates;
    private @Nullable LoadConnection connection;
    private Runnable stopConnecting = () -> {};
    private long start;
    private long planned;

    Flight(OpenLoad load) {
        this.load = load;
    }

    @Override
    public void begin(Fates into, long startNanos, long plannedAt) {
        state = State.FLYING;
        fates = into;
        start = startNanos;
        planned = plannedAt;
        long end = startNanos + plannedAt + load.terms().patienceNanos();
        load.engine().timers().set(patience, end);
        LoadConnection kept = connection;
        if (kept == null) {
            reader.reset();
            stopConnecting = load.engine().connect(load.nextSource(), load.server(), this);
            return;
        }
        try {
            kept.send(load.request());
        } catch (IOException e) {
            kept.close();
            ended(e);
        }
    }

    @Override
    public void connected(LoadConnection made) throws IOException {
        connection = made;
        made.send(load.request());
    }

    @Override
    public void received(ByteBuffer in) {
        if (state != State.FLYING) {
            return; // the rest of a refusal whose length is not known
        }
        try {
            if (reader.take(in)) {
                Fate fate = Fate.of(reader.status(), reader.length() == load.answerBytes());
                if (load.keeps() && !reader.closes()) {
                    note(fate);
                    land(connection);
                } else {
                    end(fate);
                }
            }
        } catch (ProtocolException e) {
            end(Fate.WRONG);
        }
    }

    /// Notes the answer. The connection waits for the server's close, so that no port waits for late
    /// packets at the client.
    private void end(Fate fate) {
        note(fate);
        state = State.LEAVING;
        load.engine().timers().set(patience, System.nanoTime() + LEAVE_NANOS);
    }

    private void note(Fate fate) {
        Fates into = fates;
        if (into != null) {
            into.ended(fate, planned, System.nanoTime() - start - planned);
        }
    }

    @Override
    public void ended(@Nullable IOException cause) {
        if (state == State.IDLE) {
            connection = null; // the server has closed a kept connection
            return;
        }
        if (state == State.FLYING) {
            note(connection == null ? unconnected(cause) : Fate.RESET);
        }
        land(null);
    }

    /// Returns whether the server or this machine did not make the connection.
    static Fate unconnected(@Nullable IOException cause) {
        String why =
                String.valueOf(cause == null ? "" : cause.getMessage()).toLowerCase(Locale.ROOT);
        boolean ours = why.contains("assign requested address") || why.contains("too many open");
        return ours ? Fate.NOT_SENT : Fate.REFUSED;
    }

    private void impatient() {
        if (state == State.FLYING) {
            note(Fate.TIMEOUT);
        }
        LoadConnection open = connection;
        if (open == null) {
            stopConnecting.run();
        } else {
            open.reset();
        }
        land(null);
    }

    /// @param kept the connection for the next request, or null for a new one
    private void land(@Nullable LoadConnection kept) {
        load.engine().timers().cancel(patience);
        state = State.IDLE;
        fates = null;
        connection = kept;
        load.landed(this);
    }
}
