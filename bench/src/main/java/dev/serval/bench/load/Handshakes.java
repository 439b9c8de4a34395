package dev.serval.bench.load;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Programs;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.scenario.Cell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Makes TLS handshakes with one small request each, by processes of `openssl s_time` that each have
/// one connection after the other. They ask by HTTP/1.0.
///
/// @param resume whether each handshake but the first resumes the session before
public record Handshakes(Path program, Stage stage, boolean resume) implements Client {
    /// Returns the program, or empty if it is not installed.
    static Optional<Handshakes> find(Stage stage, boolean resume) {
        return Programs.find("openssl").map(program -> new Handshakes(program, stage, resume));
    }

    @Override
    public Tally run(Target target, Cell.Load load, int seconds) throws IOException {
        List<String> command = new ArrayList<>(List.of(program.toString(), "s_time"));
        command.addAll(List.of("-connect", "127.0.0.1:" + target.port(), "-tls1_3"));
        command.addAll(List.of("-www", target.page().path(), resume ? "-reuse" : "-new"));
        command.addAll(List.of("-time", String.valueOf(seconds)));
        List<Path> outputs = new ArrayList<>();
        List<Process> processes = new ArrayList<>();
        long start = System.nanoTime();
        for (int i = 0; i < load.connections(); i++) {
            outputs.add(stage.folder().resolve("handshakes-" + i));
            processes.add(stage.start(outputs.getLast(), stage.cpus().onClient(command)));
        }
        processes.forEach(process -> process.onExit().join());
        long nanos = System.nanoTime() - start;
        processes.forEach(stage.children()::stop);
        long handshakes = 0;
        for (Path output : outputs) {
            handshakes += parse(Files.readString(output), resume, target.page().length());
        }
        return new Tally(handshakes, handshakes * target.page().length(), 0, nanos, Double.NaN);
    }

    /// Returns the handshakes of a process, which prints `r` for each that resumes a session and `*` for
    /// another one.
    ///
    /// @param length of each answer
    /// @throws BenchFailure if one was of the other kind, or an answer was too short
    static long parse(String output, boolean resume, int length) {
        Printed report = new Printed("openssl s_time", output);
        long count = report.number("(\\d+) connections in \\d+ real seconds");
        if (report.number("(\\d+) bytes read per connection") < length) {
            throw new BenchFailure("an answer is shorter than " + length + " bytes");
        }
        String kinds = report.text("(?m)^([r*]+)$");
        BenchFailure.require(
                kinds.indexOf(resume ? '*' : 'r') < 0,
                resume ? "the server resumed no session" : "the server resumed a session");
        return count;
    }
}
