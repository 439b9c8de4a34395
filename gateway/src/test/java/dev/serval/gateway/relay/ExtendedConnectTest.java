package dev.serval.gateway.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.file.FileOptions;
import dev.serval.gateway.fastcgi.FastcgiHandler;
import dev.serval.gateway.fastcgi.FastcgiTarget;
import dev.serval.gateway.lrwp.GatewayInMemory;
import dev.serval.gateway.lrwp.LrwpAgent;
import dev.serval.gateway.lrwp.LrwpSettings;
import dev.serval.gateway.peer.PeerPool;
import dev.serval.gateway.peer.PoolLimits;
import dev.serval.gateway.proxy.ProxyHandler;
import dev.serval.gateway.proxy.ProxyTarget;
import dev.serval.gateway.scgi.ScgiHandler;
import dev.serval.gateway.spool.Collecting;
import dev.serval.gateway.spool.SpoolLimits;
import dev.serval.gateway.spool.SpoolQuota;
import dev.serval.handler.Handler;
import dev.serval.http.PathPatterns;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.testkit.Http2Peer;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Extended CONNECT at a server that has another handler for it.
final class ExtendedConnectTest {
    private final LrwpAgent agent = new LrwpAgent(LrwpSettings.DEFAULT);
    private final PeerPool pool = GatewayInMemory.pool(PoolLimits.DIAL_OUT);

    @ParameterizedTest
    @ValueSource(strings = {"http", "fastcgi", "scgi"})
    void isNotImplementedByMounts(String kind) throws IOException {
        try (GatewayInMemory gateway = new GatewayInMemory(1, agent, handler(kind))) {
            assertThat(connect(gateway)).startsWith("HEADERS 1 :status=501 ");
            assertThat(pool.open()).isZero();
        }
    }

    private Handler handler(String kind) throws IOException {
        Collecting collecting = new Collecting(new SpoolQuota(SpoolLimits.DEFAULT), true);
        return switch (kind) {
            case "http" -> new ProxyHandler(pool, ProxyTarget.DEFAULT, collecting);
            case "scgi" -> new ScgiHandler(pool, collecting);
            default ->
                    new FastcgiHandler(
                            pool,
                            FastcgiTarget.ofApplication(),
                            null,
                            PathPatterns.NONE,
                            FileOptions.DEFAULT,
                            collecting);
        };
    }

    @Test
    void isNotImplementedByApplicationsThatHaveDialledIn() {
        try (GatewayInMemory gateway = new GatewayInMemory(1, agent, agent.handler())) {
            MemoryPeer peer = gateway.registered(0, "chat");
            assertThat(connect(gateway)).startsWith("HEADERS 1 :status=501 ");
            assertThat(peer.length()).isZero();
        }
    }

    private static String connect(GatewayInMemory gateway) {
        String head =
                ":method CONNECT|:protocol "
                        + GatewayInMemory.CONNECT_PROTOCOL
                        + "|:scheme http|:path /chat|:authority test";
        return gateway.http2(0)
                .frame(Http2Peer.HEADERS, Http2Peer.END_HEADERS, 1, Http2Peer.block(head))
                .answers();
    }
}
