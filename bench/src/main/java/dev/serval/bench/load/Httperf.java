package dev.serval.bench.load;

import dev.serval.bench.peer.Programs;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.scenario.Cell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Runs the `httperf` program: new connections at a constant rate, each with one request, whose
/// answer it awaits for 5 s. The connections of the load are those of a second. The kernel chooses
/// their ports: with `--hog` the program searches for free ones itself, for ever if there are none.
public record Httperf(Path program, Stage stage) implements Client {
    private static final int TIMEOUT_SECONDS = 5;

    /// How long after its time the program is ended. By itself it ends after the last timeout.
    private static final int LATE_SECONDS = 3 * TIMEOUT_SECONDS;

    /// Returns the program, or empty if it is not installed.
    static Optional<Httperf> find(Stage stage) {
        return Programs.find("httperf").map(program -> new Httperf(program, stage));
    }

    @Override
    public Tally run(Target target, Cell.Load load, int seconds) throws IOException {
        int rate = load.connections();
        String longest = String.valueOf(seconds + LATE_SECONDS);
        List<String> command = new ArrayList<>(List.of("timeout", "-k", "1", longest));
        command.addAll(List.of(program.toString(), "--timeout", String.valueOf(TIMEOUT_SECONDS)));
        command.addAll(List.of("--server", "127.0.0.1", "--port", String.valueOf(target.port())));
        command.addAll(List.of("--uri", target.page().path()));
        command.addAll(List.of("--rate", String.valueOf(rate), "--num-calls", "1"));
        command.addAll(List.of("--num-conns", String.valueOf(rate * seconds)));
        return parse(stage.output(command), target.page().length());
    }

    /// Parses the report of httperf. A connection that failed and an answer that is not 2xx is an error
    /// each, and shorter answers than the content are one more. A connection that the program could not
    /// make, because it has at most 1,024 descriptors, is no error of the server.
    static Tally parse(String output, int length) {
        Printed report = new Printed("httperf", output);
        long right = report.number("Reply status:.* 2xx=(\\d+)");
        long errors = report.number("replies (\\d+) test-duration") - right;
        errors += report.number("Errors: total (\\d+)") - report.number("fd-unavail (\\d+)");
        if (right > 0 && report.figure("Reply size \\[B\\]:.* content ([0-9.]+)") < length) {
            errors++;
        }
        long nanos = (long) (report.figure("test-duration ([0-9.]+) s") * 1e9);
        return new Tally(right, right * length, errors, nanos, Double.NaN);
    }
}
