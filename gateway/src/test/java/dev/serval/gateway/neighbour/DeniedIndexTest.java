package dev.serval.gateway.neighbour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.file.FileOptions;
import dev.serval.gateway.lrwp.GatewayInMemory;
import dev.serval.gateway.lrwp.LrwpAgent;
import dev.serval.gateway.lrwp.LrwpSettings;
import dev.serval.gateway.spool.SpoolLimits;
import dev.serval.gateway.spool.SpoolQuota;
import dev.serval.handler.Handler;
import dev.serval.http.PathPatterns;
import dev.serval.net.memory.MemoryPeer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The patterns that a FastCGI mount denies count for the index of a folder too, whoever has the root.
final class DeniedIndexTest {
    @TempDir private Path root;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void deniedScriptDoesNotAnswerForItsFolder(boolean remote) throws IOException {
        for (String folder : List.of("uploads", "shown")) {
            Files.createDirectories(root.resolve(folder));
            Files.writeString(root.resolve(folder).resolve("index.php"), "");
        }
        KindDraft.Fastcgi php = new KindDraft.Fastcgi();
        php.root = root.toString();
        php.remote = remote;
        php.files =
                FileOptions.DEFAULT.with(
                        draft -> draft.denied = PathPatterns.of(List.of("/uploads/**/*.php")));
        NeighbourDraft draft = new NeighbourDraft(php);
        draft.addresses.add(new NeighbourDraft.Address("127.0.0.1:9"));
        Neighbour mount = ((NeighbourDraft.Built) draft.build()).neighbour();
        Map<String, OpenNeighbour> opened =
                OpenNeighbour.open(Map.of("/", mount), new SpoolQuota(SpoolLimits.DEFAULT));
        try (OpenNeighbour open = Objects.requireNonNull(opened.get("/"));
                GatewayInMemory gateway =
                        new GatewayInMemory(
                                1,
                                new LrwpAgent(LrwpSettings.DEFAULT),
                                open.chain().toArray(Handler[]::new))) {
            MemoryPeer client = gateway.client(0);
            client.send("GET /uploads/ HTTP/1.1\r\nHost: h\r\n\r\n");
            gateway.run();
            gateway.work();
            assertThat(client.takeText()).startsWith("HTTP/1.1 404 ");
            assertThat(open.pool().open()).isZero();
            client.send("GET /shown/ HTTP/1.1\r\nHost: h\r\n\r\n");
            gateway.run();
            gateway.work();
            assertThat(open.pool().open()).as("the script is run").isEqualTo(1);
            client.reset();
            gateway.accept(0).reset();
            gateway.run();
        }
    }
}
