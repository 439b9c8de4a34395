package dev.serval.examples.osp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.lrwp.peer.ScriptedAgent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Calls of the real client through a bridge of the test.
@Timeout(120)
final class ToolkitClientTest {
    @TempDir Path folder;

    private OspServer server(ScriptedAgent agent, String tokens) throws Exception {
        Path routes =
                Files.writeString(
                        folder.resolve("routes.txt"),
                        "route 1678 [1.1.1.1] rate=0.01\nroute 1678 [2.2.2.2]:5060 rate=0.02\n");
        return OspServer.start(
                List.of(
                        "--agent",
                        "127.0.0.1:" + agent.port(),
                        "--routes",
                        routes.toString(),
                        "--state",
                        folder.resolve("state").toString(),
                        "--connections",
                        "2",
                        "--tokens",
                        tokens));
    }

    @ParameterizedTest
    @ValueSource(strings = {"signed", "text"})
    void authorisesTriesBothDestinationsAndReportsUsage(String tokens) throws Exception {
        ToolkitClient client = ToolkitClient.compile(folder);
        try (ScriptedAgent agent = new ScriptedAgent();
                OspServer server = server(agent, tokens);
                HttpBridge bridge = new HttpBridge(agent, 2)) {
            ToolkitClient.Run run = client.call(bridge.url("/osp"), "14048724799", "1678");
            assertThat(run.out())
                    .contains("RequestAuthorisation 0\n")
                    .contains("destinations 2\n")
                    .contains("destination [1.1.1.1] for 1678, 14400 s, token of ")
                    .contains("destination [2.2.2.2]:5060 for 1678, 14400 s, token of ")
                    .contains("ReportUsage 0\n")
                    .contains("TransactionDelete 0\n");
            assertThat(run.exit()).isZero();
            // One record for the destination that failed, one for the one that answered.
            assertThat(server.recordsWritten()).isEqualTo(2);
        }
        assertThat(Files.readString(folder.resolve("state/records.tsv")))
                .contains("\t14048724799\t1678\t")
                .contains("\t[1.1.1.1]\t")
                .contains("\t[2.2.2.2]:5060\t");
    }

    @Test
    void seesTheStatusOfARefusal() throws Exception {
        ToolkitClient client = ToolkitClient.compile(folder);
        try (ScriptedAgent agent = new ScriptedAgent();
                OspServer server = server(agent, "text");
                HttpBridge bridge = new HttpBridge(agent, 2)) {
            ToolkitClient.Run run = client.call(bridge.url("/osp"), "14048724799", "99");
            assertThat(run.exit()).isOne();
            assertThat(run.out())
                    .doesNotContain("RequestAuthorisation 0\n")
                    .contains("TransactionDelete 0");
            assertThat(server.messages()).isPositive();
        }
    }
}
