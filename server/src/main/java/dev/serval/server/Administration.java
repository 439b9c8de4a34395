package dev.serval.server;

import dev.serval.ListenerSpec;
import dev.serval.admin.AdminSite;
import dev.serval.control.Commands;
import dev.serval.exchange.EngineExchange;
import dev.serval.figures.ServerFigures;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;
import dev.serval.handler.Route;
import dev.serval.http.Fields;
import dev.serval.http.Status;
import dev.serval.live.LivePage;
import dev.serval.policy.Limits;
import dev.serval.policy.LoadMode;
import dev.serval.settings.AdminChoice;
import dev.serval.site.LiveSite;
import dev.serval.site.Readiness;
import dev.serval.site.Reloads;
import dev.serval.site.StatePaths;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The administration listener of a server. It listens from the start on, and answers 503 until the
/// server has started. [#open] is called once, by the main thread.
final class Administration implements Handler, AutoCloseable {
    /// The name of its mount in metrics, which separates its requests from those of the public.
    private static final String MOUNT = "administration";

    private static final int CONNECTIONS_MAX = 100;
    private static final long CONTENT_MAX_BYTES = 1 << 20;

    private final AdminChoice choice;
    private final Route own; // so that all its requests count as its own
    private volatile @Nullable Handler site;
    private @Nullable LivePage page; // used by the main thread

    Administration(AdminChoice choice, Readiness readiness) {
        this.choice = choice;
        Handler states = StatePaths.before(this, readiness, "/ready", "/health");
        own = new Route("/", List.of(states), new Mapping(MOUNT));
    }

    /// Returns its listener, with limits of its own, so that it answers while the public ones are full.
    ListenerSpec listener() {
        return new ListenerSpec(choice.address())
                .withHandler(x -> EngineExchange.of(x).enter(own))
                .withOwnerOnly()
                .withLimits(
                        Limits.DEFAULT.with(draft -> {
                            draft.counts.connectionsMax = CONNECTIONS_MAX;
                            draft.counts.exchangesMax = CONNECTIONS_MAX;
                            draft.content.maxBytes = CONTENT_MAX_BYTES;
                            draft.load.forced = LoadMode.LIGHT;
                        }));
    }

    /// Answers requests from now on.
    void open(LiveSite live, Reloads reloads, Commands commands) {
        LivePage made = new LivePage(live, MOUNT);
        page = made;
        site =
                AdminSite.handler(
                        choice, reloads, commands, new ServerFigures(live), made, System.getenv());
    }

    /// Ends the history of the live page. Requests are still answered.
    @Override
    public void close() {
        if (page != null) {
            page.close();
        }
    }

    @Override
    public void handle(Exchange x) {
        @Nullable Handler open = site;
        if (open == null) {
            x.refuse(Status.SERVICE_UNAVAILABLE, Fields.EMPTY, "The server is starting.");
        } else {
            open.handle(x);
        }
    }
}
