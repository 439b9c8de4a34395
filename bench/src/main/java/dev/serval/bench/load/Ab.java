package dev.serval.bench.load;

import dev.serval.bench.peer.Programs;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.scenario.Cell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Runs the `ab` program of Apache httpd. It has one thread, speaks HTTP/1.0, and sends
/// `Connection: Keep-Alive` if connections are kept. It reads in other portions than wrk and wakes
/// at other moments. A server that is tuned for one of the two clients is slower with the other.
public record Ab(Path program, Stage stage) implements Client {
    /// More requests than any round has. ab reserves memory for each, but writes to it only when it
    /// makes the request.
    private static final String REQUESTS_MAX = "4000000";

    /// Returns the program, or empty if it is not installed.
    static Optional<Ab> find(Stage stage) {
        return Programs.find("ab").map(program -> new Ab(program, stage));
    }

    @Override
    public Tally run(Target target, Cell.Load load, int seconds) throws IOException {
        Path percentiles = Files.createTempFile(stage.folder(), "ab-", ".csv");
        List<String> command = new ArrayList<>(List.of(program.toString(), "-q", "-r"));
        command.addAll(List.of("-c", String.valueOf(load.connections())));
        // -t also sets a number of requests. The later -n replaces it.
        command.addAll(List.of("-t", String.valueOf(seconds), "-n", REQUESTS_MAX, "-s", "10"));
        command.addAll(List.of("-e", percentiles.toString()));
        if (load.requestsPerConnection() != 1) {
            command.add("-k");
        }
        try {
            command.add(target.url());
            String output = stage.output(command);
            return parse(output, Files.readString(percentiles), target.page().length());
        } finally {
            Files.deleteIfExists(percentiles);
        }
    }

    /// The figures of ab after a number of requests.
    ///
    /// @param rate requests per second
    /// @param millis mean time per request: connections ÷ rate
    /// @param complete requests with a complete answer
    /// @param failed requests without a right answer
    /// @param kept complete requests after which the connection was kept
    public record Burst(double rate, double millis, long complete, long failed, long kept) {}

    /// Sends a number of requests on kept connections. A connection that the server resets is
    /// counted and does not end ab (`-r`).
    public Burst burst(Target target, int requests, int connections) throws IOException {
        List<String> command = new ArrayList<>(List.of(program.toString(), "-q", "-r", "-k"));
        command.addAll(List.of("-n", String.valueOf(requests)));
        command.addAll(List.of("-c", String.valueOf(connections)));
        command.add(target.url());
        return burst(stage.output(command), target.page().length());
    }

    /// Parses the report of ab. If there are fewer bytes than the contents take, answers were
    /// truncated, which counts as one failure.
    static Burst burst(String output, int length) {
        long complete = (long) figure(output, "Complete requests: +(\\d+)");
        return new Burst(
                figure(output, "Requests per second: +([0-9.]+)"),
                figure(output, "Time per request: +([0-9.]+) \\[ms\\] \\(mean\\)"),
                complete,
                errors(output, complete, length),
                (long) figure(output, "Keep-Alive requests: +(\\d+)"));
    }

    private static long errors(String output, long requests, int length) {
        long errors = (long) figure(output, "Failed requests: +(\\d+)");
        if (output.contains("Non-2xx responses")) {
            errors += (long) figure(output, "Non-2xx responses: +(\\d+)");
        }
        if (figure(output, "HTML transferred: +(\\d+) bytes") < (double) requests * length) {
            errors++;
        }
        return errors;
    }

    /// Parses the report of ab and its table of percentiles, with lines such as `99,MILLISECONDS`.
    /// If there are fewer bytes than the contents take, answers were truncated, which counts as one
    /// error.
    static Tally parse(String output, String percentiles, int length) {
        long requests = (long) figure(output, "Complete requests: +(\\d+)");
        double seconds = figure(output, "Time taken for tests: +([0-9.]+) seconds");
        long errors = errors(output, requests, length);
        double p99 = figure(percentiles, "(?m)^99,([0-9.]+)");
        return new Tally(requests, requests * length, errors, (long) (seconds * 1e9), p99 * 1000);
    }

    private static double figure(String output, String pattern) {
        return new Printed("ab", output).figure(pattern);
    }
}
