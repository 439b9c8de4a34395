package dev.serval.bench.load;

import dev.serval.bench.client.AnswerReader;
import dev.serval.bench.client.Conversation;
import dev.serval.bench.client.LoadConnection;
import dev.serval.bench.client.LoadEngine;
import dev.serval.bench.scenario.Cell;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes loads that wrk cannot make: an exact number of requests per connection, and pipelining. It
/// runs in the caller's thread without blocking, and checks status and length of every answer.
public final class OwnClient implements Client {
    /// The errors after which a round ends, because the cell has failed anyway.
    private static final int ERRORS_MAX = 100;

    private static final long SELECT_MILLIS = 100;
    private static final long SECOND_NANOS = 1_000_000_000;

    /// The result of a load, and its course.
    ///
    /// @param perSecond answers in each whole second
    public record Course(Tally tally, List<Long> perSecond) {}

    @Override
    public Tally run(Target target, Cell.Load load, int seconds) throws IOException {
        return course(target, load, seconds).tally();
    }

    /// Sends requests to the target for this time, and counts the answers of each second.
    public Course course(Target target, Cell.Load load, int seconds) throws IOException {
        try (LoadEngine engine = new LoadEngine()) {
            return new Load(engine, target, load).go(load.connections(), seconds * SECOND_NANOS);
        }
    }

    /// What a connection sends and expects.
    ///
    /// @param length of each answer
    private record Talk(int length, ByteBuffer batch, ByteBuffer lastBatch) {}

    /// One round.
    private static final class Load {
        private final LoadEngine engine;
        private final InetSocketAddress address;
        private final int pipeline;
        private final int connectionBatches;
        private final List<Talk> talks = new ArrayList<>();
        private long requests;
        private long bytes;
        private long errors;

        Load(LoadEngine engine, Target target, Cell.Load load) throws IOException {
            this.engine = engine;
            address = target.address();
            pipeline = load.pipeline();
            connectionBatches = load.requestsPerConnection() / pipeline;
            boolean session = target.request() != null && target.request().session();
            String cookie = session ? Browser.sessions(target, 1).getFirst() : "";
            for (int i = 0; i < target.pages().size(); i++) {
                Target one = target.of(i);
                talks.add(
                        new Talk(
                                one.page().length(),
                                RequestText.batch(one, load, cookie, false),
                                RequestText.batch(one, load, cookie, true)));
            }
        }

        Course go(int connections, long nanos) {
            List<Long> perSecond = new ArrayList<>();
            long counted = 0;
            long start = System.nanoTime();
            for (int i = 0; i < connections; i++) {
                new Batches(this, talks.get(i % talks.size())).open();
            }
            long end = start;
            while (end - start < nanos && errors < ERRORS_MAX) {
                engine.turn(SELECT_MILLIS);
                end = System.nanoTime();
                if (end - start >= (perSecond.size() + 1) * SECOND_NANOS) {
                    perSecond.add(requests - counted);
                    counted = requests;
                }
            }
            return new Course(
                    new Tally(requests, bytes, errors, end - start, Double.NaN), perSecond);
        }
    }

    /// One connection after another. It sends a batch, awaits its answers and sends the next batch.
    /// After its last batch it awaits the server's close, as the request demanded.
    private static final class Batches implements Conversation {
        private final Load load;
        private final Talk talk;
        private final AnswerReader reader;
        private @Nullable LoadConnection connection; // null while it connects
        private int awaited;
        private int batchesLeft;

        Batches(Load load, Talk talk) {
            this.load = load;
            this.talk = talk;
            this.reader = AnswerReader.expecting(talk.length());
        }

        /// Connects, and then sends the first batch.
        void open() {
            reader.reset();
            batchesLeft = load.connectionBatches;
            connection = null;
            load.engine.connect(load.address, this);
        }

        @Override
        public void connected(LoadConnection opened) throws IOException {
            connection = opened;
            sendNext(opened);
        }

        @Override
        public void received(ByteBuffer in) throws IOException {
            while (reader.take(in)) {
                load.requests++;
                load.bytes += talk.length();
                awaited--;
            }
            LoadConnection open = connection;
            if (awaited < 0 && open != null) {
                load.errors++;
                open.close();
                open();
            } else if (awaited == 0 && !lastSent() && open != null) {
                sendNext(open);
            }
        }

        private boolean lastSent() {
            return load.connectionBatches > 0 && batchesLeft == 0;
        }

        private void sendNext(LoadConnection open) throws IOException {
            boolean last = load.connectionBatches > 0 && --batchesLeft == 0;
            awaited = load.pipeline;
            open.send((last ? talk.lastBatch() : talk.batch()).duplicate());
        }

        /// Continues with a new connection. If the server refuses that, it ends only this
        /// conversation and counts as one error.
        @Override
        public void ended(@Nullable IOException cause) {
            boolean meant = cause == null && awaited == 0 && lastSent();
            load.errors += meant ? 0 : 1;
            if (connection != null) {
                open();
            }
        }
    }
}
