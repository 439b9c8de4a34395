package dev.serval.bench.load;

import dev.serval.bench.client.AnswerReader;
import dev.serval.bench.client.Conversation;
import dev.serval.bench.client.LoadConnection;
import dev.serval.loop.Deadline;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One session of an [OpenLoad], which follows a [Script].
///
/// ```
///   IDLE ──begin──▶ ASKING ──all answers──▶ THINKING ──time over──▶ ASKING …
///                      ├── last answers ──▶ IDLE
///                      └── a wrong answer, lost, or patience over ──▶ IDLE
/// ```
final class Visit implements OpenLoad.Trip {
    /// The states of the diagram above.
    private enum State {
        IDLE,
        ASKING,
        THINKING
    }

    private final OpenLoad load;
    private final Script script;
    private final List<Lane> lanes = new ArrayList<>();
    private final Deadline deadline = new Deadline(this::due);
    private State state = State.IDLE;
    private @Nullable Fates fates;
    private @Nullable InetSocketAddress source;
    private String cookie = "";
    private long start;
    private long planned;
    private int burst;
    private int waiting;

    Visit(OpenLoad load, Script script) {
        this.load = load;
        this.script = script;
        for (int i = 0; i < script.connections(); i++) {
            lanes.add(new Lane());
        }
    }

    @Override
    public void begin(Fates into, long startNanos, long plannedAt) {
        fates = into;
        start = startNanos;
        planned = plannedAt;
        source = load.nextSource();
        cookie = "";
        burst = 0;
        ask();
    }

    /// Sends the requests of the next burst.
    private void ask() {
        List<Script.Ask> asks = script.bursts().get(burst).asks();
        state = State.ASKING;
        waiting = asks.size();
        load.engine().timers().set(deadline, System.nanoTime() + load.terms().patienceNanos());
        for (int i = 0; i < asks.size() && state == State.ASKING; i++) {
            lanes.get(i).ask(asks.get(i));
        }
    }

    /// Counts a right answer.
    private void answered() {
        waiting--;
        if (waiting > 0) {
            return;
        }
        long think = script.bursts().get(burst).thinkNanos();
        burst++;
        if (burst == script.bursts().size()) {
            end(Fate.RIGHT);
        } else if (think == 0) {
            ask();
        } else {
            state = State.THINKING;
            load.engine().timers().set(deadline, System.nanoTime() + think);
        }
    }

    private void due() {
        if (state == State.THINKING) {
            ask();
        } else {
            end(Fate.TIMEOUT);
        }
    }

    private void end(Fate fate) {
        state = State.IDLE;
        load.engine().timers().cancel(deadline);
        lanes.forEach(Lane::close);
        long took = System.nanoTime() - start - planned;
        Objects.requireNonNull(fates).ended(fate, planned, script.waitedNanos(took));
        load.landed(this);
    }

    /// A connection of the client, which is made when it is needed.
    private final class Lane implements Conversation {
        private final AnswerReader reader = AnswerReader.keeping();
        private @Nullable LoadConnection connection; // null while there is none
        private Script.@Nullable Ask asked; // null while no answer is due
        private Runnable stopConnecting = () -> {};

        void ask(Script.Ask next) {
            asked = next;
            reader.reset();
            LoadConnection open = connection;
            if (open == null) {
                InetSocketAddress from = Objects.requireNonNull(source);
                stopConnecting = load.engine().connect(from, load.server(), this);
                return;
            }
            try {
                send(open, next);
            } catch (IOException e) {
                end(Fate.RESET);
            }
        }

        private void send(LoadConnection open, Script.Ask ask) throws IOException {
            String head =
                    "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s\r\n"
                            .formatted(
                                    ask.path(),
                                    load.server().getPort(),
                                    cookie.isEmpty() ? "" : "Cookie: " + cookie + "\r\n");
            open.send(ByteBuffer.wrap(head.getBytes(StandardCharsets.ISO_8859_1)));
        }

        @Override
        public void connected(LoadConnection made) throws IOException {
            connection = made;
            send(made, Objects.requireNonNull(asked));
        }

        @Override
        public void received(ByteBuffer in) {
            Script.Ask ask = asked;
            try {
                if (ask == null) {
                    throw new ProtocolException("bytes after the answer");
                }
                if (!reader.take(in)) {
                    return;
                }
            } catch (ProtocolException e) {
                end(Fate.WRONG);
                return;
            }
            boolean right = reader.hasContent(ask.content(), 0, ask.content().length);
            Fate fate = Fate.of(reader.status(), right);
            if (fate != Fate.RIGHT) {
                end(fate);
                return;
            }
            cookie = cookie.isEmpty() ? reader.cookie() : cookie;
            asked = null;
            if (reader.closes()) {
                close();
            }
            answered();
        }

        @Override
        public void ended(@Nullable IOException cause) {
            boolean unmade = connection == null;
            connection = null;
            if (asked != null) {
                asked = null;
                end(unmade ? Flight.unconnected(cause) : Fate.RESET);
            }
        }

        void close() {
            LoadConnection open = connection;
            if (open != null) {
                open.close();
            } else if (asked != null) {
                stopConnecting.run();
            }
            connection = null;
            asked = null;
        }
    }
}
