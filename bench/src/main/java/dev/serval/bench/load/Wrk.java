package dev.serval.bench.load;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Programs;
import dev.serval.bench.peer.Resources;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.servlet.Members;
import dev.serval.bench.servlet.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Runs the `wrk` program, the cheapest client for connections that stay open. It has one thread
/// for each of the client's CPUs, or one thread if nothing is pinned. wrk counts statuses. The
/// number of bytes that it read shows whether answers were complete.
///
/// @param script prints the figures
public record Wrk(Path program, Path script, Stage stage) implements Client {
    private static final String MARK = "serval-bench ";

    /// Returns the program, or empty if it is not installed.
    static Optional<Wrk> find(Stage stage) throws IOException {
        Optional<Path> program = Programs.find("wrk");
        if (program.isEmpty()) {
            return Optional.empty();
        }
        Path script = stage.folder().resolve("done.lua");
        Files.write(script, Resources.bytes(Wrk.class, "done.lua"));
        return Optional.of(new Wrk(program.get(), script, stage));
    }

    @Override
    public Tally run(Target target, Cell.Load load, int seconds) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(program.toString());
        command.addAll(List.of("-t", threads(load), "-c", String.valueOf(load.connections())));
        command.addAll(List.of("-d", seconds + "s", "--timeout", "10s"));
        command.addAll(List.of("-s", script(target, load).toString()));
        if (load.requestsPerConnection() == 1) {
            command.addAll(List.of("-H", "Connection: close"));
        }
        command.add(target.url());
        return parse(stage.output(command), target.page().length());
    }

    /// Returns the script that prints the figures. For a request to a servlet it first sets method,
    /// content and cookies.
    private Path script(Target target, Cell.Load load) throws IOException {
        Request request = target.request();
        if (request == null) {
            return script;
        }
        Turns turns = new Turns("", List.of());
        if (request.session()) {
            turns = new Turns("Cookie", Browser.sessions(target, load.connections()));
        } else if (request.loggedIn()) {
            turns = new Turns("Authorization", Members.credentials());
        }
        Path content = stage.folder().resolve("content");
        Files.write(content, request.content());
        Path own = stage.folder().resolve("request.lua");
        Files.writeString(own, settings(request, content, turns) + Files.readString(script));
        return own;
    }

    /// Values of a field that requests have in turn.
    ///
    /// @param values none if all requests are the same
    record Turns(String field, List<String> values) {}

    /// Returns the part of a script that describes the request. Requests with different values of a
    /// field are made once and sent in turn, whatever the connection.
    static String settings(Request request, Path content, Turns turns) {
        StringBuilder lua = new StringBuilder();
        lua.append("wrk.method = \"").append(request.method()).append("\"\n");
        if (!request.type().isEmpty()) {
            lua.append("wrk.headers[\"Content-Type\"] = \"").append(request.type());
            lua.append("\"\nwrk.body = io.open(\"").append(content).append("\"):read(\"*a\")\n");
        }
        if (turns.values().isEmpty()) {
            return lua.toString();
        }
        lua.append("local field = \"").append(turns.field()).append("\"\nlocal values = {");
        for (String value : turns.values()) {
            lua.append('"').append(value).append("\", ");
        }
        return lua.append("}\n").append(Resources.text(Wrk.class, "turns.lua")).toString();
    }

    private String threads(Cell.Load load) {
        int cpus = stage.cpus().pinned() ? stage.cpus().client().size() : 1;
        return String.valueOf(Math.min(cpus, load.connections()));
    }

    /// Parses the line that `done.lua` prints: requests, bytes, microseconds, five kinds of errors,
    /// and the 99th percentile in microseconds. If there are fewer bytes than the contents take,
    /// answers were truncated, which counts as one error.
    static Tally parse(String output, int length) {
        String line =
                output.lines()
                        .filter(l -> l.startsWith(MARK))
                        .findFirst()
                        .orElseThrow(() -> new BenchFailure("wrk failed: " + output.trim()));
        String[] figures = line.substring(MARK.length()).trim().split(" ", -1);
        BenchFailure.require(figures.length == 9, "wrk printed an unknown line: " + line);
        long requests = Long.parseLong(figures[0]);
        long errors = 0;
        for (int i = 3; i < 8; i++) {
            errors += Long.parseLong(figures[i]);
        }
        if (Long.parseLong(figures[1]) < requests * length) {
            errors++;
        }
        return new Tally(
                requests,
                requests * length,
                errors,
                Long.parseLong(figures[2]) * 1000,
                Double.parseDouble(figures[8]));
    }
}
