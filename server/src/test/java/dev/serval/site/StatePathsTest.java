package dev.serval.site;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.Handler;
import dev.serval.route.RouteTable;
import dev.serval.route.Router;
import org.junit.jupiter.api.Test;

final class StatePathsTest {
    /// So TRACE is refused with the methods that a path allows, or with 404, as without it.
    @Test
    void takesTheMethodsAndTunnelsOfTheNextHandler() {
        Handler next = Handler.ofConnect(new Router(RouteTable.builder().build()), "websocket");
        Handler paths = StatePaths.before(next, new Readiness(), "/ready", null);
        assertThat(paths.takesTrace()).isTrue();
        assertThat(paths.takesOtherMethods()).isTrue();
        assertThat(paths.connectProtocols()).containsExactly("websocket");
    }
}
