package dev.serval.examples.osp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.lrwp.peer.ScriptedAgent;
import dev.serval.lrwp.peer.ScriptedAgent.Line;
import dev.serval.testkit.database.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Call detail records in a real PostgreSQL.
@Timeout(120)
final class PostgresTest {
    @TempDir Path folder;

    private OspServer start(ScriptedAgent agent, String url) throws Exception {
        Path routes = Files.writeString(folder.resolve("routes.txt"), "route 1678 [1.1.1.1]\n");
        return OspServer.start(
                List.of(
                        "--agent",
                        "127.0.0.1:" + agent.port(),
                        "--routes",
                        routes.toString(),
                        "--state",
                        folder.resolve("state").toString(),
                        "--connections",
                        "1",
                        "--tokens",
                        "text",
                        "--records",
                        "database",
                        "--database",
                        url));
    }

    private static String ask(Line line, int transaction) throws Exception {
        String message =
                "<Message messageId=\"m"
                        + transaction
                        + "\"><UsageIndication componentId=\"c\"><Role>source</Role><TransactionId>"
                        + transaction
                        + "</TransactionId><CallId>1</CallId><SourceInfo>1404 \u00e9 '); DROP TABLE"
                        + " osp_usage; --</SourceInfo><UsageDetail><Amount>30</Amount>"
                        + "</UsageDetail></UsageIndication></Message>";
        line.send(
                ScriptedAgent.request(
                        Map.of(
                                "REQUEST_METHOD",
                                "POST",
                                "CONTENT_TYPE",
                                "text/plain",
                                "REMOTE_ADDR",
                                "127.0.0.1"),
                        message.getBytes(StandardCharsets.UTF_8)));
        return new String(line.answer(), StandardCharsets.UTF_8);
    }

    private static List<String> stored(String url) throws Exception {
        List<String> found = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                "SELECT transaction_id, calling FROM osp_usage ORDER BY 1")) {
            while (rows.next()) {
                found.add(rows.getString(1) + " " + rows.getString(2));
            }
        }
        return found;
    }

    @Test
    void confirmedRecordsAreInTheDatabaseAlsoAfterItsCrash() throws Exception {
        String text = " 1404 \u00e9 '); DROP TABLE osp_usage; --";
        assumeThat(PostgresServer.isInstalled()).as(PostgresServer.NEEDED).isTrue();
        try (PostgresServer postgres = PostgresServer.start();
                ScriptedAgent agent = new ScriptedAgent()) {
            String url = postgres.url();
            try (OspServer server = start(agent, url);
                    Line line = agent.acceptAndRegister()) {
                assertThat(ask(line, 1)).contains("<Code>200</Code>");
                assertThat(stored(url)).containsExactly("1" + text);
                postgres.down();
                assertThat(ask(line, 2)).as("not stored").contains("<Code>503</Code>");
                postgres.up();
                assertThat(ask(line, 2)).as("sent again").contains("<Code>200</Code>");
                assertThat(ask(line, 2)).as("a repetition").contains("<Code>200</Code>");
                assertThat(stored(url)).containsExactly("1" + text, "2" + text);
                assertThat(server.recordsWritten()).isEqualTo(2);
            }
            try (OspServer _ = start(agent, url);
                    Line line = agent.acceptAndRegister()) {
                assertThat(ask(line, 3)).contains("<Code>200</Code>");
            }
            assertThat(stored(url)).hasSize(3);
        }
    }
}
