package dev.serval.bench.load;

import dev.serval.bench.client.AnswerReader;
import dev.serval.bench.client.Thoughts;
import dev.serval.loop.Deadline;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One arrival of an [OpenLoad]: a session that follows its [Script], or a single request. Used again
/// for later arrivals, with the connection that a single request has left open if the load keeps
/// connections. Owned by the load's thread.
///
/// ```
///   IDLE ──begin──▶ ASKING ──all answers──▶ THINKING ──time over──▶ ASKING …
///                      ├── answer to a single request ──▶ LEAVING ──server closes──▶ IDLE
///                      ├── the same, and the connection is kept ──▶ IDLE
///                      ├── last answers of a session ──▶ IDLE
///                      └── a wrong answer, lost, or patience over ──▶ IDLE
/// ```
final class Visit implements Lane.User<Script.Ask>, Thoughts.Thinker {
    /// How long a server may take to close the connection after its answer, as it was asked to.
    private static final long LEAVE_NANOS = 1_000_000_000;

    /// The states of the diagram above.
    private enum State {
        IDLE,
        ASKING,
        THINKING,
        LEAVING
    }

    private final OpenLoad load;
    private final List<Script.Burst> bursts;
    private final long thinkNanos;
    private final List<Lane<Script.Ask>> lanes = new ArrayList<>();
    private final Deadline deadline = new Deadline(this::due);
    private State state = State.IDLE;
    private @Nullable Fates fates;
    private @Nullable InetSocketAddress source;
    private String cookie = "";
    private long start;
    private long planned;
    private long dueNanos; // the end of the present thought
    private int burst;
    private int waiting;

    Visit(OpenLoad load, Script script) {
        this.load = load;
        this.bursts = script.bursts();
        this.thinkNanos = -script.waitedNanos(0);
        for (int i = 0; i < script.connections(); i++) {
            lanes.add(new Lane<>(load.traffic(), this, false));
        }
    }

    /// Begins. The visit notes its end, and then returns to the load.
    ///
    /// @param plannedAt its instant, in nanoseconds after the start
    void begin(Fates into, long startNanos, long plannedAt) {
        fates = into;
        start = startNanos;
        planned = plannedAt;
        source = load.traffic().nextSource();
        cookie = "";
        burst = 0;
        ask(start + planned);
    }

    /// Sends the requests of the next burst, which were due at an instant.
    private void ask(long atNanos) {
        List<Script.Ask> asks = bursts.get(burst).asks();
        state = State.ASKING;
        waiting = asks.size();
        setDeadline(atNanos + load.terms().patienceNanos());
        for (int i = 0; i < asks.size() && state == State.ASKING; i++) {
            lanes.get(i).ask(asks.get(i));
        }
    }

    private void setDeadline(long atNanos) {
        load.engine().timers().set(deadline, atNanos);
    }

    @Override
    public @Nullable InetSocketAddress source() {
        return source;
    }

    @Override
    public ByteBuffer bytes(Script.Ask ask) {
        return load.request(ask, cookie);
    }

    @Override
    public void answered(Lane<Script.Ask> lane, Script.Ask ask, AnswerReader answer) {
        Fate fate = Fate.of(answer.status(), load.isRight(ask, answer));
        waiting--;
        if (!load.isOfSessions()) {
            answered(fate, load.keeps() && !answer.closes());
        } else if (fate != Fate.RIGHT) {
            end(fate);
        } else {
            cookie = cookie.isEmpty() ? answer.cookie() : cookie;
            if (answer.closes()) {
                lane.close();
            }
            if (waiting == 0) {
                next();
            }
        }
    }

    /// Notes the answer to a single request. If the connection is not kept, it waits for the server's
    /// close, so that no port waits for late packets at the client.
    private void answered(Fate fate, boolean kept) {
        note(fate);
        if (kept) {
            land();
        } else {
            state = State.LEAVING;
            setDeadline(System.nanoTime() + LEAVE_NANOS);
        }
    }

    private void next() {
        long think = bursts.get(burst).thinkNanos();
        burst++;
        if (burst == bursts.size()) {
            end(Fate.RIGHT);
        } else if (think == 0) {
            ask(System.nanoTime());
        } else {
            state = State.THINKING;
            dueNanos = System.nanoTime() + think;
            load.engine().timers().cancel(deadline);
            load.thoughts().add(this);
        }
    }

    @Override
    public long dueNanos() {
        return dueNanos;
    }

    @Override
    public void thought() {
        ask(dueNanos);
    }

    @Override
    public void failed(Lane<Script.Ask> lane, Fate fate, String why) {
        if (state == State.IDLE || state == State.LEAVING) {
            return; // the rest of a refusal whose length is not known
        }
        if (fate == Fate.WRONG && !load.isOfSessions()) {
            answered(fate, false);
        } else {
            end(fate);
        }
    }

    @Override
    public void closed(String why) {
        if (state == State.LEAVING) {
            land();
        }
    }

    private void due() {
        switch (state) {
            case ASKING -> end(Fate.TIMEOUT);
            case LEAVING -> {
                lanes.forEach(Lane::reset);
                land();
            }
            case IDLE, THINKING ->
                    throw new IllegalStateException("no answer is due, and no end of a connection");
        }
    }

    private void end(Fate fate) {
        if (state == State.THINKING) {
            load.thoughts().remove(this);
        }
        note(fate);
        lanes.forEach(load.isOfSessions() ? Lane::close : Lane::reset);
        land();
    }

    private void note(Fate fate) {
        Fates into = fates;
        if (into != null) {
            into.ended(fate, planned, System.nanoTime() - start - planned - thinkNanos);
        }
    }

    private void land() {
        state = State.IDLE;
        load.engine().timers().cancel(deadline);
        load.landed(this);
    }
}
