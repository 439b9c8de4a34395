package dev.serval.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.lrwp.peer.LrwpPeer;
import dev.serval.lrwp.peer.LrwpResponse;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/// The access log of a server process, as a user configures it.
@Timeout(120)
final class LogRunTest {
    private static final Pattern COMBINED =
            Pattern.compile(
                    "(\\S+) - (\\S+) \\[(\\d\\d/[A-Z][a-z]{2}/\\d{4}:\\d\\d:\\d\\d:\\d\\d [+-]\\d{4})\\]"
                            + " \"([^\"]*)\" (\\d{3}) (\\d+|-) \"([^\"]*)\" \"([^\"]*)\"");

    private static final String TRACES =
            """
            [[log]]
            file = "behind.log"
            pattern = "%{traceparent}i"
            [[mount]]
            folder = "site"
            """;

    @TempDir private Path folder;
    private Path file = Path.of("serval.toml");
    private Path log = Path.of("access.log");

    @BeforeEach
    void prepare() throws IOException {
        file = folder.resolve("serval.toml");
        log = folder.resolve("access.log");
        Path site = Files.createDirectories(folder.resolve("site"));
        Files.writeString(site.resolve("index.html"), "hello");
    }

    private void config(String text) throws IOException {
        Files.writeString(
                file, "applications.logs = \"none\"\nlistener = [{ address = \"0\" }]\n" + text);
    }

    private Map<String, String> environment() {
        return Map.of("XDG_RUNTIME_DIR", folder.toString());
    }

    private ServerProcess started(String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("run", "--config", file.toString()));
        arguments.addAll(List.of(more));
        ServerProcess server = ServerProcess.start(environment(), arguments);
        server.awaitLine("Ctrl-C stops it.");
        return server;
    }

    private int command(String... words) throws Exception {
        try (ServerProcess command = ServerProcess.start(environment(), List.of(words))) {
            command.rest();
            return command.exitCode();
        }
    }

    private static void ask(ServerProcess server, String request) {
        try (RawClient client = RawClient.connect(server.socketAddress())) {
            client.exchange(request.replace("\n", "\r\n") + "\r\n\r\n");
        }
    }

    private static List<String> awaitLines(Path file, int number) {
        Await.until(number + " lines in " + file, () -> lines(file).size() >= number);
        return lines(file);
    }

    private static List<String> lines(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            return List.of();
        }
    }

    @Test
    void linesOfARealRunCanBeParsed() throws Exception {
        config("[[mount]]\nfolder = \"site\"\n");
        try (ServerProcess server = started("--access-log", log.toString(), "--loops", "1")) {
            assertThat(server.screen()).anyMatch(line -> line.contains(log + " (combined)"));
            ask(server, "GET /?a=b HTTP/1.1\nHost: a\nReferer: r\nUser-Agent: x\"\\y");
            ask(server, "HEAD /no HTTP/1.1\nHost: a\nUser-Agent: \u0080\u00ff");
            ask(server, "GET / HTTP/1.1\nHost: a b");
            ask(server, "PURGE /x\"y HTTP/1.1\nHost: a");
            List<Matcher> parsed = awaitLines(log, 4).stream().map(COMBINED::matcher).toList();
            assertThat(parsed).hasSize(4).allMatch(Matcher::matches);
            assertThat(parsed).allMatch(line -> line.group(1).equals("127.0.0.1"));
            assertThat(parsed)
                    .extracting(line -> line.group(5))
                    .containsExactly("200", "404", "400", "400");
            assertThat(parsed)
                    .extracting(line -> line.group(4))
                    .containsExactly("GET /?a=b HTTP/1.1", "HEAD /no HTTP/1.1", "-", "-");
            assertThat(parsed.getFirst().group(6)).isEqualTo("5");
            assertThat(parsed.getFirst().group(7)).isEqualTo("r");
            assertThat(parsed.getFirst().group(8)).isEqualTo("x\\x22\\x5Cy");
        }
    }

    /// Several of them may be at one place.
    @Test
    void applicationThatDialsInIsNamedAsTheUpstream() throws Exception {
        config(
                """
                lrwp.listen = "0"
                [[log]]
                file = "access.log"
                pattern = "%U %{upstream}x"
                """);
        try (ServerProcess server = started();
                LrwpPeer peer =
                        LrwpPeer.builder()
                                .agent("127.0.0.1", server.lrwpAddress().getPort())
                                .register("shop/cart")
                                .handler(_ -> LrwpResponse.text("hello"))
                                .start()) {
            assertThat(peer.awaitConnected(Duration.ofSeconds(60))).isTrue();
            ask(server, "GET /shop/cart/7 HTTP/1.1\nHost: a");
            assertThat(awaitLines(log, 1)).containsExactly("/shop/cart/7 shop/cart");
        }
    }

    /// The server behind the mount logs which trace it has received.
    @Test
    void jsonHasPhasesTheUpstreamAndItsTrace() throws Exception {
        String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        Path behind = folder.resolve("behind.log");
        config(TRACES);
        try (ServerProcess upstream = started()) {
            int port = upstream.socketAddress().getPort();
            config(
                    "[[log]]\nfile = \"access.log\"\nformat = \"json\"\n"
                            + "[[mount]]\nat = \"/\"\nproxy = \"http://127.0.0.1:"
                            + port
                            + "\"\n");
            try (ServerProcess server = started()) {
                ask(server, "GET / HTTP/1.1\nHost: a\nUser-Agent: \"\u00e9\\\u00ff");
                ask(
                        server,
                        "GET /no HTTP/1.1\nHost: a\ntraceparent: 00-"
                                + trace
                                + "-00f067aa0ba902b7-01");
                ask(server, "GET / HTTP/1.1\nHost: a\ntraceparent: wrong");
                ask(server, "GET / HTTP/9.1");
                ObjectMapper mapper = new ObjectMapper();
                List<JsonNode> all = new ArrayList<>();
                for (String line : awaitLines(log, 4)) {
                    all.add(mapper.readTree(line));
                }
                List<JsonNode> proxied =
                        all.stream().filter(each -> !each.get("upstream").isNull()).toList();
                assertThat(proxied)
                        .hasSize(3)
                        .allSatisfy(each -> {
                            assertThat(each.get("upstream").asString())
                                    .endsWith("127.0.0.1:" + port);
                            assertThat(each.get("upstream_us").asLong())
                                    .isPositive()
                                    .isLessThanOrEqualTo(each.get("total_us").asLong());
                            assertThat(each.get("trace").asString()).matches("[0-9a-f]{32}");
                        });
                assertThat(proxied)
                        .extracting(each -> each.get("status").asInt())
                        .contains(200, 404);
                assertThat(proxied)
                        .extracting(each -> each.get("agent").asString())
                        .contains("\"\u00e9\\\u00ff");
                assertThat(all).extracting(each -> each.get("trace").asString()).contains(trace);
                assertThat(all).filteredOn(each -> each.get("method").isNull()).hasSize(1);
                assertThat(awaitLines(behind, 3))
                        .allSatisfy(
                                line -> assertThat(line).matches("00-[0-9a-f]{32}-[0-9a-f]{16}-01"))
                        .map(line -> line.substring(3, 35))
                        .containsExactlyInAnyOrderElementsOf(
                                proxied.stream()
                                        .map(each -> each.get("trace").asString())
                                        .toList());
            }
        }
    }

    @Test
    void filesAreOpenedAgainByCommandAndBySignal() throws Exception {
        config("[[log]]\nfile = \"access.log\"\npattern = \"%U\"\n[[mount]]\nfolder = \"site\"\n");
        try (ServerProcess server = started()) {
            server.get("/1");
            Files.move(log, folder.resolve("moved.1"));
            server.get("/2");
            assertThat(command("reopen")).isZero();
            // The two connections may be of different loops.
            assertThat(lines(folder.resolve("moved.1"))).containsExactlyInAnyOrder("/1", "/2");
            server.get("/3");
            assertThat(awaitLines(log, 1)).containsExactly("/3");
            Files.move(log, folder.resolve("moved.2"));
            server.signal("USR1");
            server.awaitLine("The log files are open again.");
            server.get("/4");
            assertThat(awaitLines(log, 1)).containsExactly("/4");
            assertThat(lines(folder.resolve("moved.2"))).containsExactly("/3");
        }
    }

    @Test
    void logThatCannotBeOpenedAgainIsNamedAndTheOthersAreOpen() throws Exception {
        config(
                """
                [[log]]
                file = "access.log"
                pattern = "%U"
                [[log]]
                name = "other"
                file = "other.log"
                [[mount]]
                folder = "site"
                """);
        Path other = folder.resolve("other.log");
        try (ServerProcess server = started()) {
            Files.move(log, folder.resolve("moved"));
            Files.delete(other);
            Files.createDirectory(other);
            try (ServerProcess command = ServerProcess.start(environment(), List.of("reopen"))) {
                assertThat(command.exitCode()).isEqualTo(1);
                assertThat(command.errors()).contains("cannot be opened again: " + other);
            }
            server.get("/1");
            assertThat(awaitLines(log, 1)).containsExactly("/1");
        }
    }

    @Test
    void reloadChangesALogWithoutLosingALine() throws Exception {
        String mount = "[[mount]]\nfolder = \"site\"\n";
        config("[[log]]\nfile = \"access.log\"\npattern = \"one\"\n" + mount);
        AtomicInteger answers = new AtomicInteger();
        AtomicBoolean over = new AtomicBoolean();
        try (ServerProcess server = started()) {
            Thread client =
                    Thread.ofPlatform()
                            .start(() -> {
                                while (!over.get()) {
                                    server.get("/");
                                    answers.incrementAndGet();
                                }
                            });
            Await.until("answers", () -> answers.get() > 20);
            config("[[log]]\nfile = \"access.log\"\npattern = \"two\"\n" + mount);
            assertThat(command("reload")).isZero();
            int atTwo = answers.get();
            Await.until("answers", () -> answers.get() > atTwo + 20);
            config("[[log]]\nfile = \"other.log\"\npattern = \"three\"\n" + mount);
            assertThat(command("reload")).isZero();
            int atThree = answers.get();
            Await.until("answers", () -> answers.get() > atThree + 20);
            over.set(true);
            client.join();
            assertThat(command("stop")).isZero();
            assertThat(server.exitCode()).isZero();
        }
        List<String> first = lines(log);
        List<String> second = lines(folder.resolve("other.log"));
        assertThat(first).contains("one", "two").doesNotContain("three");
        assertThat(second).containsOnly("three");
        assertThat(first.size() + second.size()).isEqualTo(answers.get());
    }

    @Test
    void mountsAndHostsChooseTheirLogs() throws Exception {
        config(
                """
                [[log]]
                file = "access.log"
                pattern = "%v%U"
                [[log]]
                name = "own"
                file = "own.log"
                pattern = "%v%U"
                [[mount]]
                folder = "site"
                [[mount]]
                at = "/health"
                folder = "site"
                log = "off"
                [[host]]
                name = "own.example"
                log = "own"
                mount = [{ folder = "site" }, { at = "/x", folder = "site", log = "off" }]
                """);
        try (ServerProcess server = started()) {
            for (String path : List.of("/a", "/health/", "/b")) {
                ask(server, "GET " + path + " HTTP/1.1\nHost: any.example");
            }
            for (String path : List.of("/c", "/x/", "/d")) {
                ask(server, "GET " + path + " HTTP/1.1\nHost: own.example");
            }
            assertThat(awaitLines(log, 2))
                    .containsExactlyInAnyOrder("any.example/a", "any.example/b");
            Path own = folder.resolve("own.log");
            assertThat(awaitLines(own, 2))
                    .containsExactlyInAnyOrder("own.example/c", "own.example/d");
            Files.writeString(file, Files.readString(file).replace("log = \"own\"\n", ""));
            assertThat(command("reload")).isZero();
            ask(server, "GET /e HTTP/1.1\nHost: own.example");
            assertThat(awaitLines(log, 3)).contains("own.example/e");
            assertThat(lines(own)).hasSize(2);
        }
    }

    @Test
    void startAndCheckRefuseAFileThatCannotBeWritten() throws Exception {
        config("[[log]]\nfile = \"no/access.log\"\n[[mount]]\nfolder = \"site\"\n");
        for (List<String> words :
                List.of(
                        List.of("run", "--config", file.toString()),
                        List.of("check", file.toString()))) {
            try (ServerProcess process = ServerProcess.start(environment(), words)) {
                process.rest();
                assertThat(process.exitCode()).isEqualTo(1);
                assertThat(process.errors()).contains(":4:1: There is no folder", "access.log");
            }
        }
    }

    /// The system says only that there is no such file, which the folder did not tell before.
    @Test
    void startAndReloadSayWhyAFileCannotBeOpened() throws Exception {
        Files.createSymbolicLink(log, folder.resolve("no/access.log"));
        String mount = "[[mount]]\nfolder = \"site\"\n";
        String wrong = "[[log]]\nfile = \"access.log\"\n" + mount;
        config(wrong);
        List<String> run = List.of("run", "--config", file.toString());
        try (ServerProcess process = ServerProcess.start(environment(), run)) {
            process.rest();
            assertThat(process.exitCode()).isEqualTo(1);
            assertThat(process.errors())
                    .isEqualTo("serval: " + log + " or its folder does not exist: create it.\n");
        }
        config(mount);
        try (ServerProcess _ = started()) {
            config(wrong);
            try (ServerProcess reload = ServerProcess.start(environment(), List.of("reload"))) {
                reload.rest();
                assertThat(reload.errors()).contains(log + " or its folder does not exist");
            }
        }
    }

    @Test
    void fullDiskIsSurvivedAndLinesAreCounted() throws Exception {
        assumeThat(Files.isWritable(Path.of("/dev/full"))).as("needs /dev/full").isTrue();
        config("[[log]]\nfile = \"/dev/full\"\n[[mount]]\nfolder = \"site\"\n");
        try (ServerProcess server = started()) {
            String fields = "\nReferer: " + "x".repeat(7000) + "\nUser-Agent: " + "y".repeat(7000);
            for (int i = 0; i < 100; i++) {
                ask(server, "GET / HTTP/1.1\nHost: a" + fields);
            }
            assertThat(server.get("/").text()).isEqualTo("hello");
            Await.until("the count", () -> status().contains("lines were lost"));
            server.signal("TERM");
            assertThat(server.errors())
                    .containsPattern(
                            "(?m)^\\d{4}-\\d\\d-\\d\\d [0-9:.]{12} WARNING The access log /dev/full")
                    .doesNotContain("dev.serval.log");
        }
    }

    private String status() {
        try (ServerProcess command = ServerProcess.start(environment(), List.of("status"))) {
            return String.join("\n", command.rest());
        } catch (IOException e) {
            return "";
        }
    }
}
