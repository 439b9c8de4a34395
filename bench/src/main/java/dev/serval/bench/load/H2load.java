package dev.serval.bench.load;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Programs;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.servlet.Request;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/// Runs the `h2load` program of nghttp2 with one thread: HTTP/2 with some streams at a time on each
/// connection. It counts statuses and bytes of content, and writes down how long each request took.
///
/// @param lateSeconds how long after its time the program may end
public record H2load(Path program, Stage stage, int lateSeconds) implements Client {
    /// The longest latency that is told apart, in microseconds.
    private static final long MICROS_MAX = 60_000_000;

    /// With servers that close connections again and again, h2load 1.52 goes on after its time.
    private static final int LATE_SECONDS = 20;

    /// Returns the program, or empty if it is not installed with `nghttp`, which checks answers.
    static Optional<H2load> find(Stage stage) {
        return Programs.find("h2load")
                .filter(_ -> Programs.find("nghttp").isPresent())
                .map(program -> new H2load(program, stage, LATE_SECONDS));
    }

    @Override
    public Tally run(Target target, Cell.Load load, int seconds) throws IOException {
        Path log = Files.createTempFile(stage.folder(), "h2load-", ".log");
        List<String> command = new ArrayList<>();
        command.addAll(List.of("timeout", "-k", "1", String.valueOf(seconds + lateSeconds)));
        command.addAll(List.of(program.toString(), "-t", "1"));
        command.addAll(List.of("-c", String.valueOf(load.connections())));
        command.addAll(List.of("-m", String.valueOf(load.pipeline())));
        command.addAll(List.of("-D", String.valueOf(seconds), "--log-file=" + log));
        Request request = target.request();
        if (request != null && !request.type().isEmpty()) {
            Path content = Files.write(stage.folder().resolve("content"), request.content());
            command.addAll(List.of("-d", content.toString()));
            command.addAll(List.of("-H", "content-type: " + request.type()));
        }
        command.add(target.url());
        try {
            long begin = System.nanoTime();
            String output = stage.output(command);
            BenchFailure.require(
                    System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(seconds + lateSeconds),
                    "h2load did not end in the " + lateSeconds + " s after its time");
            return parse(output, log, target, seconds);
        } finally {
            Files.deleteIfExists(log);
        }
    }

    /// Parses the report of h2load and its lines for each request. A status other than 2xx is an error,
    /// and so are contents that are too short, and a run without a request.
    ///
    /// @throws BenchFailure if h2load failed or the server chose another protocol
    static Tally parse(String output, Path log, Target target, int seconds) throws IOException {
        Printed report = new Printed("h2load", output);
        String spoken = report.text("Application protocol: (\\S+)");
        BenchFailure.require(spoken.equals(target.protocol().key()), "the server speaks " + spoken);
        long done = report.number("requests: .* (\\d+) done");
        // Of requests that are under way at the end, the status counts, but they are not done.
        long right = report.number("requests: .* (\\d+) succeeded");
        long others =
                report.number("status codes: .* (\\d+) 3xx")
                        + report.number("status codes: .* (\\d+) 4xx")
                        + report.number("status codes: .* (\\d+) 5xx");
        boolean whole =
                report.number("traffic: .* \\((\\d+)\\) data") >= right * target.page().length();
        return new Tally(
                right,
                right * target.page().length(),
                Math.max(done - right, others) + (whole && right > 0 ? 0 : 1),
                seconds * 1_000_000_000L,
                p99Micros(log));
    }

    /// Returns the 99th percentile of a file with lines `INSTANT STATUS MICROSECONDS`, divided by tabs;
    /// NaN without lines.
    private static double p99Micros(Path log) throws IOException {
        Histogram micros = new Histogram(MICROS_MAX, 3);
        try (BufferedReader lines = Files.newBufferedReader(log)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                long one = Long.parseLong(line, line.lastIndexOf('\t') + 1, line.length(), 10);
                micros.recordValue(Math.min(one, MICROS_MAX));
            }
        }
        return micros.getTotalCount() == 0 ? Double.NaN : micros.getValueAtPercentile(99);
    }

    /// Sends a request by the program `nghttp`, and returns the content of the answer.
    static byte[] content(Target target) throws IOException {
        List<String> command = new ArrayList<>(List.of("nghttp", "--no-verify-peer"));
        Request request = target.request();
        byte[] sent = request == null ? new byte[0] : request.content();
        if (sent.length > 0) {
            command.addAll(List.of("-d", "-"));
        }
        command.add(target.url());
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try (OutputStream out = process.getOutputStream()) {
            out.write(sent);
        }
        return process.getInputStream().readAllBytes();
    }
}
