package dev.serval.bench.run;

import dev.serval.bench.load.Client;
import dev.serval.bench.load.Offer;
import dev.serval.bench.load.OpenLoad;
import dev.serval.bench.peer.Peers;
import dev.serval.bench.peer.Role;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.Site;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.scenario.Scenario;
import java.io.IOException;

/// Measures the ceiling of the generator of open loads. Stateless.
final class Ceiling {
    private static final int FLOOR_USERS = 64;

    private Ceiling() {}

    /// Makes a load on a target.
    interface Generator {
        OpenLoad on(Client.Target target) throws IOException;
    }

    /// Returns how many requests per second the generator makes of a server that does nearly no
    /// work, with a connection for each.
    static double of(Bench bench, OpenLoad.Terms terms) throws IOException {
        return of(bench, target -> OpenLoad.on(target, terms));
    }

    /// Returns how many requests per second this generator makes of such a server.
    static double of(Bench bench, Generator generator) throws IOException {
        Stage stage = bench.stage();
        Site.Page page = stage.site().page(Scenario.FLOOR);
        Stage files = stage.servingFiles(); // the floor reads no folders
        try (RunningPeer floor = Peers.shipped("floor", Role.FILES).start(files);
                OpenLoad load = generator.on(new Client.Target(floor.port(), page))) {
            load.run(Offer.closed(FLOOR_USERS, 1));
            double ceiling = load.run(Offer.closed(FLOOR_USERS, 1)).rightPerSecond();
            bench.say("the generator's ceiling: %.0f requests/s", ceiling);
            return ceiling;
        }
    }

    /// Returns the note of a report.
    static String note(double ceiling) {
        return "the generator's ceiling is %.0f requests/s, with a server that does nearly no work"
                .formatted(ceiling);
    }
}
