package dev.serval;

import dev.serval.codec.AddressText;
import dev.serval.conn.Protocol;
import dev.serval.conn.TlsProtocol;
import dev.serval.exchange.Service;
import dev.serval.exchange.ServiceLoop;
import dev.serval.handler.Handler;
import dev.serval.net.ClearHeader;
import dev.serval.net.Connection;
import dev.serval.net.Descriptors;
import dev.serval.net.Driver;
import dev.serval.net.Listener;
import dev.serval.net.NetLoop;
import dev.serval.net.Transport;
import dev.serval.net.epoll.ListeningDescriptors;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import dev.serval.policy.TrustedProxies;
import dev.serval.tls.HandshakeThreads;
import dev.serval.tls.TlsProvider;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The listeners of a server and their services. Any thread. One at a time opens or closes, and holds
/// the lock while it waits for the loops, which never take it.
final class Listeners {
    /// Creates each connection by the factory of its loop.
    private record LoopDrivers(List<Driver.Factory> ofLoops) implements Driver.Factory {
        @Override
        public Transport transport(NetLoop net, Transport socket) {
            return ofLoops.get(net.loop().index()).transport(net, socket);
        }

        @Override
        public Transport transport(NetLoop net, Transport socket, ClearHeader header) {
            return ofLoops.get(net.loop().index()).transport(net, socket, header);
        }

        @Override
        public long acceptPauseNanos(NetLoop net) {
            return ofLoops.get(net.loop().index()).acceptPauseNanos(net);
        }

        @Override
        public Driver open(Connection connection) {
            return ofLoops.get(connection.loop().index()).open(connection);
        }
    }

    /// A listener with the service that it uses.
    private record Serving(ListenerSpec spec, Listener listener, Service service) {
        SocketAddress address() {
            return listener.address();
        }

        boolean isAlso(Serving other) {
            return listener.equals(other.listener);
        }
    }

    private static final long PERCENT = 100;

    private final Service shared;
    private final List<ServerLoop> loops;
    private final HandshakeThreads handshakes;
    private final Pauses pauses = new Pauses();
    private Listener.Steps steps = Listener.Steps.AT_ONCE;
    private boolean ended;
    private volatile List<Serving> open = List.of();
    private volatile List<Serving> closing = List.of(); // those with services of their own
    private List<Serving> reserved = List.of();

    /// Creates an empty set of listeners on loops that do not run yet.
    ///
    /// @param shared the service of listeners without their own limits and handler
    /// @param loops the server's loops
    /// @param handshakes do the work of TLS handshakes
    Listeners(Service shared, List<ServerLoop> loops, HandshakeThreads handshakes) {
        this.shared = shared;
        this.loops = loops;
        this.handshakes = handshakes;
    }

    /// Notes that the loops run.
    synchronized void running() {
        steps = new RunningLoops();
    }

    /// Opens a listener, and returns its address with its actual port.
    ///
    /// @param http the protocol if `spec` has none
    /// @throws IOException if the address cannot be listened at; the message names it
    /// @throws IllegalStateException if the server has stopped, or on an event loop
    synchronized SocketAddress open(ListenerSpec spec, Protocol http) throws IOException {
        Serving bound = bind(spec, http, List.of());
        begin(bound);
        return bound.address();
    }

    /// Binds the address of a listener, which accepts nothing yet.
    ///
    /// @param http the protocol if `spec` has none
    /// @param replaced addresses of open listeners that may overlap with this one
    /// @throws IOException if the address cannot be listened at; the message names it
    /// @throws IllegalStateException if the server has stopped, or on an event loop
    synchronized ReservedListener reserve(
            ListenerSpec spec, Protocol http, List<SocketAddress> replaced) throws IOException {
        Serving bound = bind(spec, http, replaced);
        reserved = with(reserved, bound);
        return new ReservedListener(
                bound.address(),
                new ReservedListener.Use() {
                    @Override
                    public void open() throws IOException {
                        begin(bound);
                    }

                    @Override
                    public void giveUp() {
                        forget(bound);
                    }
                });
    }

    private Serving bind(ListenerSpec spec, Protocol http, List<SocketAddress> replaced)
            throws IOException {
        checkCaller();
        checkRunning();
        Service served = serviceOf(spec);
        boolean beside =
                open.stream()
                        .map(Serving::address)
                        .anyMatch(address ->
                                replaced.contains(address) && overlap(address, spec.address()));
        return new Serving(spec, listen(spec, beside, drivers(spec, http, served)), served);
    }

    private void checkRunning() {
        if (ended) {
            throw new IllegalStateException("The server has stopped, so it cannot listen");
        }
    }

    private synchronized void begin(Serving bound) throws IOException {
        checkCaller();
        checkRunning();
        if (!bound.spec().isShared()) { // its settings may be other ones by now
            bound.service().replace(settingsOf(bound.spec()));
        }
        reserved = without(reserved, bound);
        try {
            bound.listener().begin(steps);
        } catch (IOException e) {
            throw refused(bound.spec(), e);
        }
        open = with(open, bound);
        closing = stillClosing();
    }

    private synchronized void forget(Serving bound) {
        reserved = without(reserved, bound);
        bound.listener().endLater(steps);
    }

    /// Returns whether a system does not let two sockets have these addresses, unless both share them.
    private static boolean overlap(SocketAddress one, SocketAddress other) {
        if (one instanceof InetSocketAddress first && other instanceof InetSocketAddress second) {
            return first.getPort() == second.getPort()
                    && (first.equals(second)
                            || first.getAddress().isAnyLocalAddress()
                            || second.getAddress().isAnyLocalAddress());
        }
        return false;
    }

    private Driver.Factory drivers(ListenerSpec spec, Protocol http, Service served) {
        @Nullable Protocol asked = spec.protocol();
        Protocol plain = asked == null ? http : asked;
        @Nullable TlsProvider tls = spec.tls();
        Protocol protocol = tls == null ? plain : new TlsProtocol(plain, tls, handshakes::submit);
        return new LoopDrivers(
                loops.stream()
                        .map(loop ->
                                protocol.drivers(
                                        new ServiceLoop(
                                                loop.exchanges(),
                                                served,
                                                spec.proxyProtocol(),
                                                spec.fields())))
                        .toList());
    }

    private Listener listen(ListenerSpec spec, boolean beside, Driver.Factory drivers)
            throws IOException {
        List<NetLoop> nets = loops.stream().map(ServerLoop::net).toList();
        try {
            @Nullable ListeningSocket socket = spec.socket();
            if (socket != null) {
                checkUnused(spec.address());
                return Listener.inherit(socket.forListener(), nets, drivers, pauses, steps);
            }
            checkUnreserved(spec.address());
            Listener.Binding binding =
                    new Listener.Binding(spec.address(), spec.backlog(), spec.ownerOnly(), beside);
            return Listener.bind(binding, nets, drivers, pauses, steps);
        } catch (IOException e) {
            throw refused(spec, e);
        } catch (UnsupportedAddressTypeException e) {
            throw refused(spec, new IOException("This system or this JVM has no IPv6", e));
        }
    }

    /// The system lets two sockets have an address until one of them listens.
    private void checkUnreserved(SocketAddress address) throws IOException {
        if (reserved.stream().anyMatch(each -> overlap(each.address(), address))) {
            throw new BindException("Address already in use");
        }
    }

    private static IOException refused(ListenerSpec spec, IOException e) {
        String why = String.valueOf(e.getMessage());
        return new IOException("Cannot listen at " + text(spec.address()) + ": " + why, e);
    }

    /// Serves new connections of a listener as `spec` says, which has the same address. Those that it
    /// has accepted end as after [#close].
    ///
    /// @throws IOException if a loop does not answer in time; it does so later
    /// @throws IllegalArgumentException if there is no such listener
    synchronized void serve(SocketAddress address, ListenerSpec spec, Protocol http)
            throws IOException {
        checkCaller();
        exchange(found(address), spec, serviceOf(spec), http);
    }

    /// Serves new connections of a listener as those of another one, with the same limits and counts.
    ///
    /// @throws IOException if a loop does not answer in time; it does so later
    /// @throws IllegalArgumentException if there is no such listener
    synchronized void join(SocketAddress address, SocketAddress other, Protocol http)
            throws IOException {
        checkCaller();
        Serving whole = found(other);
        exchange(found(address), whole.spec(), whole.service(), http);
    }

    private void exchange(Serving former, ListenerSpec spec, Service served, Protocol http)
            throws IOException {
        Serving next = new Serving(spec, former.listener(), served);
        open = open.stream().map(each -> each.equals(former) ? next : each).toList();
        closing = stillClosing();
        if (!former.spec().isShared()) {
            closing = with(closing, former);
        }
        former.listener().serve(steps, drivers(spec, http, served), spec.backlog());
    }

    private Serving found(SocketAddress address) {
        return find(address)
                .orElseThrow(
                        () -> new IllegalArgumentException("No listener is at " + text(address)));
    }

    /// Closes a listener. Its connections end after their requests in progress, and its service goes
    /// with the last of them.
    ///
    /// @return whether there was such a listener
    /// @throws IOException if a loop does not answer in time; the listener is closed later there
    /// @throws IllegalStateException on an event loop
    synchronized boolean close(SocketAddress address) throws IOException {
        checkCaller();
        @Nullable Serving found = find(address).orElse(null);
        if (found == null) {
            return false;
        }
        open = without(open, found);
        if (!found.spec().isShared()) {
            closing = with(stillClosing(), found);
        }
        found.listener().end(steps);
        return true;
    }

    private void checkUnused(SocketAddress address) throws IOException {
        if (find(address).isPresent()) {
            throw new BindException("This server has a listener there already");
        }
    }

    /// Has each listener look at its certificates now.
    ///
    /// @return whether there was something new to use
    boolean lookAtCertificates() {
        boolean isNew = false;
        for (Serving one : open) {
            @Nullable TlsProvider tls = one.spec().tls();
            isNew |= tls != null && tls.look();
        }
        return isNew;
    }

    /// Returns the listening sockets of all listeners, with duplicates of their descriptors.
    ///
    /// @throws IOException if the transport has no descriptors, or a loop does not answer
    /// @throws IllegalStateException on an event loop
    synchronized List<ListeningSocket> sockets() throws IOException {
        checkCaller();
        List<ListeningSocket> sockets = new ArrayList<>();
        boolean all = false;
        try {
            for (Serving one : open) {
                sockets.add(socket(one));
            }
            all = true;
            return List.copyOf(sockets);
        } finally {
            if (!all) {
                sockets.forEach(ListeningSocket::close);
            }
        }
    }

    private ListeningSocket socket(Serving one) throws IOException {
        @Nullable ListeningSocket former = one.spec().socket();
        String name = former == null ? text(one.address()) : former.name();
        List<Integer> duplicates = new CopyOnWriteArrayList<>();
        boolean done = false;
        try {
            one.listener().duplicate(steps, duplicates);
            ListeningSocket socket =
                    ListeningSocket.of(name, duplicates, one.listener().ownsFile());
            done = true;
            return socket;
        } finally {
            if (!done) {
                ListeningDescriptors.close(duplicates);
            }
        }
    }

    /// Stops accepting at all addresses, because a successor accepts there.
    ///
    /// @throws IOException if a loop does not answer in time; it stops later, and the others have stopped
    /// @throws IllegalStateException on an event loop
    synchronized void leave() throws IOException {
        checkCaller();
        ended = true;
        @Nullable IOException late = null;
        for (Serving one : open) {
            try {
                one.listener().leave(steps);
            } catch (IOException e) { // the files of the others are the successor's, too
                late = late == null ? e : late;
            }
        }
        if (late != null) {
            throw late;
        }
    }

    /// Stops accepting at all addresses, because the server stops.
    synchronized void close() {
        ended = true;
        open.forEach(one -> one.listener().close());
    }

    /// Returns the addresses, in the order in which the listeners were opened.
    List<SocketAddress> addresses() {
        return open.stream().map(Serving::address).toList();
    }

    /// Replaces the limits of all listeners without limits of their own.
    synchronized void limits(Limits other) {
        Limits possible = within(Descriptors.limit(), other);
        replace(shared, settings -> settings.withLimits(possible));
        for (Serving one : open) {
            if (one.spec().limits() == null && !one.spec().isShared()) {
                replace(one.service(), settings -> settings.withLimits(possible));
            }
        }
    }

    /// Replaces the limits of one listener.
    ///
    /// @throws IllegalArgumentException if there is no such listener, or it has no limits of its own
    synchronized void limits(SocketAddress address, Limits other) {
        @Nullable Serving found = find(address).orElse(null);
        if (found == null || found.spec().limits() == null) {
            throw new IllegalArgumentException(
                    found == null
                            ? "No listener is at " + text(address)
                            : "The listener at " + text(address) + " has the server's limits");
        }
        Limits possible = within(Descriptors.limit(), other);
        replace(found.service(), settings -> settings.withLimits(possible));
    }

    /// Replaces the trusted proxies of all listeners.
    synchronized void trustedProxies(@Nullable TrustedProxies other) {
        for (Service service : services()) {
            replace(service, settings -> settings.withTrustedProxies(other));
        }
    }

    /// Returns the services that are in use, the shared one first.
    List<Service> services() {
        List<Service> services = new ArrayList<>();
        services.add(shared);
        for (Serving one : open) {
            if (!one.spec().isShared()) {
                services.add(one.service());
            }
        }
        stillClosing().forEach(one -> services.add(one.service()));
        return services.stream().distinct().toList(); // listeners may have one in common
    }

    /// Returns the number of open connections of all listeners.
    int connections() {
        int sum = 0;
        for (Service each : services()) {
            sum += each.admission().connections();
        }
        return sum;
    }

    /// Returns the connections of the fullest service in percent of its limit. Services with a forced
    /// load mode do not count.
    int connectionsPercent() {
        int most = 0;
        for (Service each : services()) {
            if (each.limits().load().forced() == null) {
                long limit = each.limits().counts().connectionsMax();
                long open = each.admission().connections();
                most = Math.max(most, (int) (PERCENT * open / limit));
            }
        }
        return most;
    }

    /// Returns `asked` reduced to what the process can hold. It keeps 500 descriptors for files,
    /// logs and the JDK. Connections may hold a quarter of the heap; the rest is for connection
    /// objects, cached files and applications.
    static Limits within(long descriptors, Limits asked) {
        int connectionsMax = Math.clamp(descriptors - 500, 16, Integer.MAX_VALUE);
        long heldMaxBytes = Runtime.getRuntime().maxMemory() / 4;
        return asked.with(draft -> {
            draft.counts.connectionsMax = Math.min(draft.counts.connectionsMax, connectionsMax);
            draft.buffers.heldMaxBytes = Math.min(draft.buffers.heldMaxBytes, heldMaxBytes);
        });
    }

    /// A loop that waited for a listener would wait for itself.
    private void checkCaller() {
        for (ServerLoop loop : loops) {
            if (Thread.currentThread().equals(loop.net().loop().owner())) {
                throw new IllegalStateException(
                        "An event loop cannot open or close a listener: use a thread that may wait");
            }
        }
    }

    private Optional<Serving> find(SocketAddress address) {
        return open.stream().filter(one -> one.address().equals(address)).findFirst();
    }

    /// Returns the closed listeners of which something is left.
    private List<Serving> stillClosing() {
        return closing.stream().filter(one -> !isOver(one)).toList();
    }

    /// Returns whether nothing is left of a listener that was closed or serves otherwise by now.
    private boolean isOver(Serving one) {
        boolean closed = one.listener().hasEnded() || open.stream().anyMatch(one::isAlso);
        boolean joined = open.stream().anyMatch(other -> other.service().equals(one.service()));
        return closed && (joined || one.service().admission().connections() == 0);
    }

    private static void replace(Service service, UnaryOperator<Service.Settings> change) {
        service.replace(change.apply(service.settings()));
    }

    private Service serviceOf(ListenerSpec spec) {
        return spec.isShared() ? shared : new Service(settingsOf(spec), loops.size());
    }

    private Service.Settings settingsOf(ListenerSpec spec) {
        Service.Settings own = shared.settings();
        @Nullable Limits limits = spec.limits();
        @Nullable Handler handler = spec.handler();
        if (limits != null) {
            own = own.withLimits(within(Descriptors.limit(), limits));
        }
        return handler == null ? own : own.withHandler(handler);
    }

    /// Counts the pauses of listeners.
    private final class Pauses implements Listener.Watcher {
        @Override
        public void paused(NetLoop net) {
            count(net, Counter.ACCEPT_PAUSES);
        }

        @Override
        public void pausedForLoad(NetLoop net) {
            count(net, Counter.ACCEPT_PAUSES_LOAD);
        }

        private void count(NetLoop net, Counter counter) {
            loops.get(net.loop().index()).exchanges().metrics().count(counter);
        }
    }

    private static List<Serving> with(List<Serving> all, Serving one) {
        List<Serving> more = new ArrayList<>(all);
        more.add(one);
        return List.copyOf(more);
    }

    private static List<Serving> without(List<Serving> all, Serving one) {
        return all.stream().filter(other -> !other.equals(one)).toList();
    }

    private static String text(SocketAddress address) {
        if (!(address instanceof InetSocketAddress inet)) {
            return address.toString();
        }
        String host = inet.getHostString();
        boolean six = host.indexOf(':') >= 0;
        String shown = six ? "[" + shortened(inet) + "]" : host;
        return shown + ":" + inet.getPort();
    }

    private static String shortened(InetSocketAddress address) {
        return new String(AddressText.of(address, false), StandardCharsets.US_ASCII);
    }
}
