package dev.serval.service;

import dev.serval.ListenerSpec;
import dev.serval.ListeningSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Listening sockets that other processes have opened: a service manager, or the predecessor, which
/// passes on those of its service manager too. A listener takes the socket that the predecessor had at
/// its address. Used by the main thread.
public final class TakenSockets implements AutoCloseable {
    private final List<ListeningSocket> inherited = new ArrayList<>();
    private final List<ListeningSocket> own = new ArrayList<>();
    private final List<ListeningSocket> left;

    private TakenSockets(List<ListeningSocket> sockets) {
        for (ListeningSocket socket : sockets) {
            // The engine names a socket that it has opened after its address.
            boolean opened = socket.ownsFile() || socket.name().indexOf(':') >= 0;
            (opened ? own : inherited).add(socket);
        }
        this.left = new ArrayList<>(own);
    }

    /// Takes the sockets of the predecessor, or else those that a service manager has passed on.
    ///
    /// @param environment the variables of this process
    /// @throws IOException if they cannot be taken
    public static TakenSockets take(
            @Nullable Predecessor predecessor, Map<String, String> environment) throws IOException {
        return new TakenSockets(
                predecessor == null
                        ? ListeningSocket.inherited(environment, ProcessHandle.current().pid())
                        : predecessor.take());
    }

    /// Returns those of a service manager, in the order in which it has passed them on. They stay
    /// open.
    public List<ListeningSocket> inherited() {
        return List.copyOf(inherited);
    }

    /// Returns a listener on the predecessor's socket of its address; the listener itself if there is
    /// none. A listener at any free port takes the next one at its address.
    public ListenerSpec on(ListenerSpec spec) {
        if (spec.socket() != null) {
            return spec;
        }
        SocketAddress wanted = spec.address();
        @Nullable ListeningSocket socket = first(one -> one.address().equals(wanted));
        if (socket == null && wanted instanceof InetSocketAddress inet && inet.getPort() == 0) {
            socket =
                    first(one ->
                            one.address() instanceof InetSocketAddress bound
                                    && bound.getAddress().equals(inet.getAddress()));
        }
        if (socket == null) {
            return spec;
        }
        left.remove(socket);
        return spec.withSocket(socket);
    }

    private @Nullable ListeningSocket first(Predicate<ListeningSocket> condition) {
        return left.stream().filter(condition).findFirst().orElse(null);
    }

    /// Closes those of the predecessor. Listeners that use one continue, because they have descriptors
    /// of their own.
    @Override
    public void close() {
        own.forEach(ListeningSocket::close);
    }
}
