package dev.serval.site;

import dev.serval.backend.Backends;
import dev.serval.backend.Mounted;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.handler.MountSettings;
import dev.serval.settings.Place;
import java.util.Map;
import java.util.Set;

/// Composes the routes of a site. An exchange passes the rules of its place, then applications that
/// have dialled in, then what is mounted. So no application gets round a login. Stateless.
public final class Routes {
    private static final Handler NOTHING = Handler.ofEveryMethod(Exchange::pass);

    private Routes() {}

    /// Takes the routes.
    @FunctionalInterface
    public interface Table {
        /// Adds a route.
        void mount(String host, String prefix, MountSettings settings, Handler... chain);
    }

    /// Adds a route for each place.
    ///
    /// @param mounted what is at each place
    /// @param closed the places of web applications and neighbours
    /// @return what `backends` is to use as soon as the routes are in force
    /// @throws IllegalArgumentException if the table refuses a route
    public static Backends.Plan compose(
            Map<Place, Mounted> mounted,
            Set<Place> closed,
            Backends backends,
            Rules rules,
            Table table) {
        Backends.Plan plan = backends.plan(mounted, closed);
        plan.all()
                .forEach((place, each) -> {
                    Mounted all = rules.before(place, each);
                    if (!all.chain().isEmpty()) {
                        table.mount(place.host(), place.prefix(), all.settings(), all.handlers());
                    } else if (isRestOfHost(place, rules)) {
                        table.mount(place.host(), place.prefix(), all.settings(), NOTHING);
                    }
                });
        return plan;
    }

    /// Returns whether nothing is mounted at a place because it only stands for what no mount of its host
    /// answers. Below the root, a request that the rules let pass belongs to the mount above.
    private static boolean isRestOfHost(Place place, Rules rules) {
        return place.prefix().equals("/") && rules.has(place);
    }
}
