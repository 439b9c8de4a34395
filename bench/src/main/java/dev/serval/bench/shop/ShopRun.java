package dev.serval.bench.shop;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.JvmPeers;
import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.Resources;
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
import org.jspecify.annotations.Nullable;

/// Searches for the most users of the shop that each server can have, one server after the other.
public final class ShopRun {
    /// Descriptors of the suite and of a server beside those of the users.
    private static final int RESERVE = 500;

    /// Every server may use so much, so that the one with the least memory shows. All have the young
    /// generation of the launcher, because that of the serial collector stays a third of the initial heap
    /// until the heap is full.
    private static final List<String> HEAP = List.of("-Xms96m", "-XX:NewSize=64m", "-Xmx1g");

    private final Place place;
    private final ShopCell cell;
    private final String subject;
    private final Path application;
    private final ShopCell.Extent extent;

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
        Stage stage = place.stage().serving(war.folder()).speaking(cell.protocol());
        OpenShop.Opener opener =
                new OpenShop.Opener(JvmPeers.with(peer, options), stage, cell, extent);
        Search search = new Search(peer.name(), opener, store);
        UserSearch found;
        try (search) {
            found = UserSearch.run(cell.firstUsers(), usersMax(), extent.halvings(), search);
        }
        return new ShopServer(peer.name(), found, search.trials, search.asides, fault(war, url));
    }

    /// Returns Serval with a limit of pages at work, as the other servers have one, unless it has a
    /// configuration already.
    private static Peer bounded(Peer peer) {
        return peer instanceof ServalPeer serval && !serval.isConfigured()
                ? serval.configured(Resources.text(ShopRun.class, "serval.toml"))
                : peer;
    }

    /// The trials of a server. After one that does not pass, the server is started again, because it may
    /// not have recovered.
    private final class Search implements UserSearch.Trial, AutoCloseable {
        private final String name;
        private final OpenShop.Opener opener;
        private final ShopStore store;
        private final List<ShopTrial> trials = new ArrayList<>();
        private final List<ShopTally> asides = new ArrayList<>();
        private @Nullable OpenShop shop; // null between two servers
        private int started;

        Search(String name, OpenShop.Opener opener, ShopStore store) {
            this.name = name;
            this.opener = opener;
            this.store = store;
        }

        @Override
        public boolean passes(int users) throws IOException {
            OpenShop open = shop == null ? start() : shop;
            long pid = open.server().pid();
            ShopTrial.Clock clock =
                    new ShopTrial.Clock(place.proc(), place.stage().cpus(), pid, store.pid());
            ShopTrial one = trial(name, open.load(), clock, users);
            trials.add(one);
            if (!one.passes()) {
                close();
            }
            return one.passes();
        }

        private OpenShop start() throws IOException {
            started++;
            say("starting " + name + (started == 1 ? "" : " again, after a trial that it failed"));
            OpenShop made = opener.open(started);
            shop = made;
            return made;
        }

        @Override
        public void close() {
            OpenShop open = shop;
            shop = null;
            if (open != null) {
                asides.addAll(List.of(open.toured(), open.load().aside()));
                open.close();
            }
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
        boolean passes = tally.share() >= cell.share();
        double bytes = passes ? place.proc().treeBytes(clock.server(), "VmRSS") : Double.NaN;
        ShopTrial trial = new ShopTrial(users, tally, cost, passes, bytes / 1e6);
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
