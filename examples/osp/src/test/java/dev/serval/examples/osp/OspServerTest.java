package dev.serval.examples.osp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.examples.osp.message.OspMessage;
import dev.serval.examples.osp.message.OspStatus;
import dev.serval.lrwp.peer.ScriptedAgent;
import dev.serval.lrwp.peer.ScriptedAgent.Line;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The whole server behind a scripted agent.
@Timeout(60)
final class OspServerTest {
    @TempDir Path folder;
    private ScriptedAgent agent;
    private Path routes;

    @BeforeEach
    void listen() throws IOException {
        agent = new ScriptedAgent();
        routes = Files.writeString(folder.resolve("routes.txt"), "route 1678 [1.1.1.1]\n");
    }

    @AfterEach
    void close() throws IOException {
        agent.close();
    }

    private OspServer start(String... more) throws IOException {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "--agent",
                                "127.0.0.1:" + agent.port(),
                                "--routes",
                                routes.toString(),
                                "--state",
                                folder.resolve("state").toString(),
                                "--connections",
                                "1",
                                "--key",
                                "ec"));
        arguments.addAll(List.of(more));
        return OspServer.start(arguments);
    }

    private static String ask(Line line, String method, String path, String body)
            throws IOException {
        line.send(
                ScriptedAgent.request(
                        Map.of(
                                "REQUEST_METHOD",
                                method,
                                "PATH_INFO",
                                path,
                                "CONTENT_TYPE",
                                "text/plain",
                                "REMOTE_ADDR",
                                "127.0.0.1"),
                        body.getBytes(StandardCharsets.UTF_8)));
        return new String(line.answer(), StandardCharsets.UTF_8);
    }

    private static String usage(int id, String calling) {
        return "<Message messageId=\"m"
                + id
                + "\"><UsageIndication componentId=\"c\"><Role>source"
                + "</Role><TransactionId>7</TransactionId><CallId>1</CallId><SourceInfo>"
                + calling
                + "</SourceInfo><UsageDetail/></UsageIndication></Message>";
    }

    @Test
    void answersMessagesAsTheClientExpects() throws Exception {
        try (OspServer server = start();
                Line line = agent.acceptAndRegister()) {
            String answer =
                    ask(
                            line,
                            "POST",
                            "",
                            "<?xml version=\"1.0\"?><Message messageId=\"77\" random=\"1\">"
                                    + "<AuthorizationRequest componentId=\"76\"><CallId"
                                    + " encoding=\"base64\">MQ==</CallId><SourceInfo type=\"e164\">1404"
                                    + "</SourceInfo><DestinationInfo type=\"e164\">\n1678"
                                    + "</DestinationInfo></AuthorizationRequest></Message>");
            assertThat(answer)
                    .startsWith(
                            "Content-Type: text/plain; charset=utf-8\r\nCache-Control: no-transform\r\n\r\n<?xml")
                    .contains("<Message messageId=\"77\" random=\"")
                    .contains("<AuthorizationResponse componentId=\"76\">")
                    .contains("<Code>200</Code>")
                    .contains("<DestinationSignalAddress>[1.1.1.1]</DestinationSignalAddress>");
            assertThat(ask(line, "POST", "", "no message"))
                    .startsWith("Content-Type: text/plain")
                    .contains("<Code>411</Code>");
            assertThat(ask(line, "POST", "", usage(1, "1"))).contains("<Code>200</Code>");
            assertThat(server.messages()).isEqualTo(3);
            assertThat(server.recordsWritten()).isOne();
            assertThat(server.summary())
                    .isEqualTo("calls in all: 1, messages: 3, components: 2, records: 1");
        }
        assertThat(Files.readAllLines(folder.resolve("state/records.tsv"))).hasSize(2);
    }

    @Test
    void passphraseIsTheFirstLineOfItsFile() throws Exception {
        Path file = Files.writeString(folder.resolve("pass"), " a b \r\nnote\n");
        try (OspServer _ = start("--passphrase-file", file.toString());
                Line line = agent.accept()) {
            line.startup(4);
            line.send("CHALLENGE\u00ff000000032" + "c".repeat(32));
            byte[] answer = line.read(41);
            byte[] bytes = " a b ".getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < 32; i++) {
                assertThat(answer[9 + i] ^ 'c').isEqualTo(bytes[i % bytes.length]);
            }
        }
        for (String empty : List.of("", "\nsecret\n")) {
            Files.writeString(file, empty);
            assertThatThrownBy(() -> start("--passphrase-file", file.toString()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("has no passphrase");
        }
    }

    @Test
    void pageShowsRoutesAndRecordsEscaped() throws Exception {
        try (OspServer _ = start("--tokens", "text");
                Line line = agent.acceptAndRegister()) {
            ask(line, "POST", "", usage(1, "&lt;script&gt;alert(1)&lt;/script&gt;"));
            String page = ask(line, "GET", "", "");
            assertThat(page)
                    .startsWith("Content-Type: text/html; charset=utf-8\r\n")
                    .contains("[1.1.1.1]")
                    .contains("&lt;script&gt;alert(1)")
                    .doesNotContain("<script")
                    .contains("prefers-color-scheme: dark")
                    .contains("Tokens: text.");
            assertThat(ask(line, "GET", "/counters", ""))
                    .contains("\nusage_indication 1\n")
                    .contains("\nrecords 1\n");
            assertThat(ask(line, "GET", "/other", "")).startsWith("Status: 404 ");
            assertThat(ask(line, "PUT", "", "x")).startsWith("Status: 405 ").contains("Allow: GET");
        }
    }

    @Test
    void messageAboveTheLimitIsTooLarge() throws Exception {
        try (OspServer _ = start();
                Line line = agent.acceptAndRegister()) {
            assertThat(ask(line, "POST", "", " ".repeat(64 << 10))).contains("<Code>411</Code>");
            assertThat(ask(line, "POST", "", " ".repeat((64 << 10) + 1)))
                    .startsWith("Status: 413 ");
            assertThat(ask(line, "POST", "", usage(2, "1"))).contains("<Code>200</Code>");
        }
    }

    @Test
    void recordsMayGoToTheDatabase() throws Exception {
        for (int i = 0; i < 2; i++) {
            try (OspServer server = start("--records", "database");
                    Line line = agent.acceptAndRegister()) {
                assertThat(ask(line, "POST", "", usage(i, "1"))).contains("<Code>200</Code>");
                assertThat(server.recordsWritten()).isOne();
            }
        }
        assertThat(folder.resolve("state/records.mv.db")).exists();
    }

    @Test
    void stateFolderHasOneServer() throws Exception {
        try (OspServer _ = start()) {
            assertThatThrownBy(this::start)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("is in use by another OSP server");
        }
        assertThatThrownBy(() -> start("--passphrase-file", folder.resolve("none").toString()))
                .hasMessageContaining("does not exist");
        start().close();
    }

    @Test
    void wrongFilesAreExplained() throws Exception {
        Files.writeString(routes, "route x y\n");
        assertThatThrownBy(this::start)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("routes.txt:1: \"x\" is not a prefix");
        Files.delete(routes);
        assertThatThrownBy(this::start).hasMessageContaining("does not exist: create it.");
    }

    @Test
    void minuteIsLoggedFromTheCounts() {
        assertThat(
                        CallCounts.line(
                                new CallCounts.Totals(10, 2, 20, 4),
                                new CallCounts.Totals(110, 22, 140, 84)))
                .isEqualTo("calls per minute: 20, messages: 100, components: 120, records: 80");
    }

    @Test
    void secondsAreInOrder() {
        try (CallCounts counts = new CallCounts(() -> 0)) {
            for (int i = 1; i <= 61; i++) {
                for (int j = 0; j < i; j++) {
                    counts.count(new OspMessage("", List.of(), OspStatus.SUCCESS, ""));
                }
                counts.tick();
            }
            assertThat(counts.perSecond()).hasSize(60).startsWith(2L, 3L).endsWith(60L, 61L);
        }
    }
}
