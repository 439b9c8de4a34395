package dev.serval.bench.load;

import dev.serval.bench.client.AnswerReader;
import dev.serval.bench.client.Conversation;
import dev.serval.bench.client.LoadConnection;
import dev.serval.bench.client.LoadEngine;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.scenario.Cell;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// A closed system of users. Each has a connection, thinks, sends a request, waits for the answer,
/// and thinks again. The think times are exponential, from a fixed seed for each user, so every
/// server gets the same users. One thread runs all users without blocking.
///
/// A latency begins when the request is written, because a user has no other request that could
/// delay it.
public final class ThinkLoad implements AutoCloseable {
    private static final long GREETING_NANOS = 10_000_000_000L;
    private static final long TURN_MILLIS = 10;

    private final List<User> users = new ArrayList<>();
    private final LoadEngine engine = new LoadEngine();
    private final ByteBuffer request;
    private final int answerBytes;
    private final PriorityQueue<User> thinking =
            new PriorityQueue<>(Comparator.comparingLong((User user) -> user.due));
    private Log log = new Log(0);
    private long start;
    private double thinkNanos;
    private int waiting;

    private ThinkLoad(Client.Target target) {
        this.request = request(target);
        this.answerBytes = target.page().length();
    }

    private static ByteBuffer request(Client.Target target) {
        return RequestText.direct(RequestText.request(target, Cell.HeadKind.SHORT, "", false));
    }

    /// The requests of a run, in the order in which they were sent.
    ///
    /// @param sentNanos instants after the start
    /// @param latencyNanos of each; of an unanswered request the time that it has waited
    public record Outcome(long[] sentNanos, long[] latencyNanos, int unanswered) {
        /// Returns how many requests were answered before this instant.
        public int answeredBy(long nanos) {
            int count = 0;
            for (int i = 0; i < sentNanos.length; i++) {
                count += sentNanos[i] + latencyNanos[i] <= nanos ? 1 : 0;
            }
            return count;
        }
    }

    /// Opens a connection for each user, and sends its greeting. A server may close a new connection
    /// that sends nothing for some seconds, and a used one much later.
    ///
    /// @param greeting what each user requests once, right after connecting
    /// @throws BenchFailure if the answer to a greeting is wrong or missing
    public static ThinkLoad open(
            Client.Target target, Client.Target greeting, int users, long seed) {
        ThinkLoad load = new ThinkLoad(target);
        try {
            SplittableRandom seeds = new SplittableRandom(seed);
            for (int i = 0; i < users; i++) {
                User user = new User(load, greeting, seeds.split());
                load.users.add(user);
                user.greet(greeting);
            }
            return load;
        } catch (BenchFailure e) {
            load.close();
            throw e;
        }
    }

    /// Runs all users for a time, then waits for the last answers.
    ///
    /// @param nanos time in which requests are sent
    /// @param patienceNanos longest wait for answers after it
    /// @throws BenchFailure if an answer is wrong
    public Outcome run(double thinkSeconds, long nanos, long patienceNanos) throws IOException {
        log = new Log(users.size());
        thinkNanos = thinkSeconds * 1e9;
        start = System.nanoTime();
        users.forEach(user -> user.think(0));
        long now = 0;
        while (now < nanos || (waiting > 0 && now < nanos + patienceNanos)) {
            while (now < nanos && !thinking.isEmpty() && thinking.element().due <= now) {
                thinking.remove().send(now);
            }
            engine.turn(pauseMillis(now, nanos));
            now = System.nanoTime() - start;
        }
        thinking.clear();
        return log.outcome(now);
    }

    /// Returns how long to wait for an answer, which is until the next user has thought.
    private long pauseMillis(long now, long end) {
        long next = thinking.isEmpty() ? end : Math.min(end, thinking.element().due);
        return Math.clamp((next - now) / 1_000_000, 1, 100);
    }

    @Override
    public void close() {
        engine.close();
    }

    /// The requests of a run.
    private static final class Log {
        private long[] sent;
        private long[] latency;
        private int size;

        Log(int room) {
            sent = new long[room];
            latency = new long[room];
        }

        int sent(long at) {
            if (size == sent.length) {
                sent = Arrays.copyOf(sent, 2 * size + 1);
                latency = Arrays.copyOf(latency, 2 * size + 1);
            }
            sent[size] = at;
            latency[size] = -1;
            return size++;
        }

        void answered(int index, long at) {
            latency[index] = at - sent[index];
        }

        Outcome outcome(long now) {
            int unanswered = 0;
            for (int i = 0; i < size; i++) {
                if (latency[i] < 0) {
                    unanswered++;
                    latency[i] = now - sent[i];
                }
            }
            return new Outcome(Arrays.copyOf(sent, size), Arrays.copyOf(latency, size), unanswered);
        }
    }

    /// One connection.
    private static final class User implements Conversation {
        private final ThinkLoad load;
        private final ByteBuffer greeting;
        private final SplittableRandom random;
        private AnswerReader reader;
        private boolean greeted;
        private @Nullable LoadConnection connection; // null while it connects

        /// The instant after the start of the load at which this user sends.
        private long due;

        /// The request that this user waits for, as an index of the log.
        private int asked;

        User(ThinkLoad load, Client.Target greeting, SplittableRandom random) {
            this.load = load;
            this.greeting = request(greeting);
            this.reader = AnswerReader.expecting(greeting.page().length());
            this.random = random;
        }

        /// Connects, greets the server and waits for its answer.
        void greet(Client.Target server) {
            long giveUp = System.nanoTime() + GREETING_NANOS;
            load.engine.connect(server.address(), this);
            while (!greeted) {
                load.engine.turn(TURN_MILLIS);
                if (System.nanoTime() - giveUp > 0) {
                    throw new BenchFailure("a greeting got no answer in 10 s");
                }
            }
            reader = AnswerReader.expecting(load.answerBytes);
        }

        @Override
        public void connected(LoadConnection made) throws IOException {
            connection = made;
            made.send(greeting);
        }

        void think(long now) {
            due = now + Math.round(load.thinkNanos * random.nextExponential());
            load.thinking.add(this);
        }

        void send(long now) throws IOException {
            asked = load.log.sent(now);
            load.waiting++;
            Objects.requireNonNull(connection).send(load.request.duplicate());
        }

        @Override
        public void received(ByteBuffer in) throws IOException {
            if (!reader.take(in)) {
                return;
            }
            if (in.hasRemaining()) {
                throw new ProtocolException("bytes after the answer");
            }
            if (!greeted) {
                greeted = true;
                return;
            }
            long now = System.nanoTime() - load.start;
            load.log.answered(asked, now);
            load.waiting--;
            think(now);
        }

        @Override
        public void ended(@Nullable IOException cause) {
            String what = greeted ? "a slow request" : "a greeting";
            throw new BenchFailure(
                    cause == null
                            ? "the server closed the connection of " + what
                            : what + " got a wrong answer: " + cause.getMessage(),
                    cause);
        }
    }
}
