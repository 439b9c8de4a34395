package dev.serval.bench.load;

import dev.serval.bench.peer.Site;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.scenario.Scenario;
import dev.serval.bench.scenario.Settings;
import dev.serval.bench.servlet.Request;
import java.util.Optional;

/// Writes the loads of a scenario as benchmarks of Hyperfoil, in its YAML: a closed load as phases
/// `always`, and each rate of an open one as a phase `constantRate`. Hyperfoil's agents make them from
/// several machines. Immutable.
///
/// @param settings say how long a phase takes
public record Hyperfoil(Scenario scenario, Settings settings) {
    /// What the name of a benchmark's file ends in.
    public static final String ENDING = ".hf.yaml";

    private static final String WARM_UP_USERS = "users: 16";
    private static final int CLOSED_TIMEOUT_MILLIS = 30_000;

    /// A user's session of Hyperfoil, and so its HTTP session, has so many requests.
    private static final int SESSION_REQUESTS = 100;

    /// Returns the benchmark of a cell, or empty if the cell is no load, or its rates are not known
    /// before it runs.
    public Optional<String> benchmark(Cell cell) {
        return switch (cell) {
            case Cell.Load load -> Optional.of(closed(load));
            case Cell.Ramp ramp -> Optional.of(open(ramp));
            default -> Optional.empty();
        };
    }

    private String closed(Cell.Load load) {
        int requests = load.requestsPerConnection();
        Request request = scenario.requests().get(load.file());
        boolean session = request != null && request.session();
        int repeats = session ? SESSION_REQUESTS : Math.max(1, requests);
        String connections =
                requests == 1 ? "ALWAYS_NEW" : requests > 1 ? "OPEN_ON_REQUEST" : "SHARED_POOL";
        StringBuilder steps = new StringBuilder();
        for (String file : load.files()) {
            steps.append(request(file, load.head(), requests == 1, CLOSED_TIMEOUT_MILLIS));
        }
        String all =
                repeats == 1
                        ? steps.toString()
                        : "- loop:\n    counterVar: count\n    repeats: %d\n    steps:\n%s"
                                .formatted(repeats, steps.toString().indent(4));
        String users = "users: " + load.connections() * load.pipeline();
        String pool =
                """
                  sharedConnections: %d
                  pipeliningLimit: %d
                  connectionStrategy: %s
                """
                        .formatted(load.connections(), load.pipeline(), connections);
        int seconds = settings.rounds() * settings.seconds();
        return head(load, pool, users, all) + phase("run", "always", users, seconds, "warm-up");
    }

    private String open(Cell.Ramp ramp) {
        Cell.Ramp.Steps steps = settings.paper() ? ramp.paper() : ramp.usual();
        String request = request(ramp.file(), Cell.HeadKind.SHORT, true, ramp.timeoutMillis());
        String pool = "  connectionStrategy: ALWAYS_NEW\n";
        StringBuilder text = new StringBuilder(head(ramp, pool, WARM_UP_USERS, request));
        String after = "warm-up";
        for (double rate : steps.rates()) {
            String name = "rate-" + Math.round(rate);
            String model =
                    "usersPerSec: %.0f%nvariance: true%nmaxSessions: %.0f"
                            .formatted(rate, rate * ramp.timeoutMillis() / 1e3);
            text.append(phase(name, "constantRate", model, steps.seconds(), after));
            after = name;
        }
        return text.toString();
    }

    /// Returns the benchmark up to its warm-up, which defines what the users do.
    ///
    /// @param pool how connections are used
    /// @param steps the requests of a user
    private String head(Cell cell, String pool, String users, String steps) {
        return """
        # %s
        name: '%s-%s'
        agents:
          agent-1:
            host: !param AGENT_1 agent-1.example
          agent-2:
            host: !param AGENT_2 agent-2.example
        http:
          host: !param SERVER http://127.0.0.1:8080
        %sphases:
        - warm-up:
            always:
              %s
              duration: 10s
              isWarmup: true
              scenario: &use
              - requests:
        %s\
        """
                .formatted(
                        cell.title(), scenario.name(), cell.name(), pool, users, steps.indent(8));
    }

    private static String phase(String name, String kind, String model, int seconds, String after) {
        return """
        - %s:
            %s:
        %s      duration: %ds
              startAfter: %s
              scenario: *use
        """
                .formatted(name, kind, model.indent(6), seconds, after);
    }

    /// Returns a step that sends a request, as the suite's own client sends it.
    private String request(String file, Cell.HeadKind head, boolean close, int timeoutMillis) {
        Request request = scenario.requests().get(file);
        Site.Page page = request == null ? new Site.Page("/" + file, 0, "") : request.page();
        String text = RequestText.request(new Client.Target(0, page, request), head, "", close);
        int end = text.indexOf("\r\n\r\n");
        String[] first = text.substring(0, text.indexOf("\r\n")).split(" ", -1);
        StringBuilder step = new StringBuilder("- httpRequest:\n");
        step.append("    ").append(first[0]).append(": ").append(quoted(first[1])).append('\n');
        step.append("    timeout: ").append(timeoutMillis).append("ms\n    headers:\n");
        for (String line : text.substring(0, end).split("\r\n", -1)) {
            String[] field = line.split(": ", 2);
            // Hyperfoil sends the first two by itself.
            if (field.length == 2 && !field[0].matches("Host|Content-Length")) {
                step.append("      %s: %s%n".formatted(field[0], quoted(field[1])));
            }
        }
        String content = text.substring(end + 4);
        return content.isEmpty()
                ? step.toString()
                : step + "    body:\n      text: " + quoted(content) + "\n";
    }

    /// Returns a text as a YAML scalar in single quotes, in which only quotes are escaped.
    private static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
