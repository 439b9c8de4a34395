package dev.serval.gateway.peer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.lrwp.GatewayInMemory;
import dev.serval.net.memory.MemoryPeer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How many requests may hold connections for as long as their clients like.
final class StreamedUploadsTest {
    private static final String HALF =
            """
            POST / HTTP/1.1\r
            Host: h\r
            Transfer-Encoding: chunked\r
            \r
            4\r
            half\r
            """;

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "3, 1", "4, 2", "128, 64"})
    void halfOfTheConnectionsAtMostButOne(int connections, int most) {
        StreamedUploads uploads = new StreamedUploads(() -> connections);
        for (int i = 0; i < most; i++) {
            assertThat(uploads.begin()).isTrue();
        }
        assertThat(uploads.begin()).isFalse();
        uploads.end();
        assertThat(uploads.begin()).isTrue();
        assertThat(uploads.begin()).isFalse();
    }

    /// It gives its place back, so that the content of the next one is not collected.
    @Test
    void requestWhoseClientGoesCountsNoMore() {
        PeerPool pool =
                GatewayInMemory.pool(PoolLimits.DIAL_OUT.with(draft -> draft.connectionsMax = 2));
        try (GatewayInMemory gateway = GatewayInMemory.proxying(pool, true)) {
            MemoryPeer client = gateway.client(0);
            for (int i = 0; i < 3; i++) {
                client.send(HALF);
                gateway.run();
                assertThat(gateway.accept(0).takeText()).endsWith("half\r\n");
                client.reset();
                gateway.run();
                client = gateway.client(0);
            }
        }
    }

    @Test
    void mountWithoutBufferGivesAllConnectionsToClients() {
        PeerPool pool =
                GatewayInMemory.pool(PoolLimits.DIAL_OUT.with(draft -> draft.connectionsMax = 2));
        try (GatewayInMemory gateway = GatewayInMemory.proxying(pool, false)) {
            for (int i = 0; i < 2; i++) {
                gateway.client(0).send(HALF);
                gateway.run();
                assertThat(gateway.accept(0).takeText()).endsWith("half\r\n");
            }
        }
    }
}
