package dev.serval.bench.lrwp;

import dev.serval.bench.client.AnswerReader;
import dev.serval.bench.client.Conversation;
import dev.serval.bench.client.LoadConnection;
import dev.serval.bench.client.LoadEngine;
import dev.serval.bench.peer.BenchFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// A closed load: each connection sends its next request when it has the last answer. One thread
/// serves all connections, because it costs less than a thread for each: on few CPUs, the client's
/// work would slow the peer.
final class PostLoad implements AutoCloseable {
    private static final long MICROS_MAX = 60_000_000;
    private static final long PATIENCE_NANOS = 20_000_000_000L;
    private static final long SELECT_MILLIS = 100;
    private static final int REQUEST_MAX_BYTES = 64 << 10;

    private final LoadEngine engine = new LoadEngine();
    private final Histogram micros = new Histogram(MICROS_MAX, 3);
    private final List<Connection> connections = new ArrayList<>();
    private long end;
    private int opened;
    private int waiting;

    private PostLoad() {}

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
        try (PostLoad load = new PostLoad()) {
            for (Sender sender : senders) {
                load.connections.add(new Connection(load, port, sender));
            }
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
        engine.turn(SELECT_MILLIS);
        if (System.nanoTime() - end > PATIENCE_NANOS) {
            throw new BenchFailure(complaint + " after 20 s");
        }
    }

    @Override
    public void close() {
        engine.close();
    }

    /// One connection.
    private static final class Connection implements Conversation {
        private static final int FAULT_CHARS = 200;

        private final PostLoad load;
        private final List<Turn> turns;
        private final AnswerReader reader = AnswerReader.keeping();
        private final ByteBuffer out = ByteBuffer.allocateDirect(REQUEST_MAX_BYTES);
        private @Nullable LoadConnection connection; // null while it connects
        private int turn = -1;
        private long sentAt;
        private long right;
        private long wrong;
        private String fault = "";

        Connection(PostLoad load, int port, Sender sender) {
            this.load = load;
            this.turns = sender.turns;
            SocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            load.engine.connect(server, this);
        }

        @Override
        public void connected(LoadConnection made) {
            connection = made;
            load.opened++;
        }

        void send(long now) throws IOException {
            turn = (turn + 1) % turns.size();
            byte[] request = turns.get(turn).requests.next();
            sentAt = now;
            load.waiting++;
            Objects.requireNonNull(connection).send(out.clear().put(request).flip());
        }

        @Override
        public void received(ByteBuffer in) throws IOException {
            if (!reader.take(in)) {
                return;
            }
            long now = System.nanoTime();
            load.waiting--;
            load.micros.recordValue(Math.min(MICROS_MAX, (now - sentAt) / 1000));
            judge();
            BenchFailure.require(!in.hasRemaining(), "bytes after an answer to no request");
            if (now - load.end < 0) {
                send(now);
            }
        }

        @Override
        public void ended(@Nullable IOException cause) {
            throw new BenchFailure(
                    cause == null
                            ? "the server closed a connection in use"
                            : "a connection failed: " + cause.getMessage(),
                    cause);
        }

        private void judge() {
            Turn asked = turns.get(turn);
            if (reader.status() == 200 && asked.rule.isRight(asked.requests, reader)) {
                right++;
                return;
            }
            wrong++;
            if (fault.isEmpty()) {
                String content =
                        new String(
                                reader.content(),
                                0,
                                Math.min(FAULT_CHARS, reader.length()),
                                StandardCharsets.ISO_8859_1);
                fault = "status " + reader.status() + ", content: " + content;
            }
        }
    }
}
