package dev.serval.backend;

import dev.serval.ListenerSpec;
import dev.serval.gateway.lrwp.LrwpAgent;
import dev.serval.gateway.lrwp.LrwpMounts;
import dev.serval.gateway.lrwp.LrwpSettings;
import dev.serval.gateway.peer.PoolStatus;
import dev.serval.policy.AddressRange;
import dev.serval.settings.LrwpChoice;
import dev.serval.settings.NeighbourMount;
import dev.serval.settings.Place;
import dev.serval.tls.TlsSettings;
import dev.serval.tls.WatchedTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The applications in other processes that a server has: it listens for them and puts them before
/// the mounts. Any thread.
public final class Backends {
    private static final String ROOT = "/";
    private static final double NANOS_PER_MILLI = 1e6;

    private final LrwpChoice choice;
    private final @Nullable LrwpAgent agent;
    private volatile List<NeighbourMount> mounts;
    private List<SocketAddress> dialIn = List.of(); // set once, after the start
    private volatile Set<String> guarded = Set.of(); // prefixes
    private volatile Neighbours neighbours = Neighbours.NONE;

    /// Creates what the command line asks for.
    ///
    /// @param mounts neighbours, which [#open] opens
    public Backends(LrwpChoice choice, List<NeighbourMount> mounts) {
        this.choice = choice;
        this.mounts = List.copyOf(mounts);
        @Nullable LrwpSettings settings = choice.settings();
        this.agent = settings == null ? null : new LrwpAgent(settings);
    }

    /// Opens the neighbours.
    ///
    /// @throws IOException if a folder of a neighbour cannot be read
    public void open() throws IOException {
        if (!mounts.isEmpty()) { // no class of the gateway is loaded without need
            neighbours = Neighbours.open(mounts);
        }
    }

    /// Opens the neighbours of a changed configuration.
    ///
    /// @return null if there are none before and after
    /// @throws IOException if a folder of a neighbour cannot be read; then nothing is left open
    public Neighbours.@Nullable Prepared prepare(List<NeighbourMount> changed) throws IOException {
        return changed.isEmpty() && mounts.isEmpty() ? null : neighbours.changeTo(changed);
    }

    /// Uses other neighbours from now on. After the routes have changed, the change is to be
    /// committed.
    public void use(Neighbours next, List<NeighbourMount> changed) {
        neighbours = next;
        mounts = List.copyOf(changed);
    }

    /// Adds the mounts of the neighbours.
    public void addTo(Map<Place, Mounted> mounted) {
        neighbours.addTo(mounted);
    }

    /// Returns what is at each mount of a neighbour, for the start screen.
    public Map<Place, String> mountTexts() {
        return neighbours.startTexts();
    }

    /// Returns the listeners for peers.
    ///
    /// @throws IOException if their certificate cannot be used
    public List<ListenerSpec> listeners() throws IOException {
        List<ListenerSpec> specs = new ArrayList<>();
        @Nullable LrwpAgent present = agent;
        if (present != null) {
            @Nullable TlsSettings settings = choice.tls();
            @Nullable WatchedTls tls = settings == null ? null : WatchedTls.of(settings);
            for (SocketAddress address : choice.addresses()) {
                ListenerSpec plain = new ListenerSpec(address).withProtocol(present.protocol());
                specs.add(tls == null ? plain : plain.withTls(tls));
            }
        }
        return specs;
    }

    /// The mounts of a site with the handler of these applications first, before they are in force.
    ///
    /// @param all what is at each place
    /// @param open the prefixes that any application may take; null without LRWP
    /// @param guarded those that only applications that `--lrwp-allow` names may take
    public record Plan(Map<Place, Mounted> all, @Nullable Set<String> open, Set<String> guarded) {}

    /// Adds the handler of these applications to the mounts. Adds a mount at `/` of each host if there
    /// is none, because applications may register any path. Nothing changes before [#use].
    ///
    /// @param closed the places of web applications and neighbours, whose requests only applications
    ///     that `--lrwp-allow` names get
    public Plan plan(Map<Place, Mounted> mounts, Set<Place> closed) {
        @Nullable LrwpAgent present = agent;
        Map<Place, Mounted> all = new LinkedHashMap<>(mounts);
        if (present == null) {
            return new Plan(all, null, Set.of());
        }
        all.putIfAbsent(Place.at(ROOT), new Mounted());
        mounts.keySet()
                .forEach(place -> all.putIfAbsent(new Place(place.host(), ROOT), new Mounted()));
        Set<String> guards = prefixes(closed);
        Set<String> open = prefixes(all.keySet());
        open.removeAll(guards);
        all.replaceAll((place, chain) ->
                chain.after(
                        List.of(
                                closed.contains(place)
                                        ? present.guardedHandler()
                                        : present.handler()),
                        chain.settings()));
        return new Plan(all, open, guards);
    }

    /// Tells the applications which mounts are in force.
    public void use(Plan plan) {
        @Nullable LrwpAgent present = agent;
        @Nullable Set<String> open = plan.open;
        if (present != null && open != null) {
            guarded = plan.guarded;
            present.mounts(new LrwpMounts(open, plan.guarded));
        }
    }

    /// Returns the places of the neighbours.
    public Set<Place> neighbourPlaces() {
        return mounts.stream().map(NeighbourMount::place).collect(Collectors.toSet());
    }

    private static Set<String> prefixes(Set<Place> places) {
        return places.stream().map(Place::prefix).collect(Collectors.toCollection(TreeSet::new));
    }

    /// Notes where the peers can dial in.
    ///
    /// @param addresses those of a started server, from the first listener for peers on
    public void started(List<SocketAddress> addresses) {
        dialIn = List.copyOf(addresses.subList(0, choice.addresses().size()));
    }

    /// Returns the addresses at which applications dial in.
    public List<SocketAddress> dialInAddresses() {
        return dialIn;
    }

    /// Returns the lines for the start screen, without a line end.
    public List<String> startLines() {
        List<String> lines = new ArrayList<>();
        for (SocketAddress address : dialIn) {
            lines.add("Applications dial in (LRWP): " + text(address) + "  " + allowed());
        }
        return lines;
    }

    /// Returns the rows for `serval status`; none without neighbours and LRWP.
    public List<String> statusLines() {
        @Nullable LrwpAgent present = agent;
        List<String> lines = neighbours.statusLines();
        if (present == null) {
            return lines;
        }
        List<PoolStatus> pools = present.status();
        lines.add("");
        if (pools.isEmpty()) {
            lines.add("No application has dialled in (LRWP).");
        } else {
            lines.add(
                    row("LRWP", "peers", "busy", "queued", "served", "failed")
                            + String.format(
                                    Locale.ROOT, "%9s %9s %9s", "refused", "median", "p99"));
        }
        for (PoolStatus pool : pools) {
            lines.add(
                    row(
                                    pool.name(),
                                    Integer.toString(pool.peers()),
                                    Integer.toString(pool.busy()),
                                    Integer.toString(pool.queued()),
                                    Long.toString(pool.served()),
                                    Long.toString(pool.failures()))
                            + String.format(
                                    Locale.ROOT,
                                    "%9d %6.1f ms %6.1f ms",
                                    pool.refusals(),
                                    pool.medianNanos() / NANOS_PER_MILLI,
                                    pool.p99Nanos() / NANOS_PER_MILLI));
        }
        if (present.refused() > 0) {
            lines.add("Peers refused: " + present.refused());
        }
        return lines;
    }

    /// Returns what the applications in other processes do now, for metrics and pages.
    public List<PoolFigures> pools() {
        List<PoolFigures> pools = new ArrayList<>(neighbours.pools());
        @Nullable LrwpAgent present = agent;
        if (present != null) {
            present.status().forEach(one -> pools.add(new PoolFigures("lrwp", one, List.of())));
        }
        return pools;
    }

    /// Returns how many peers that dialled in were refused.
    public long peersRefused() {
        @Nullable LrwpAgent present = agent;
        return present == null ? 0 : present.refused();
    }

    private String allowed() {
        @Nullable LrwpSettings settings = choice.settings();
        if (settings == null) {
            return "any name";
        }
        String names =
                settings.allowed().allowsAll()
                        ? anyName()
                        : "only " + String.join(", ", settings.allowed().names());
        String ranges =
                settings.from().stream().map(AddressRange::text).collect(Collectors.joining(", "));
        return ranges.isEmpty() ? names : names + ", from " + ranges;
    }

    private String anyName() {
        Set<String> closed = guarded;
        return closed.isEmpty()
                ? "any name"
                : "any name, except at " + String.join(", ", closed) + " (see --lrwp-allow)";
    }

    private static String row(String name, String... numbers) {
        StringBuilder text =
                new StringBuilder(String.format(Locale.ROOT, "%-28s", printable(name)));
        Arrays.stream(numbers).forEach(one -> text.append(String.format(Locale.ROOT, "%8s", one)));
        return text.toString();
    }

    /// Returns a name, which comes from a peer, without characters that could change the terminal.
    private static String printable(String name) {
        StringBuilder text = new StringBuilder(name.length());
        name.codePoints()
                .forEach(c -> {
                    boolean shown =
                            !Character.isISOControl(c) && Character.getType(c) != Character.FORMAT;
                    text.appendCodePoint(shown ? c : '?');
                });
        return text.toString();
    }

    private static String text(SocketAddress address) {
        return switch (address) {
            case InetSocketAddress inet -> {
                InetAddress ip = inet.getAddress();
                String host = ip.getHostAddress();
                String shown = host.indexOf(':') < 0 ? host : "[" + host + "]";
                yield ip.isAnyLocalAddress()
                        ? "port " + inet.getPort() + " of all addresses"
                        : shown + ":" + inet.getPort();
            }
            case UnixDomainSocketAddress unix -> "unix:" + unix.getPath();
            default -> address.toString();
        };
    }
}
