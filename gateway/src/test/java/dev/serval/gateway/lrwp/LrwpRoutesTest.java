package dev.serval.gateway.lrwp;

import static dev.serval.gateway.lrwp.Clients.FILES;
import static dev.serval.gateway.lrwp.Clients.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.Route;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Limits;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which application serves a request, of those that the mount lets in front of it.
final class LrwpRoutesTest {
    private static final String FF = "\u00ff";

    @ParameterizedTest
    @ValueSource(strings = {"/", ".lrp"})
    void shorterNameForTheHostDoesNotHideALongerOneBelowAMount(String shorter) {
        LrwpAgent agent = new LrwpAgent(LrwpSettings.DEFAULT);
        Route docs = new Route("/docs", List.of(agent.handler(), FILES));
        try (GatewayInMemory gateway = new GatewayInMemory(1, agent, Limits.DEFAULT, docs)) {
            MemoryPeer longer = gateway.registered(0, "docs/api");
            MemoryPeer ofHost = gateway.registered(0, shorter + FF + "h.example");
            MemoryPeer client = gateway.client(0);
            client.send(get("/docs/api/x.lrp"));
            gateway.run();
            assertThat(Messages.request(longer.takeText()).path()).isEqualTo("/x.lrp");
            longer.send(Messages.plain("of the longer"));
            gateway.run();
            assertThat(client.takeText()).endsWith("of the longer");
            assertThat(gateway.ask(client, get("/docs/x.lrp"))).endsWith("files");
            assertThat(ofHost.length()).isZero();
        }
    }

    /// A web application drops parameters, and would serve the path in place of the peer.
    @ParameterizedTest
    @CsvSource({
        "/shop/cart;x=1/items, 400",
        "/shop/cart;x, 400",
        "/shop;y/cart/items, 400",
        "/shop/a.lrp;x.y=1, 400",
        "/shop/a.lrp;x;y, 400",
        "/shop/carts;x/items, 200",
        "/shop/car;t, 200",
        "/shop/a.lrp;x/items, 200",
        "/shop/.lrp;x, 200",
        "/shop/a;x, 200"
    })
    void parametersLeadNoRequestRoundAnApplication(String target, int status) {
        AllowedNames named = AllowedNames.of(Map.of("shop/cart", new byte[0], ".lrp", new byte[0]));
        LrwpAgent agent = new LrwpAgent(LrwpSettings.DEFAULT.withAllowed(named));
        try (GatewayInMemory gateway =
                new GatewayInMemory(1, agent, agent.guardedHandler(), FILES)) {
            MemoryPeer cart = gateway.registered(0, "shop/cart");
            MemoryPeer suffix = gateway.registered(0, ".lrp");
            MemoryPeer client = gateway.client(0);
            assertThat(gateway.ask(client, get(target))).startsWith("HTTP/1.1 " + status + " ");
            assertThat(cart.length() + suffix.length()).isZero();
            cart.end();
            suffix.end();
            gateway.run();
            assertThat(gateway.ask(gateway.client(0), get(target))).endsWith("files");
        }
    }

    @Test
    void parametersAfterItsPathBelongToTheApplication() {
        LrwpAgent agent = new LrwpAgent(LrwpSettings.DEFAULT);
        try (GatewayInMemory gateway = new GatewayInMemory(1, agent, agent.handler(), FILES)) {
            MemoryPeer peer = gateway.registered(0, "app");
            gateway.client(0).send(get("/app/a;x=1/b;y"));
            gateway.run();
            assertThat(Messages.request(peer.takeText()).path()).isEqualTo("/a;x=1/b;y");
        }
    }
}
