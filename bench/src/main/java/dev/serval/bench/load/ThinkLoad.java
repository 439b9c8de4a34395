package dev.serval.bench.load;

import dev.serval.bench.client.AnswerReader;
import dev.serval.bench.client.Thoughts;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.scenario.Cell;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

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
    private final Traffic traffic;
    private final Client.Target target;
    private final ByteBuffer request;
    private final Thoughts thoughts = new Thoughts();
    private Log log = new Log(0);
    private long start;
    private long turnNanos; // the beginning of the turn, after the start
    private double thinkNanos;
    private int waiting;

    private ThinkLoad(Client.Target target) {
        this.traffic = new Traffic(target.address(), 0, AnswerReader::dropping);
        this.target = target;
        this.request = request(target);
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
                load.users.add(new User(load, seeds.split(), greeting));
                load.users.getLast().greet();
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
    public Outcome run(double thinkSeconds, long nanos, long patienceNanos) {
        log = new Log(users.size());
        thinkNanos = thinkSeconds * 1e9;
        start = System.nanoTime();
        users.forEach(user -> user.think(0));
        long now = 0;
        while (now < nanos || (waiting > 0 && now < nanos + patienceNanos)) {
            if (now < nanos) {
                turnNanos = now;
                thoughts.act(start + now);
            }
            traffic.engine().turn(pauseMillis(now, nanos));
            now = System.nanoTime() - start;
        }
        thoughts.clear();
        return log.outcome(now);
    }

    /// Returns how long to wait for an answer, which is until the next user has thought.
    private long pauseMillis(long now, long end) {
        return Math.clamp(thoughts.pauseNanos(start + now, end - now) / 1_000_000, 1, 100);
    }

    @Override
    public void close() {
        traffic.close();
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

    /// One user with its only connection.
    private static final class User implements Lane.User<ByteBuffer>, Thoughts.Thinker {
        private final ThinkLoad load;
        private final SplittableRandom random;
        private final Lane<ByteBuffer> lane;
        private Client.Target awaited;
        private boolean greeted;

        private long dueNanos; // the end of the present thought

        /// The request that this user waits for, as an index of the log.
        private int asked;

        User(ThinkLoad load, SplittableRandom random, Client.Target greeting) {
            this.load = load;
            this.random = random;
            this.awaited = greeting;
            this.lane = new Lane<>(load.traffic, this, false);
        }

        /// Connects, greets the server and waits for its answer.
        void greet() {
            long giveUp = System.nanoTime() + GREETING_NANOS;
            lane.ask(request(awaited));
            while (!greeted) {
                load.traffic.engine().turn(TURN_MILLIS);
                BenchFailure.require(
                        System.nanoTime() - giveUp <= 0, "a greeting got no answer in 10 s");
            }
            awaited = load.target;
        }

        void think(long now) {
            dueNanos = load.start + now + Math.round(load.thinkNanos * random.nextExponential());
            load.thoughts.add(this);
        }

        @Override
        public long dueNanos() {
            return dueNanos;
        }

        @Override
        public void thought() {
            asked = load.log.sent(load.turnNanos);
            load.waiting++;
            lane.ask(load.request);
        }

        @Override
        public ByteBuffer bytes(ByteBuffer request) {
            return request.duplicate();
        }

        @Override
        public void answered(Lane<ByteBuffer> on, ByteBuffer request, AnswerReader answer) {
            if (answer.status() != 200 || answer.length() != awaited.page().length()) {
                String head = "status " + answer.status() + ", " + answer.length() + " bytes";
                failed(on, Fate.WRONG, head);
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
        public void failed(Lane<ByteBuffer> on, Fate fate, String why) {
            String what = greeted ? "a slow request" : "a greeting";
            throw new BenchFailure(
                    why.isEmpty()
                            ? "the server closed the connection of " + what
                            : what + " got a wrong answer: " + why);
        }

        @Override
        public void closed(String why) {
            failed(lane, Fate.RESET, why);
        }
    }
}
