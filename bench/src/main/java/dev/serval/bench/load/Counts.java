package dev.serval.bench.load;

import dev.serval.bench.client.HttpConnection;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.RunningPeer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// What a [dev.serval.bench.hello.HelloServer] tells of itself.
///
/// @param allocatedBytes by all its threads, since its start
/// @param preemptions of loops, likewise
record Counts(long allocatedBytes, long preemptions) {
    private static final int TIMEOUT_MILLIS = 10_000;

    /// Asks it.
    static Counts of(RunningPeer server) throws IOException {
        HttpConnection.Answer answer = HttpConnection.get(server.port(), "/counts", TIMEOUT_MILLIS);
        String text = new String(answer.content(), StandardCharsets.US_ASCII);
        if (!text.matches("\\d{1,18} \\d{1,18}")) {
            throw new BenchFailure(
                    server.name() + " answers " + answer.status() + " for its counts: " + text);
        }
        String[] numbers = text.split(" ", -1);
        return new Counts(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
    }
}
