package dev.serval.bench.lrwp;

import dev.serval.bench.client.AnswerReader;
import dev.serval.bench.load.Fate;
import dev.serval.bench.load.Lane;
import dev.serval.bench.load.Traffic;
import dev.serval.bench.peer.BenchFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/// A closed load: each connection sends its next request when it has the last answer. One thread
/// serves all connections, because it costs less than a thread for each: on few CPUs, the client's
/// work would slow the peer.
final class PostLoad implements AutoCloseable {
    private static final long MICROS_MAX = 60_000_000;
    private static final long PATIENCE_NANOS = 20_000_000_000L;
    private static final long SELECT_MILLIS = 100;
    private static final int REQUEST_MAX_BYTES = 64 << 10;

    private final Traffic traffic;
    private final Histogram micros = new Histogram(MICROS_MAX, 3);
    private final List<Connection> connections = new ArrayList<>();
    private long end;
    private int opened;
    private int waiting;

    private PostLoad(int port) {
        InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.traffic = new Traffic(server, 0, AnswerReader::keeping);
    }

    /// Requests of one kind and the rule of their answers.
    record Turn(PostStream requests, AnswerRule rule) {}

    /// What one connection sends: one request of each turn, and then from the first again.
    record Sender(List<Turn> turns) {
        /// Returns a sender of one kind of request.
        static Sender of(PostStream requests, AnswerRule rule) {
            return new Sender(List.of(new Turn(requests, rule)));
        }
    }

    /// What came of a load.
    ///
    /// @param wrong answers with another status or content
    /// @param fault the first of them, or empty
    record Outcome(long answers, long wrong, String fault, long nanos, Histogram micros) {
        double seconds() {
            return nanos / 1e9;
        }

        double perSecond() {
            return answers() / seconds();
        }

        /// Returns the 99th percentile of latency, or NaN if no latency is known.
        double p99Millis() {
            return micros.getTotalCount() == 0 ? Double.NaN : micros.getValueAtPercentile(99) / 1e3;
        }
    }

    /// Runs a load until all its answers are there.
    ///
    /// @throws BenchFailure if a connection fails, or an answer takes 20 s more
    static Outcome run(int port, List<Sender> senders, double seconds) throws IOException {
        try (PostLoad load = new PostLoad(port)) {
            senders.forEach(sender -> load.connections.add(new Connection(load, sender)));
            return load.run(Math.round(seconds * 1e9));
        }
    }

    private Outcome run(long nanos) throws IOException {
        end = System.nanoTime();
        while (opened < connections.size()) {
            turn("the server accepts no connection");
        }
        long start = System.nanoTime();
        end = start + nanos;
        for (Connection connection : connections) {
            connection.send(System.nanoTime());
        }
        while (waiting > 0) {
            turn("requests have no answer");
        }
        long took = System.nanoTime() - start;
        long right = 0;
        long wrong = 0;
        String fault = "";
        for (Connection connection : connections) {
            right += connection.right;
            wrong += connection.wrong;
            fault = fault.isEmpty() ? connection.fault : fault;
        }
        return new Outcome(right, wrong, fault, took, micros);
    }

    private void turn(String complaint) {
        traffic.engine().turn(SELECT_MILLIS);
        BenchFailure.require(System.nanoTime() - end <= PATIENCE_NANOS, complaint + " after 20 s");
    }

    @Override
    public void close() {
        traffic.close();
    }

    /// One connection.
    private static final class Connection implements Lane.User<Turn> {
        private static final int FAULT_CHARS = 200;

        private final PostLoad load;
        private final List<Turn> turns;
        private final Lane<Turn> lane;
        private final ByteBuffer out = ByteBuffer.allocateDirect(REQUEST_MAX_BYTES);
        private int turn = -1;
        private long sentAt;
        private long right;
        private long wrong;
        private String fault = "";

        Connection(PostLoad load, Sender sender) {
            this.load = load;
            this.turns = sender.turns;
            this.lane = new Lane<>(load.traffic, this, false);
            lane.open();
        }

        @Override
        public void opened() {
            load.opened++;
        }

        void send(long now) {
            turn = (turn + 1) % turns.size();
            sentAt = now;
            load.waiting++;
            lane.ask(turns.get(turn));
        }

        @Override
        public ByteBuffer bytes(Turn asked) {
            return out.clear().put(asked.requests.next()).flip();
        }

        @Override
        public void answered(Lane<Turn> on, Turn asked, AnswerReader answer) {
            long now = System.nanoTime();
            load.waiting--;
            load.micros.recordValue(Math.min(MICROS_MAX, (now - sentAt) / 1000));
            judge(asked, answer);
            if (now - load.end < 0) {
                send(now);
            }
        }

        @Override
        public void failed(Lane<Turn> on, Fate fate, String why) {
            throw new BenchFailure(
                    why.isEmpty()
                            ? "the server closed a connection in use"
                            : "a connection failed: " + why);
        }

        @Override
        public void closed(String why) {
            failed(lane, Fate.RESET, why);
        }

        private void judge(Turn asked, AnswerReader answer) {
            if (answer.status() == 200 && asked.rule.isRight(asked.requests, answer)) {
                right++;
                return;
            }
            wrong++;
            if (fault.isEmpty()) {
                String content =
                        new String(
                                answer.content(),
                                0,
                                Math.min(FAULT_CHARS, answer.length()),
                                StandardCharsets.ISO_8859_1);
                fault = "status " + answer.status() + ", content: " + content;
            }
        }
    }
}
