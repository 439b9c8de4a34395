package dev.serval.server;

import dev.serval.ListenerSpec;
import dev.serval.admin.AdminSite;
import dev.serval.control.Commands;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.http.Fields;
import dev.serval.http.Status;
import dev.serval.policy.Limits;
import dev.serval.policy.LoadMode;
import dev.serval.route.RouteTable;
import dev.serval.route.Router;
import dev.serval.settings.AdminChoice;
import dev.serval.site.Reloads;
import org.jspecify.annotations.Nullable;

/// The administration listener of a server. It listens from the start on, and answers 503 until the
/// server has started. [#open] is called once, by the main thread.
final class Administration implements Handler {
    private static final int CONNECTIONS_MAX = 100;
    private static final long CONTENT_MAX_BYTES = 1 << 20;

    private final AdminChoice choice;
    private volatile @Nullable Handler site;

    Administration(AdminChoice choice) {
        this.choice = choice;
    }

    /// Returns its listener, with limits of its own, so that it answers while the public ones are full.
    ListenerSpec listener() {
        return new ListenerSpec(choice.address())
                .withHandler(this)
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
    void open(Reloads reloads, Commands commands) {
        Handler handler = AdminSite.handler(choice.password(), reloads, commands, System.getenv());
        site = new Router(RouteTable.builder().mount("/", handler).build());
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
