package dev.serval.gateway.lrwp;

import static dev.serval.gateway.lrwp.Clients.FILES;
import static dev.serval.gateway.lrwp.Clients.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.Route;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Limits;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
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
}
