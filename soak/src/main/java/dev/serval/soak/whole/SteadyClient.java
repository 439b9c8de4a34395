package dev.serval.soak.whole;

import dev.serval.bench.client.AnswerHead;
import dev.serval.bench.client.HttpConnection;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// A client that behaves: it sends requests with pauses, on connections that stay open for a while,
/// and compares status and every byte of each answer. The time of an answer is counted from before
/// its request was sent, on a new connection from before the connect. Owned by its thread.
final class SteadyClient implements Runnable {
    private static final int HANG_MILLIS = 60_000;
    private static final int REQUESTS_OF_A_CONNECTION = 50;
    private static final int PIECE_BYTES = 64 << 10;
    private static final int REFUSED = 503;

    private final int port;
    private final Supplier<Ask> asks;
    private final Tally tally;
    private final SplittableRandom random;
    private final int pauseMillisMax;
    private final BooleanSupplier running;
    private final byte[] piece = new byte[PIECE_BYTES];

    /// Creates a client.
    ///
    /// @param running returns false when the client has to end
    SteadyClient(
            int port,
            Supplier<Ask> asks,
            Tally tally,
            SplittableRandom random,
            int pauseMillisMax,
            BooleanSupplier running) {
        this.port = port;
        this.asks = asks;
        this.tally = tally;
        this.random = random;
        this.pauseMillisMax = pauseMillisMax;
        this.running = running;
    }

    @Override
    public void run() {
        while (running.getAsBoolean()) {
            Ask ask = asks.get();
            long began = System.nanoTime();
            try (HttpConnection connection = HttpConnection.to(port, HANG_MILLIS)) {
                for (int i = 1; exchange(connection, ask, began); i++) {
                    Thread.sleep(random.nextInt(pauseMillisMax));
                    if (i == REQUESTS_OF_A_CONNECTION || !running.getAsBoolean()) {
                        break;
                    }
                    ask = asks.get();
                    began = System.nanoTime();
                }
            } catch (SocketTimeoutException e) {
                tally.wrong(ask.name() + ": no answer within " + HANG_MILLIS + " ms");
            } catch (IOException e) {
                tally.wrong(ask.name() + ": " + e);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /// Sends a request and compares its answer. Returns whether the connection stays.
    private boolean exchange(HttpConnection connection, Ask ask, long began) throws IOException {
        connection.send(ask.request(), 0, ask.request().length);
        AnswerHead head = connection.head();
        boolean stays = !head.closes();
        if (head.status() == REFUSED && ask.status() != REFUSED) {
            tally.refused();
            return false;
        }
        String fault = fault(connection, ask, head);
        if (fault.isEmpty()) {
            tally.right(ask.large(), System.nanoTime() - began);
        } else {
            String text = head.toString().trim().replace("\r\n", " | ");
            tally.wrong(ask.name() + " " + fault + ": " + text);
        }
        return stays && fault.isEmpty();
    }

    /// Reads the content and returns what is wrong, or an empty text.
    private String fault(HttpConnection connection, Ask ask, AnswerHead head) throws IOException {
        if (head.status() != ask.status()) {
            return "has another status than " + ask.status();
        }
        if (!head.toString().contains(ask.fields())) {
            return "lacks " + ask.fields();
        }
        if (head.status() == 304) {
            return "";
        }
        boolean same =
                head.chunked()
                        ? Arrays.equals(content(connection), part(ask))
                        : head.length() == ask.length() && equalPieces(connection, ask);
        return same ? "" : "has another content";
    }

    private static byte[] content(HttpConnection connection) throws IOException {
        try {
            return connection.content();
        } catch (ProtocolException e) {
            throw new IOException("broken chunks: " + e.getMessage(), e);
        }
    }

    private static byte[] part(Ask ask) {
        return Arrays.copyOfRange(ask.content(), ask.from(), ask.to());
    }

    /// Compares a content as it comes, so that a long one needs no memory.
    private boolean equalPieces(HttpConnection connection, Ask ask) throws IOException {
        int at = ask.from();
        while (at < ask.to()) {
            int n = connection.read(piece, 0, Math.min(PIECE_BYTES, ask.to() - at));
            if (!Arrays.equals(piece, 0, n, ask.content(), at, at + n)) {
                return false;
            }
            at += n;
        }
        return true;
    }
}
