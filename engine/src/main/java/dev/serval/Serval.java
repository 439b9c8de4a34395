package dev.serval;

import dev.serval.app.App;
import dev.serval.app.AppFilter;
import dev.serval.app.AppHandler;
import dev.serval.app.AppLimits;
import dev.serval.app.ExceptionHandler;
import dev.serval.conn.Http;
import dev.serval.conn.Protocol;
import dev.serval.exchange.Service;
import dev.serval.handler.AccessRecord;
import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;
import dev.serval.handler.MountSettings;
import dev.serval.http.Method;
import dev.serval.load.LoadMonitor;
import dev.serval.net.Descriptors;
import dev.serval.net.Network;
import dev.serval.net.epoll.EpollNetwork;
import dev.serval.net.nio.NioNetwork;
import dev.serval.policy.ErrorPages;
import dev.serval.policy.Leniency;
import dev.serval.policy.Limits;
import dev.serval.policy.LoadMode;
import dev.serval.policy.Metrics;
import dev.serval.policy.TrustedProxies;
import dev.serval.route.RouteTable;
import dev.serval.route.Router;
import dev.serval.tls.HandshakeThreads;
import dev.serval.tls.TlsProvider;
import dev.serval.worker.Carriers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A running server. A [Builder] starts it; [#stop] or [#close] ends it. Any thread.
public final class Serval implements AutoCloseable {
    private final Metrics metrics = new Metrics();
    private final Router router;
    private final LoadMonitor load;
    private final ServerLoops loops;
    private final HandshakeThreads handshakes = new HandshakeThreads();
    private final Service service;
    private final Listeners listeners;
    private final Protocol http;
    private final WorkerKind workers;
    private final String transport;

    private Serval(Builder builder) throws IOException {
        this.router = new Router(builder.routes.build());
        this.workers = builder.workers;
        this.transport = builder.chosen;
        Limits limits = Listeners.within(Descriptors.limit(), builder.limits);
        this.load = new LoadMonitor(this::loads, this::connectionsPercent);
        this.loops = assembled(builder, limits);
        this.service =
                new Service(
                        new Service.Settings(
                                limits,
                                builder.around.apply(router),
                                builder.pages,
                                builder.accessLog,
                                new Mapping("elsewhere"),
                                builder.trustedProxies),
                        builder.loops);
        this.listeners = new Listeners(service, loops.all(), handshakes);
        this.http = new Http(builder.leniency);
        try {
            for (ListenerSpec spec : builder.listeners) {
                listeners.open(spec, http);
            }
        } catch (IOException | RuntimeException e) {
            loops.abandon();
            throw e;
        }
        loops.start();
        listeners.running();
    }

    private ServerLoops assembled(Builder builder, Limits limits) {
        return new ServerLoops(
                builder.loops, limits, builder::network, workers, metrics, load, builder.fatal);
    }

    private Limits.Loads loads() {
        return service.limits().load();
    }

    private int connectionsPercent() {
        return listeners.connectionsPercent();
    }

    /// Returns a builder with default settings.
    public static Builder builder() {
        return new Builder();
    }

    /// Returns a builder that listens on a port of 127.0.0.1; 0 picks a free one. The shortest
    /// server is `Serval.listen(8080).get("/hello", x -> x.text("Hello")).start()`.
    public static Builder listen(int port) {
        return builder().listen(port);
    }

    /// Returns the addresses at which the server listens, with their actual ports, in the order of
    /// the builder's calls.
    public List<SocketAddress> addresses() {
        return listeners.addresses();
    }

    /// Opens a listener while the server runs, and returns its address with its actual port. Other
    /// listeners and their connections are not affected. Any thread but one that runs an event loop.
    ///
    /// @throws IOException if the address cannot be listened at; then nothing has changed, and the
    ///     message names the address
    /// @throws IllegalStateException if the server has stopped, or on an event loop
    public SocketAddress open(ListenerSpec spec) throws IOException {
        return listeners.open(spec, http);
    }

    /// Returns what changes listeners while the server runs, so that no connection is refused.
    public ListenerChanges listenerChanges() {
        return new ListenerChanges(listeners, http);
    }

    /// Closes the listener at one of [#addresses], and returns after it accepts no more. Connections
    /// that it has accepted end after their requests in progress; an idle one may send one more
    /// request within `Limits.Paces.lastRequestNanos`. Other listeners are not affected. Any thread
    /// but one that runs an event loop.
    ///
    /// @return whether there was such a listener
    /// @throws IOException if an event loop does not answer within seconds; it closes its part later
    /// @throws IllegalStateException on an event loop
    public boolean close(SocketAddress address) throws IOException {
        return listeners.close(address);
    }

    /// Returns the listening sockets of all listeners, for a successor in another process
    /// ([HandOver]). The server continues to accept. The caller closes the sockets.
    ///
    /// @throws IOException if the transport is not epoll, or no descriptor is free
    /// @throws IllegalStateException on an event loop
    public List<ListeningSocket> handOver() throws IOException {
        return listeners.sockets();
    }

    /// Stops accepting at all addresses, because a successor accepts from the sockets of
    /// [#handOver]. Connections that wait are left to it, and so are the files of Unix-domain
    /// sockets. Connections that were accepted continue until [#stop].
    ///
    /// @throws IOException if an event loop does not answer within seconds; it stops later
    /// @throws IllegalStateException on an event loop
    public void leave() throws IOException {
        listeners.leave();
    }

    /// Returns the transport in use, `nio` or `epoll`, and the reason if it is not the best one.
    public String transport() {
        return transport;
    }

    /// Returns the number of event loops.
    public int loops() {
        return loops.all().size();
    }

    /// Returns the limits in force. Listeners with their own limits do not use them.
    public Limits limits() {
        return service.limits();
    }

    /// Replaces the limits of all listeners without their own, also for open connections. Buffer sizes and thread counts keep their
    /// values from the start. The number of connections stays within the descriptors of the
    /// process.
    public void limits(Limits other) {
        listeners.limits(other);
        load.settingsChanged();
    }

    /// Replaces the limits of a listener that has its own, also for its open connections.
    ///
    /// @throws IllegalArgumentException if no listener is at that address, or it has the server's
    ///     limits
    public void limits(SocketAddress listener, Limits other) {
        listeners.limits(listener, other);
        load.settingsChanged();
    }

    /// Replaces the proxies that are believed when they tell who their client is. This applies from
    /// the next request of each connection. Null means none.
    public void trustedProxies(@Nullable TrustedProxies other) {
        listeners.trustedProxies(other);
    }

    /// Returns the port of the first address.
    ///
    /// @throws IllegalStateException if that address is a Unix-domain socket
    public int port() {
        if (addresses().getFirst() instanceof InetSocketAddress inet) {
            return inet.getPort();
        }
        throw new IllegalStateException(
                "The first address is a Unix-domain socket, which has no port");
    }

    /// Returns the server's counters.
    public Metrics metrics() {
        return metrics;
    }

    /// Returns the number of open connections.
    public int connections() {
        return listeners.connections();
    }

    /// Returns how loaded the server is now. Any thread.
    public LoadView load() {
        return LoadView.of(load);
    }

    /// Sets the load mode whatever the load is; null for that of the load. A mode that the limits
    /// force ([Limits.Loads#forced]) stays.
    public void forceLoad(@Nullable LoadMode mode) {
        load.force(mode);
    }

    /// Replaces the table of routes. Exchanges in progress continue as they began.
    public void routes(RouteTable table) {
        router.swap(table);
    }

    /// Stops accepting connections, waits at most `atMost` for open connections, then ends the
    /// rest. Returns after the loops have ended. Application code that ignores its interrupt may
    /// still run. A second call waits for the first.
    ///
    /// A handler of this server may call it, on any of its threads. It then returns at once and
    /// the server stops on another thread, which waits for the handler's exchange as for all others.
    public void stop(Duration atMost) {
        loops.stop(listeners, handshakes, atMost.toNanos());
    }

    /// Stops the server at once.
    @Override
    public void close() {
        stop(Duration.ZERO);
    }

    /// Returns the memory in bytes that connections hold now, as [Limits.Buffers#heldMaxBytes]
    /// counts it. Any thread.
    public long heldBytes() {
        return loops.heldBytes();
    }

    /// Returns the services of the listeners, for leak checks.
    List<Service> services() {
        return listeners.services();
    }

    /// Returns the loops, for leak checks.
    List<ServerLoop> serverLoops() {
        return loops.all();
    }

    /// Returns the number of Workers that have not ended. Any thread.
    public int workers() {
        return loops.workers();
    }

    /// Returns the kind of threads that carry application code, and the reason if it is not the
    /// best one.
    public String workerThreads() {
        return switch (workers) {
            case LOOP -> "virtual threads carried by the event loops";
            case VIRTUAL -> {
                @Nullable String why = WorkerKind.loopRefusal();
                yield "virtual threads of the JDK's scheduler" + (why == null ? "" : ": " + why);
            }
            case PLATFORM -> "platform threads";
        };
    }

    /// Returns how often a loop was preempted because a Worker kept it. Any thread.
    public long preemptions() {
        return loops.carriers().preemptions();
    }

    /// Returns the number of threads that are kept for Workers that were preempted. Any thread.
    public int keptThreads() {
        return loops.carriers().kept();
    }

    /// Returns the threads of the loops, for leak checks.
    Carriers carriers() {
        return loops.carriers();
    }

    /// Returns what every Worker does now. The loops are queried one after the other, so the views
    /// do not show a single instant. A loop that does not answer within a second is left out.
    ///
    /// @throws InterruptedException if the caller is interrupted while it waits
    public List<WorkerView> workerViews() throws InterruptedException {
        return loops.workerViews();
    }

    /// Returns what each event loop does now, by its index. A loop that does not answer within a second
    /// is left out.
    ///
    /// @throws InterruptedException if the caller is interrupted while it waits
    public List<LoopView> loopViews() throws InterruptedException {
        return loops.loopViews();
    }

    /// Configures a server and starts it. Used once, by one thread.
    public static final class Builder {
        private final List<ListenerSpec> listeners = new ArrayList<>();
        private final RouteTable.Builder routes = RouteTable.builder();
        private final App.Builder app = App.builder();
        private int loops = Runtime.getRuntime().availableProcessors();
        private Limits limits = Limits.DEFAULT;
        private Set<Leniency> leniency = Leniency.defaults();
        private ErrorPages pages = ErrorPages.kept();
        private AccessRecord.Listener accessLog = AccessRecord.Listener.NONE;
        private String chosen = "";
        private WorkerKind workers = WorkerKind.best();
        private Runnable fatal = () -> {};
        private @Nullable TrustedProxies trustedProxies;
        private UnaryOperator<Handler> around = router -> router;
        private boolean workersChosen;
        private boolean warns = true;

        private Builder() {}

        /// Listens on a port of 127.0.0.1; 0 picks a free one.
        public Builder listen(int port) {
            return listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        }

        /// Listens with TLS on a port of 127.0.0.1; 0 picks a free one.
        public Builder listen(int port, TlsProvider tls) {
            InetAddress local = InetAddress.getLoopbackAddress();
            return listen(new ListenerSpec(new InetSocketAddress(local, port)).withTls(tls));
        }

        /// Listens at an internet or Unix-domain address.
        public Builder listen(SocketAddress address) {
            return listen(new ListenerSpec(address));
        }

        /// Adds a listener.
        public Builder listen(ListenerSpec spec) {
            listeners.add(spec);
            return this;
        }

        /// Sets the number of event loops; the default is the number of processors.
        public Builder loops(int number) {
            if (number < 1 || number > 1024) {
                throw new IllegalArgumentException(
                        "The number of event loops must be from 1 to 1024, not " + number);
            }
            loops = number;
            return this;
        }

        /// Sets what carries Workers. The default is the event loops, if that is possible.
        ///
        /// @throws IllegalArgumentException if `kind` is LOOP and loops cannot carry Workers; the
        ///     message states why
        public Builder workers(WorkerKind kind) {
            if (kind == WorkerKind.LOOP && WorkerKind.loopRefusal() != null) {
                throw new IllegalArgumentException(
                        "Event loops cannot carry Workers here: " + WorkerKind.loopRefusal());
            }
            workers = kind;
            workersChosen = true;
            return this;
        }

        /// Sets the limits.
        public Builder limits(Limits other) {
            limits = other;
            return this;
        }

        /// Sets the accepted deviations from RFC 9112.
        public Builder leniency(Set<Leniency> accepted) {
            leniency = Set.copyOf(accepted);
            return this;
        }

        /// Mounts a handler for every host without its own mounts.
        ///
        /// @param prefix `/` or `/name[/name…]`
        /// @throws IllegalArgumentException if the prefix is taken or malformed
        public Builder mount(String prefix, Handler... chain) {
            routes.mount(prefix, chain);
            return this;
        }

        /// Mounts a handler for one virtual host.
        ///
        /// @param pattern `www.example.org` or `*.example.org`
        /// @throws IllegalArgumentException if the prefix is taken or malformed, or the pattern is
        ///     malformed
        public Builder host(String pattern, String prefix, Handler... chain) {
            routes.mount(pattern, prefix, chain);
            return this;
        }

        /// Mounts a handler with settings.
        ///
        /// @param pattern as for [#host(String, String, Handler...)], or `*` for every host without
        ///     its own mounts
        public Builder host(
                String pattern, String prefix, MountSettings settings, Handler... chain) {
            routes.mount(pattern, prefix, settings, chain);
            return this;
        }

        /// Puts a handler before the router, which `other` gets. It sees each request of the listeners
        /// without a handler of their own.
        public Builder around(UnaryOperator<Handler> other) {
            around = other;
            return this;
        }

        /// Sets the pages of error answers.
        public Builder errorPages(ErrorPages other) {
            pages = other;
            return this;
        }

        /// Sets the listener that receives a record of every exchange that ended.
        public Builder accessLog(AccessRecord.Listener listener) {
            accessLog = listener;
            return this;
        }

        /// Sets the proxies that are believed when they tell who their client is, by `Forwarded` or
        /// `X-Forwarded-*`. The default is none.
        public Builder trustedProxies(TrustedProxies proxies) {
            trustedProxies = proxies;
            return this;
        }

        /// Sets the transport of sockets: `epoll`, `nio`, or `auto`, the default, which is epoll if
        /// it is available and nio otherwise.
        ///
        /// @throws IllegalArgumentException if the name is unknown, or for epoll if it is not
        ///     available; the message states why
        public Builder transport(String name) {
            @Nullable String missing = name.equals("nio") ? null : EpollNetwork.unavailable();
            switch (name) {
                case "auto" -> chosen = missing == null ? "epoll" : "nio: no epoll, " + missing;
                case "nio" -> chosen = "nio";
                case "epoll" -> {
                    if (missing != null) {
                        throw new IllegalArgumentException(
                                "epoll is not available here: " + missing);
                    }
                    chosen = "epoll";
                }
                default ->
                        throw new IllegalArgumentException(
                                "The transport must be auto, epoll or nio, not \"" + name + "\"");
            }
            return this;
        }

        /// Turns off the warning about missing JVM flags, without which the server is slower.
        public Builder withoutFlagWarning() {
            warns = false;
            return this;
        }

        /// Adds a route for GET, which also answers HEAD. The methods from here to
        /// [#limits(AppLimits)] build an [App], which is mounted at `/`. [App] documents which
        /// paths match.
        ///
        /// @param path such as `/users`, `/users/{id}` or `/files/{path...}`
        /// @throws IllegalArgumentException if the path is malformed
        public Builder get(String path, AppHandler handler) {
            return route(Method.GET, path, handler);
        }

        /// Adds a route for POST.
        ///
        /// @throws IllegalArgumentException if the path is malformed
        public Builder post(String path, AppHandler handler) {
            return route(Method.POST, path, handler);
        }

        /// Adds a route for PUT.
        ///
        /// @throws IllegalArgumentException if the path is malformed
        public Builder put(String path, AppHandler handler) {
            return route(Method.PUT, path, handler);
        }

        /// Adds a route for PATCH.
        ///
        /// @throws IllegalArgumentException if the path is malformed
        public Builder patch(String path, AppHandler handler) {
            return route(Method.PATCH, path, handler);
        }

        /// Adds a route for DELETE.
        ///
        /// @throws IllegalArgumentException if the path is malformed
        public Builder delete(String path, AppHandler handler) {
            return route(Method.DELETE, path, handler);
        }

        /// Adds a route like [App.Builder#route].
        public Builder route(Method method, String path, AppHandler handler) {
            app.route(method, path, handler);
            return this;
        }

        /// Adds files like [App.Builder#files(String, Path)].
        public Builder files(String prefix, Path folder) {
            app.files(prefix, folder);
            return this;
        }

        /// Adds a filter like [App.Builder#filter(AppFilter)]. It applies to the routes and files
        /// of these methods, but not to handlers of [#mount].
        public Builder filter(AppFilter filter) {
            app.filter(filter);
            return this;
        }

        /// Adds a filter like [App.Builder#filter(String, AppFilter)], with the same scope.
        public Builder filter(String prefix, AppFilter filter) {
            app.filter(prefix, filter);
            return this;
        }

        /// Adds a handler for exceptions like [App.Builder#exception].
        public <E extends Exception> Builder exception(
                Class<E> type, ExceptionHandler<? super E> handler) {
            app.exception(type, handler);
            return this;
        }

        /// Sets the fallback handler like [App.Builder#otherwise].
        public Builder otherwise(AppHandler handler) {
            app.otherwise(handler);
            return this;
        }

        /// Sets the limits of the application like [App.Builder#limits].
        public Builder limits(AppLimits other) {
            app.limits(other);
            return this;
        }

        /// Sets the callback for the end of a thread that the server cannot run without, for
        /// example after memory ran out. The program should end then. `end` must not allocate.
        public Builder onFatal(Runnable end) {
            fatal = end;
            return this;
        }

        /// Starts the server.
        ///
        /// @throws IOException if an address cannot be listened at; the message names it
        /// @throws IllegalArgumentException if two routes match the same paths, or if there are
        ///     both routes and a handler mounted at `/`
        public Serval start() throws IOException {
            if (listeners.isEmpty()) {
                throw new IllegalStateException(
                        "The server has no address: call listen before start");
            }
            if (!app.isEmpty()) {
                mount("/", app.build());
            }
            boolean auto = chosen.isEmpty();
            if (auto) {
                transport("auto");
            }
            if (warns) {
                StartFlags.warn(auto || chosen.startsWith("nio: "), !workersChosen);
            }
            return new Serval(this);
        }

        private Network network() {
            return chosen.equals("epoll") ? new EpollNetwork() : new NioNetwork();
        }
    }
}
