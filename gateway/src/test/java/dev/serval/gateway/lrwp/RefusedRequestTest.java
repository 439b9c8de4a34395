package dev.serval.gateway.lrwp;

import static dev.serval.gateway.lrwp.Clients.get;
import static dev.serval.gateway.lrwp.Clients.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.peer.PeerPool;
import dev.serval.gateway.peer.PoolLimits;
import dev.serval.gateway.proxy.ProxyHandler;
import dev.serval.gateway.proxy.ProxyTarget;
import dev.serval.gateway.spool.Collecting;
import dev.serval.gateway.spool.SpoolLimits;
import dev.serval.gateway.spool.SpoolQuota;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Limits;
import org.junit.jupiter.api.Test;

/// Requests past the limit of those in progress. Their clients may send them again, so no application
/// may get them.
@SuppressWarnings("StringConcatToTextBlock") // lines end with CRLF
final class RefusedRequestTest {
    private static final Limits ONE = Limits.DEFAULT.with(draft -> draft.counts.exchangesMax = 1);
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    private final LrwpAgent agent = new LrwpAgent(LrwpSettings.DEFAULT);
    private final PeerPool pool = GatewayInMemory.pool(PoolLimits.DIAL_OUT);

    @Test
    void idlePeerDoesNotGetThem() {
        try (GatewayInMemory gateway = new GatewayInMemory(1, agent, ONE, agent.handler())) {
            MemoryPeer one = gateway.registered(0, "app");
            MemoryPeer two = gateway.registered(0, "app");
            MemoryPeer first = gateway.client(0);
            first.send(get("/app/1"));
            gateway.run();
            int sent = one.length() + two.length();
            assertThat(sent).isPositive();
            assertThat(gateway.ask(gateway.client(0), post("/app/2", "x")))
                    .startsWith("HTTP/1.1 503 ")
                    .contains("Retry-After: ");
            assertThat(gateway.ask(gateway.client(0), get("/app/3"))).startsWith("HTTP/1.1 503 ");
            assertThat(one.length() + two.length()).isEqualTo(sent);
            (one.length() > 0 ? one : two).send(Messages.plain("done"));
            gateway.run();
            assertThat(first.takeText()).endsWith("done");
            assertThat(agent.status().getFirst().busy()).isZero();
        }
    }

    @Test
    void idleConnectionToAnUpstreamDoesNotGetThemAndStays() {
        Collecting first = new Collecting(new SpoolQuota(SpoolLimits.DEFAULT), true);
        ProxyHandler proxy = new ProxyHandler(pool, ProxyTarget.DEFAULT, first);
        try (GatewayInMemory gateway = new GatewayInMemory(1, agent, ONE, proxy)) {
            MemoryPeer warm = gateway.client(0);
            warm.send(get("/0"));
            gateway.run();
            MemoryPeer up = gateway.accept(0);
            up.send(OK);
            gateway.run();
            assertThat(warm.takeText()).endsWith("ok");
            up.clear();
            MemoryPeer upload = gateway.client(0);
            upload.send("POST /1 HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nhalf");
            gateway.run(); // it has the permit until all of its content is here
            assertThat(up.length()).isZero();
            assertThat(gateway.ask(gateway.client(0), get("/2"))).startsWith("HTTP/1.1 503 ");
            assertThat(up.length()).isZero();
            assertThat(up.isClosed()).isFalse();
        }
    }
}
