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
import org.jspecify.annotations.Nullable;

/// Sends a number of equal requests on one connection without waiting for answers (RFC 9112 §9.3.2),
/// and checks status and length of each answer. It runs in the caller's thread. It reads while it
/// writes, so it cannot wait for a server that waits for it.
public final class PipelinedLoad implements Conversation {
    private static final int BATCH = 256;
    private static final long TURN_MILLIS = 100;
    private static final long NANOS_PER_MILLI = 1_000_000;

    /// A cookie of a browser is one of its longest fields.
    private static final String COOKIE =
            "visitor=159834215516.425376.312342; visits=1359602604.1359611604.283; seen=12352155;"
                    + " from=source.example/referral/images; basket=4253.1.10.1423; theme=dark";

    private final int requests;
    private final int requestBytes;
    private final ByteBuffer batch;
    private final AnswerReader reader;
    private @Nullable LoadConnection connection; // null until it is open
    private @Nullable String failure;
    private int unsent;
    private int answered;

    private PipelinedLoad(Client.Target target, int requests) {
        String request = RequestText.request(target, Cell.HeadKind.BROWSER, COOKIE, false);
        this.requests = requests;
        this.requestBytes = request.length();
        this.batch = RequestText.direct(request.repeat(BATCH));
        this.reader = AnswerReader.expecting(target.page().length());
        this.unsent = requests;
    }

    /// Sends the requests and waits for all answers.
    ///
    /// @param patienceMillis the longest time without an answer
    /// @return the nanoseconds from the connect to the end of the last answer
    /// @throws BenchFailure if an answer is wrong or does not come
    public static long send(Client.Target target, int requests, int patienceMillis) {
        PipelinedLoad load = new PipelinedLoad(target, requests);
        try (LoadEngine engine = new LoadEngine()) {
            long start = System.nanoTime();
            engine.connect(target.address(), load);
            long end = load.converse(engine, start, patienceMillis * NANOS_PER_MILLI);
            BenchFailure.require(
                    load.failure == null,
                    "%d of %d pipelined requests were answered, then %s"
                            .formatted(load.answered, requests, load.failure));
            return end - start;
        }
    }

    /// Returns the time of the last answer.
    private long converse(LoadEngine engine, long start, long patienceNanos) {
        long last = start;
        while (answered < requests && failure == null) {
            int before = answered;
            engine.turn(TURN_MILLIS);
            long now = System.nanoTime();
            if (answered > before) {
                last = now;
            } else if (failure == null && now - last > patienceNanos) {
                failure = "nothing came for %d ms".formatted(patienceNanos / NANOS_PER_MILLI);
            }
        }
        return last;
    }

    @Override
    public void connected(LoadConnection opened) {
        connection = opened;
        sent();
    }

    /// Sends the next batch in a later turn, after answers were read.
    @Override
    public void sent() {
        LoadConnection open = connection;
        int count = Math.min(unsent, BATCH);
        if (open != null && count > 0) {
            unsent -= count;
            open.sendLater(batch.duplicate().limit(count * requestBytes));
        }
    }

    @Override
    public void received(ByteBuffer in) throws IOException {
        while (reader.take(in)) {
            if (++answered > requests - unsent) {
                throw new ProtocolException("An answer has no request");
            }
        }
    }

    @Override
    public void ended(@Nullable IOException cause) {
        failure = cause == null ? "the server closed" : String.valueOf(cause.getMessage());
    }
}
