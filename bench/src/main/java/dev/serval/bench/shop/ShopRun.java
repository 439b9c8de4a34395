package dev.serval.bench.shop;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.JvmPeers;
import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.Resources;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.ServalPeer;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Gap;
import dev.serval.bench.scenario.Settings;
import dev.serval.bench.scenario.ShopCell;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Searches for the most users of the shop that each server can have, one server after the other.
public final class ShopRun {
    /// Descriptors of the suite and of a server beside those of the users.
    private static final int RESERVE = 500;

    private static final int TOURISTS = 20;
    private static final double TOUR_THINK_SECONDS = 0.2;
    private static final int TOUR_SECONDS = 5;

    /// Every server may use so much, so that the one with the least memory shows. All have the young
    /// generation of the launcher, because that of the serial collector stays a third of the initial heap
    /// until the heap is full.
    private static final List<String> HEAP = List.of("-Xms96m", "-XX:NewSize=64m", "-Xmx1g");

    private final Place place;
    private final ShopCell cell;
    private final String subject;
    private final Path application;
    private final ShopCell.Extent extent;
    private final ShopChain chain;

    /// Where servers are started and what the run says goes.
    public record Place(Stage stage, Proc proc, Settings settings, PrintStream progress) {}

    /// @param subject the server that the gate is for
    public ShopRun(Place place, ShopCell cell, String subject) {
        this(place, cell, subject, ShopWar.BUILT);
    }

    /// @param application the WAR of the shop
    ShopRun(Place place, ShopCell cell, String subject, Path application) {
        this.place = place;
        this.cell = cell;
        this.subject = subject;
        this.application = application;
        this.extent = cell.extent(place.settings());
        this.chain = ShopChain.of(cell.mix());
    }

    /// Measures these servers.
    public List<CellResult> run(List<Peer> peers) throws IOException {
        List<ShopServer> servers = new ArrayList<>();
        List<Gap> gaps = new ArrayList<>();
        Path folder = place.stage().folder().resolve("shop-" + cell.name());
        ShopWar war = ShopWar.unpack(application, folder);
        say(
                "making a database of %d books and %d customers"
                        .formatted(extent.books(), extent.customers()));
        try (ShopStore store =
                ShopStore.make(
                        cell.database(),
                        war,
                        extent,
                        place.stage().folder(),
                        "rows-" + cell.name())) {
            for (Peer peer : peers) {
                try {
                    servers.add(measure(peer, war, store));
                } catch (IOException | BenchFailure e) {
                    String why = String.valueOf(e.getMessage());
                    say(peer.name() + " failed: " + why);
                    gaps.add(Gap.failed(cell.name(), peer.name(), why));
                }
            }
        }
        return List.of(new ShopResult(cell, extent, subject, servers, gaps).table());
    }

    private void say(String line) {
        place.progress().println(cell.name() + ": " + line);
    }

    private ShopServer measure(Peer made, ShopWar war, ShopStore store) throws IOException {
        Peer peer = bounded(made);
        String url = store.restore();
        List<String> options = new ArrayList<>(HEAP);
        options.add("-Dshop.database=" + url);
        options.add("-Dshop.rounds=" + ShopStore.HASH_ROUNDS);
        options.add("-Dshop.clerk=" + ShopVisitor.CLERK);
        options.add("-Dshop.work=" + cell.workThousands());
        List<ShopTrial> trials = new ArrayList<>();
        double[] resident = {Double.NaN};
        UserSearch found;
        say("starting " + peer.name());
        Stage stage = place.stage().serving(war.folder()).speaking(cell.protocol());
        try (RunningPeer server = JvmPeers.with(peer, options).start(stage)) {
            tour(server.port());
            found = search(peer.name(), server, store, trials, resident);
        }
        return new ShopServer(peer.name(), found, trials, resident[0], fault(war, url));
    }

    /// Returns Serval with a limit of pages at work, as the other servers have one, unless it has a
    /// configuration already. By TLS it has none, because a peer has no configuration there.
    private Peer bounded(Peer peer) {
        return peer instanceof ServalPeer serval && !serval.isConfigured() && !cell.protocol().tls()
                ? serval.configured(Resources.text(ShopRun.class, "serval.toml"))
                : peer;
    }

    /// Lets a few hasty visitors see every page, so that all are compiled before the first trial.
    private void tour(int port) throws IOException {
        ShopHabits hasty =
                new ShopHabits(
                        TOUR_THINK_SECONDS,
                        0,
                        TOUR_SECONDS,
                        cell.connections(),
                        cell.answerSeconds());
        ShopChain everything = ShopChain.of(ShopCell.Mix.ORDERING);
        try (ShopLoad load =
                new ShopLoad(
                        cell.protocol(), port, everything, hasty, extent.customers(), "tourist")) {
            load.settle(TOURISTS, TOUR_SECONDS);
        }
    }

    private UserSearch search(
            String name,
            RunningPeer server,
            ShopStore store,
            List<ShopTrial> trials,
            double[] resident)
            throws IOException {
        ShopTrial.Clock clock =
                new ShopTrial.Clock(place.proc(), place.stage().cpus(), server.pid(), store.pid());
        try (ShopLoad load =
                new ShopLoad(
                        cell.protocol(),
                        server.port(),
                        chain,
                        ShopHabits.of(cell, extent),
                        extent.customers(),
                        "newcomer")) {
            return UserSearch.run(
                    cell.firstUsers(),
                    usersMax(),
                    extent.halvings(),
                    users -> {
                        ShopTrial one = trial(name, load, clock, users);
                        trials.add(one);
                        if (one.passes()) {
                            resident[0] = place.proc().treeBytes(server.pid(), "VmRSS") / 1e6;
                        }
                        return one.passes();
                    });
        }
    }

    /// Returns the most users for whose connections there are descriptors.
    private int usersMax() throws IOException {
        int room = (place.proc().descriptorsMax() - RESERVE) / cell.connections();
        return Math.clamp(cell.usersMax(), 1, Math.max(1, room));
    }

    private ShopTrial trial(String name, ShopLoad load, ShopTrial.Clock clock, int users)
            throws IOException {
        load.settle(users, extent.warmUpSeconds());
        ShopTrial.Clock.Reading before = clock.read();
        ShopTally tally = load.measure(extent.seconds());
        ShopTrial.Cost cost = clock.since(before);
        ShopTrial trial = new ShopTrial(users, tally, cost, tally.share() >= cell.share());
        say(
                String.format(
                        Locale.ROOT,
                        "%-8s %5d users: %5.1f %% in time, %.1f interactions/s, p90 %.0f ms, CPU of server"
                                + " %.0f %%, database %.0f %%, generator %.0f %%%s",
                        name,
                        users,
                        100 * tally.share(),
                        tally.perSecond(),
                        tally.millis(90),
                        100 * cost.server() / cost.seconds(),
                        100 * cost.database() / cost.seconds(),
                        100 * cost.generator() / cost.seconds(),
                        tally.failed() == 0
                                ? ""
                                : "; " + tally.failed() + " failed, first " + tally.firstFault()));
        return trial;
    }

    /// Returns what is wrong with the database, or an empty text.
    private String fault(ShopWar war, String url) {
        try {
            war.check(url);
            return "";
        } catch (BenchFailure e) {
            String why = String.valueOf(e.getMessage());
            say(why);
            return why;
        }
    }
}
