package dev.serval.bench.run;

import dev.serval.bench.client.HttpConnection;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.RunningPeer;
import java.io.IOException;

/// The counters that a [dev.serval.bench.hello.HelloServer] reports.
///
/// @param allocatedBytes by all its threads since its start
record Counts(long allocatedBytes, long preemptions) {
    private static final int TIMEOUT_MILLIS = 10_000;

    /// Requests the counters from the server.
    static Counts of(RunningPeer server) throws IOException {
        HttpConnection.Answer answer = HttpConnection.get(server.port(), "/counts", TIMEOUT_MILLIS);
        String text = answer.text();
        if (!text.matches("\\d{1,18} \\d{1,18}")) {
            throw new BenchFailure(
                    server.name() + " answered " + answer.status() + " to /counts: " + text);
        }
        String[] numbers = text.split(" ", -1);
        return new Counts(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
    }
}
