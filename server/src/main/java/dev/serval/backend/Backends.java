package dev.serval.backend;

import dev.serval.ListenerSpec;
import dev.serval.Serval;
import dev.serval.gateway.lrwp.LrwpAgent;
import dev.serval.gateway.lrwp.LrwpMounts;
import dev.serval.gateway.lrwp.LrwpSettings;
import dev.serval.gateway.peer.PoolStatus;
import dev.serval.handler.Handler;
import dev.serval.policy.AddressRange;
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
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The applications in other processes that a server has: it listens for them and puts them before
/// the mounts. Any thread.
public final class Backends {
    private static final String ROOT = "/";
    private static final double NANOS_PER_MILLI = 1e6;

    private final LrwpChoice choice;
    private final @Nullable LrwpAgent agent;
    private final List<NeighbourMount> mounts;
    private volatile Set<String> guarded = Set.of(); // prefixes
    private Neighbours neighbours = Neighbours.NONE; // set once, before the server starts

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

    /// Adds the mounts of the neighbours.
    public void addTo(Map<String, Handler[]> mounted) {
        neighbours.addTo(mounted);
    }

    /// Returns a line for each mount of a neighbour.
    public List<String> mountLines() {
        return neighbours.startLines();
    }

    /// Adds the listeners for peers, after all others.
    public void listen(Serval.Builder builder) {
        @Nullable LrwpAgent present = agent;
        if (present != null) {
            for (SocketAddress address : choice.addresses()) {
                builder.listen(new ListenerSpec(address).withProtocol(present.protocol()));
            }
        }
    }

    /// Passes each mount to `mount`, with the handler of these applications first. Adds a mount at
    /// `/` if there is none, because applications may register any path. Only those that
    /// `--lrwp-allow` names get requests of web applications and neighbours.
    ///
    /// @param applications the prefixes of web applications
    public void mount(
            Map<String, Handler[]> mounts,
            Set<String> applications,
            BiConsumer<String, Handler[]> mount) {
        @Nullable LrwpAgent present = agent;
        Map<String, Handler[]> all = new LinkedHashMap<>(mounts);
        if (present != null) {
            all.putIfAbsent(ROOT, new Handler[0]);
            Set<String> closed = new TreeSet<>(applications);
            this.mounts.forEach(neighbour -> closed.add(neighbour.prefix()));
            Set<String> open = new TreeSet<>(all.keySet());
            open.removeAll(closed);
            guarded = closed;
            present.mounts(new LrwpMounts(open, closed));
            all.replaceAll((prefix, chain) ->
                    before(
                            closed.contains(prefix) ? present.guardedHandler() : present.handler(),
                            chain));
        }
        all.forEach(mount);
    }

    /// Returns the addresses of a started server that speak HTTP.
    public List<SocketAddress> httpAddresses(Serval serval) {
        List<SocketAddress> all = serval.addresses();
        return all.subList(0, all.size() - choice.addresses().size());
    }

    /// Returns the addresses of a started server at which applications dial in.
    public List<SocketAddress> dialInAddresses(Serval serval) {
        List<SocketAddress> all = serval.addresses();
        return all.subList(httpAddresses(serval).size(), all.size());
    }

    /// Returns the lines for the start screen, without a line end.
    public List<String> startLines(Serval serval) {
        List<String> lines = new ArrayList<>();
        for (SocketAddress address : dialInAddresses(serval)) {
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

    private static Handler[] before(Handler first, Handler[] chain) {
        Handler[] longer = new Handler[chain.length + 1];
        longer[0] = first;
        System.arraycopy(chain, 0, longer, 1, chain.length);
        return longer;
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
