package dev.serval.bench.slow;

import dev.serval.bench.client.ResponseReader;
import dev.serval.bench.peer.BenchFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/// A closed system of users. Each has a connection, thinks, sends a request, waits for the answer,
/// and thinks again. The think times are exponential, from a fixed seed for each user, so every
/// server gets the same users. One thread runs all users without blocking.
///
/// A latency begins when the request is written, because a user has no other request that could
/// delay it.
public final class ThinkLoad implements AutoCloseable {
    private static final int READ_BYTES = 256 << 10;
    private static final int CONNECT_MILLIS = 10_000;

    private final List<User> users = new ArrayList<>();
    private final Selector selector = Selector.open();
    private final ByteBuffer in = ByteBuffer.allocateDirect(READ_BYTES);
    private final byte[] request;
    private final PriorityQueue<User> thinking =
            new PriorityQueue<>(Comparator.comparingLong((User user) -> user.due));
    private Log log = new Log(0);
    private long start;
    private double thinkNanos;
    private int waiting;

    private ThinkLoad(byte[] request) throws IOException {
        this.request = request;
    }

    /// The requests of a run, in the order in which they were sent.
    ///
    /// @param sentNanos instants after the start
    /// @param latencyNanos of each; of an unanswered request the time that it has waited
    /// @param unanswered number of requests without an answer
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

    /// The target of the users.
    ///
    /// @param port of the server, on the loopback address
    /// @param path in the request line
    /// @param answerBytes length of the right answer
    /// @param greeting path that each user requests once, right after connecting
    /// @param greetingBytes length of its answer
    public record Page(int port, String path, int answerBytes, String greeting, int greetingBytes) {
        private byte[] request(String target) {
            return ("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII);
        }
    }

    /// Opens a connection for each user, and sends its greeting. A server may close a new connection
    /// that sends nothing for some seconds, and a used one much later.
    ///
    /// @param seed of the think times
    public static ThinkLoad open(Page page, int users, long seed) throws IOException {
        ThinkLoad load = new ThinkLoad(page.request(page.path()));
        try {
            SplittableRandom seeds = new SplittableRandom(seed);
            for (int i = 0; i < users; i++) {
                User user = new User(load, page.answerBytes(), seeds.split());
                load.users.add(user);
                user.greet(page);
            }
            return load;
        } catch (IOException | BenchFailure e) {
            load.close();
            throw e;
        }
    }

    /// Runs all users for a time, then waits for the last answers.
    ///
    /// @param thinkSeconds mean think time
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
            selector.select(ThinkLoad::ready, pauseMillis(now, nanos));
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

    private static void ready(SelectionKey key) {
        User user = (User) key.attachment();
        try {
            user.receive();
        } catch (IOException e) {
            throw new BenchFailure("a connection of a slow request broke: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() throws IOException {
        for (User user : users) {
            user.channel.close();
        }
        selector.close();
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
    private static final class User {
        private final ThinkLoad load;
        private final SocketChannel channel = SocketChannel.open();
        private final ResponseReader reader;
        private final SplittableRandom random;

        /// The instant after the start of the load at which this user sends.
        private long due;

        /// The request that this user waits for, as an index of the log.
        private int asked;

        User(ThinkLoad load, int answerBytes, SplittableRandom random) throws IOException {
            this.load = load;
            this.reader = new ResponseReader(answerBytes);
            this.random = random;
        }

        void greet(Page page) throws IOException {
            channel.socket()
                    .connect(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), page.port()),
                            CONNECT_MILLIS);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.write(ByteBuffer.wrap(page.request(page.greeting())));
            ResponseReader greeted = new ResponseReader(page.greetingBytes());
            int complete = 0;
            while (complete == 0) {
                int read = channel.read(load.in.clear());
                complete = greeted.read(load.in.flip());
                if (read < 0 || greeted.broken()) {
                    throw new BenchFailure("a greeting got a wrong answer");
                }
            }
            channel.configureBlocking(false);
            channel.register(load.selector, SelectionKey.OP_READ, this);
        }

        void think(long now) {
            due = now + Math.round(load.thinkNanos * random.nextExponential());
            load.thinking.add(this);
        }

        void send(long now) throws IOException {
            asked = load.log.sent(now);
            load.waiting++;
            if (channel.write(ByteBuffer.wrap(load.request)) != load.request.length) {
                throw new IOException("the socket does not take a whole request");
            }
        }

        void receive() throws IOException {
            ByteBuffer in = load.in.clear();
            int read = channel.read(in);
            int complete = reader.read(in.flip());
            if (read < 0) {
                throw new BenchFailure("the server closed the connection of a slow request");
            }
            if (reader.broken() || complete > 1) {
                throw new BenchFailure("a slow request got a wrong answer: " + reader.lastHead());
            }
            if (complete == 1) {
                long now = System.nanoTime() - load.start;
                load.log.answered(asked, now);
                load.waiting--;
                think(now);
            }
        }
    }
}
