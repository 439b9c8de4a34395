package dev.serval.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.command.CommandSyntax;
import dev.serval.command.Invocation;
import dev.serval.demo.Demo;
import dev.serval.service.Launch;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.process.ProcessTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// `serval run --demo`, as a user starts it.
@Timeout(180)
final class DemoRunTest {
    private static final String DIALLED_IN = "The demo has dialled in";
    private static final Pattern PROCESS = Pattern.compile("process ([0-9]+)");

    @TempDir Path folder;

    private static ServerProcess started(String... more) throws IOException {
        String[] arguments = new String[more.length + 4];
        System.arraycopy(new String[] {"run", "--demo", "--port", "0"}, 0, arguments, 0, 4);
        System.arraycopy(more, 0, arguments, 4, more.length);
        ServerProcess server = ServerProcess.ready(arguments);
        server.awaitLine(DIALLED_IN);
        return server;
    }

    /// Returns the process that the latest line of the server names.
    private static ProcessHandle process(ServerProcess server) {
        Matcher found = PROCESS.matcher(server.screen().getLast());
        assertThat(found.find()).as(server.screen().getLast()).isTrue();
        return ProcessHandle.of(Long.parseLong(found.group(1))).orElseThrow();
    }

    private static RawResponse post(ServerProcess server, String content) {
        try (RawClient client = RawClient.connect(server.socketAddress())) {
            return client.exchange(
                    "POST /demo HTTP/1.1\r\nHost: test\r\nContent-Length: "
                            + content.length()
                            + "\r\n\r\n"
                            + content);
        }
    }

    @Test
    void servesThePageOfAnotherProcessAndLinksToIt() throws Exception {
        try (ServerProcess server = started()) {
            ProcessHandle demo = process(server);
            assertThat(server.get("/").text()).contains("<a href=\"/demo\">");
            assertThat(server.screen())
                    .anyMatch(line -> line.startsWith("Applications dial in (LRWP): 127.0.0.1:"))
                    .anyMatch(line -> line.endsWith("only demo"));

            RawResponse first = server.get("/demo");
            assertThat(first.status()).isEqualTo(200);
            assertThat(first.field("content-type")).isEqualTo("text/html; charset=utf-8");
            assertThat(first.field("cache-control")).isEqualTo("no-store");
            assertThat(first.text())
                    .contains("<dd>" + demo.pid() + ", started at 20", "number 1 of this process")
                    .containsPattern("<dt>Time</dt><dd>20[0-9-]{8} [0-9:]{8} UTC</dd>")
                    .containsOnlyOnce("<span>1 answered with this</span>")
                    .doesNotContain("<script", "https://", "src=")
                    .doesNotContainPattern("[{][a-z]+[}]");
            assertThat(server.get("/demo/").text()).contains("number 2 of this process");
            assertThat(server.get("/demo/other").status()).isEqualTo(404);
            assertThat(server.get("/demonstration").status()).isEqualTo(404);
        }
    }

    @Test
    void showsWhatTheFormSentAsTextOnly() throws Exception {
        try (ServerProcess server = started()) {
            assertThat(post(server, "text=a+%3Cb%3E%26%27%7Btime%7D").text())
                    .contains("It got: <q>a &lt;b&gt;&amp;&#39;{time}</q>");
            assertThat(post(server, "text=%").text()).doesNotContain("It got");
            assertThat(post(server, "other=1").text()).doesNotContain("It got");
            String delete = "DELETE /demo HTTP/1.1\r\nHost: test\r\nContent-Length: 0\r\n\r\n";
            try (RawClient client = RawClient.connect(server.socketAddress())) {
                assertThat(client.exchange(delete).status()).isEqualTo(405);
            }
        }
    }

    @Test
    void isStartedAgainAfterItsProcessWasKilled() throws Exception {
        try (ServerProcess server = started()) {
            ProcessHandle first = process(server);
            assertThat(first.destroyForcibly()).isTrue();
            server.awaitLine(DIALLED_IN);
            ProcessHandle second = process(server);
            assertThat(second.pid()).isNotEqualTo(first.pid());
            assertThat(server.get("/demo").text()).contains("<dd>" + second.pid() + ", started");
            server.signal("TERM");
            assertThat(server.exitCode()).isZero();
            assertThat(server.errors())
                    .startsWith(
                            "serval: The demo has ended (process " + first.pid() + ", exit code")
                    .hasLineCount(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "KILL"})
    void endsWithTheServerAlsoIfItIsKilled(String signal) throws Exception {
        try (ServerProcess server = started()) {
            ProcessHandle demo = process(server);
            server.signal(signal);
            assertThat(server.exitCode() == 0).isEqualTo(signal.equals("TERM"));
            Await.until("the demo ends", () -> ProcessTree.hasEnded(demo));
        }
    }

    @Test
    void dialsInWhereOtherApplicationsDo() throws Exception {
        Path file = Files.writeString(folder.resolve("index.html"), "mine");
        try (ServerProcess server =
                started(file.toString(), "--lrwp", "0.0.0.0:0", "--lrwp-allow", "osp")) {
            assertThat(server.screen().stream().filter(line -> line.contains("(LRWP)")))
                    .singleElement()
                    .asString()
                    .contains("only ", "osp", "demo");
            assertThat(server.get("/demo").status()).isEqualTo(200);
        }
        Path socket = folder.resolve("lrwp.sock");
        try (ServerProcess server = started("--lrwp", "unix:" + socket)) {
            assertThat(server.screen().stream().filter(line -> line.endsWith("any name")))
                    .as("the file, and a port for the demo")
                    .hasSize(2);
            assertThat(server.get("/demo").status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/demo=FOLDER,, --demo serves its page at /demo",
        "/demo=http://127.0.0.1:9,, --demo serves its page at /demo",
        "/other=FOLDER, Demo, leave out --lrwp-allow demo"
    })
    void refusesWhatWouldHideIt(String mount, String allowed, String sentence) throws Exception {
        List<String> arguments =
                new ArrayList<>(
                        List.of("run", "--demo", mount.replace("FOLDER", folder.toString())));
        if (allowed != null) {
            arguments.addAll(List.of("--lrwp", "0", "--lrwp-allow", allowed));
        }
        Succession none = new Succession(null, () -> new Launch(List.of("none")));
        Invocation invocation =
                CommandSyntax.read(
                        arguments.toArray(String[]::new),
                        (options, again) -> new Run(options, again, none));
        assertThat(invocation).isInstanceOf(Invocation.Refuse.class);
        assertThat(((Invocation.Refuse) invocation).problems())
                .singleElement()
                .asString()
                .contains(sentence);
    }

    /// The lines that the page shows are a program.
    @Test
    void exampleOnThePageCompiles() throws Exception {
        Path source = folder.resolve("Hello.java");
        try (var in = Demo.class.getResourceAsStream("Hello.java.txt")) {
            Files.write(source, in.readAllBytes());
        }
        assertThat(
                        Files.readString(source, StandardCharsets.UTF_8)
                                .lines()
                                .filter(line -> !line.isBlank()))
                .as("ten lines")
                .hasSizeLessThanOrEqualTo(10);
        String path =
                System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path"));
        int result =
                ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "-proc:none",
                                "-cp",
                                path,
                                "-d",
                                folder.toString(),
                                source.toString());
        assertThat(result).isZero();
    }
}
