package dev.serval;

import dev.serval.conn.Protocol;
import dev.serval.exchange.Service;
import dev.serval.exchange.ServiceLoop;
import dev.serval.handler.Handler;
import dev.serval.net.Connection;
import dev.serval.net.Descriptors;
import dev.serval.net.Driver;
import dev.serval.net.Listener;
import dev.serval.net.NetLoop;
import dev.serval.net.Transport;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The listeners of a server and their services. The thread that starts the server fills it; after
/// that, any thread may read it.
final class Listeners {
    private static final int BACKLOG = 4096;

    /// Creates each connection by the factory of its loop.
    private record LoopDrivers(List<Driver.Factory> ofLoops) implements Driver.Factory {
        @Override
        public Transport transport(NetLoop net, Transport socket) {
            return ofLoops.get(net.loop().index()).transport(net, socket);
        }

        @Override
        public Driver open(Connection connection) {
            return ofLoops.get(connection.loop().index()).open(connection);
        }
    }

    private final Service shared;
    private final List<ServerLoop> loops;
    private final List<Service> services = new ArrayList<>(); // the shared one first
    private final List<Listener> open = new ArrayList<>();

    /// Creates an empty set of listeners.
    ///
    /// @param shared the service of listeners without their own limits and handler
    /// @param loops the server's loops; more may be added later
    Listeners(Service shared, List<ServerLoop> loops) {
        this.shared = shared;
        this.loops = loops;
        services.add(shared);
    }

    /// Opens a listener.
    ///
    /// @param http the protocol if `spec` has none
    /// @throws IOException if the address cannot be listened at; the message names it
    void open(ListenerSpec spec, Protocol http) throws IOException {
        Service served = serviceOf(spec);
        @Nullable Protocol asked = spec.protocol();
        Protocol protocol = asked == null ? http : asked;
        List<Driver.Factory> drivers =
                loops.stream()
                        .map(loop -> protocol.drivers(new ServiceLoop(loop.exchanges(), served)))
                        .toList();
        List<NetLoop> nets = loops.stream().map(ServerLoop::net).toList();
        try {
            open.add(
                    Listener.open(
                            spec.address(), nets, BACKLOG, new LoopDrivers(drivers), this::paused));
        } catch (IOException e) {
            String why = String.valueOf(e.getMessage());
            throw new IOException("Cannot listen at " + text(spec.address()) + ": " + why, e);
        }
    }

    /// Stops accepting.
    void close() {
        open.forEach(Listener::close);
    }

    /// Returns the addresses, in the order in which the listeners were opened.
    List<SocketAddress> addresses() {
        return open.stream().map(Listener::address).toList();
    }

    /// Returns the services, the shared one first.
    List<Service> services() {
        return List.copyOf(services);
    }

    /// Returns the number of open connections of all listeners.
    int connections() {
        int sum = 0;
        for (Service each : services) {
            sum += each.admission().connections();
        }
        return sum;
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

    private Service serviceOf(ListenerSpec spec) {
        if (spec.isShared()) {
            return shared;
        }
        Service.Settings own = shared.settings();
        @Nullable Limits limits = spec.limits();
        @Nullable Handler handler = spec.handler();
        Service made =
                new Service(
                        new Service.Settings(
                                limits == null ? own.limits() : within(Descriptors.limit(), limits),
                                handler == null ? own.handler() : handler,
                                own.pages(),
                                own.accessLog(),
                                own.mapping()),
                        loops.size());
        services.add(made);
        return made;
    }

    private void paused(NetLoop net) {
        loops.get(net.loop().index()).exchanges().metrics().count(Counter.ACCEPT_PAUSES);
    }

    private static String text(SocketAddress address) {
        return address instanceof InetSocketAddress inet
                ? inet.getHostString() + ":" + inet.getPort()
                : address.toString();
    }
}
