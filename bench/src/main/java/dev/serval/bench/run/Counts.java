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
        String[] numbers = text(server, "/counts", "\\d{1,18} \\d{1,18}").split(" ", -1);
        return new Counts(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
    }

    /// Requests the bytes that the JVM has allocated from the application, which works with every
    /// container.
    static long allocatedBy(RunningPeer container) throws IOException {
        return Long.parseLong(text(container, "/allocated", "\\d{1,18}"));
    }

    private static String text(RunningPeer server, String path, String pattern) throws IOException {
        HttpConnection.Answer answer = HttpConnection.get(server.port(), path, TIMEOUT_MILLIS);
        BenchFailure.require(
                answer.text().matches(pattern),
                "%s answered %d to %s: %s"
                        .formatted(server.name(), answer.status(), path, answer.text()));
        return answer.text();
    }
}
