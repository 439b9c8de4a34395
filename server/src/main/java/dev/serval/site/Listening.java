package dev.serval.site;

import dev.serval.ListenerSpec;
import dev.serval.ListeningSocket;
import dev.serval.Serval;
import dev.serval.policy.Limits;
import dev.serval.policy.ProxyProtocol;
import dev.serval.settings.ListenerChoice;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The listeners for HTTP of a running server. A reload opens and closes them. Any thread; one change
/// at a time.
public final class Listening {
    private final List<ListeningSocket> inherited;
    private Map<ListenerChoice, List<SocketAddress>> open = Map.of(); // under this lock

    /// Creates an object without listeners.
    ///
    /// @param inherited sockets that another process has opened
    public Listening(List<ListeningSocket> inherited) {
        this.inherited = List.copyOf(inherited);
    }

    /// Returns the sockets that another process has opened, in the order of their numbers.
    public List<ListeningSocket> inherited() {
        return inherited;
    }

    /// Returns the engine's form of a listener.
    ///
    /// @throws IOException if the process has not inherited its socket
    public ListenerSpec spec(ListenerChoice choice) throws IOException {
        @Nullable SocketAddress address = choice.address();
        ListenerSpec spec =
                (address == null ? ListenerSpec.on(socket(choice)) : new ListenerSpec(address))
                        .withBacklog(choice.backlog());
        @Nullable Limits own = choice.limits();
        @Nullable ProxyProtocol proxy = choice.proxy();
        ListenerSpec limited = own == null ? spec : spec.withLimits(own);
        return proxy == null ? limited : limited.withProxyProtocol(proxy);
    }

    /// Returns the inherited socket of a name, or of a number from 0.
    private ListeningSocket socket(ListenerChoice choice) throws IOException {
        String name = String.valueOf(choice.inherited());
        Optional<ListeningSocket> named =
                inherited.stream().filter(socket -> socket.name().equals(name)).findFirst();
        if (named.isPresent()) {
            return named.get();
        }
        if (name.matches("\\d{1,4}") && Integer.parseInt(name) < inherited.size()) {
            return inherited.get(Integer.parseInt(name));
        }
        throw new IOException(
                "This process has inherited no socket \""
                        + name
                        + "\": it has "
                        + (inherited.isEmpty()
                                ? "none, because $LISTEN_FDS is not set for it"
                                : inherited.stream().map(ListeningSocket::name).toList())
                        + ".");
    }

    /// Notes the listeners of a server that has started.
    ///
    /// @param addresses those of the choices, in their order, with their actual ports
    public synchronized void started(List<ListenerChoice> choices, List<SocketAddress> addresses) {
        Map<ListenerChoice, List<SocketAddress>> all = new LinkedHashMap<>();
        for (int i = 0; i < choices.size(); i++) {
            all.put(choices.get(i), List.of(addresses.get(i)));
        }
        open = all;
    }

    /// Returns the addresses, with their actual ports.
    public synchronized List<SocketAddress> addresses() {
        return open.values().stream().flatMap(List::stream).toList();
    }

    /// Prepares a change of the listeners.
    ///
    /// @throws IOException if a listener cannot be opened; then nothing has changed
    synchronized ListenerChange prepare(Serval serval, List<ListenerChoice> next)
            throws IOException {
        return ListenerChange.prepare(serval, this, open, next);
    }

    /// Carries out a change that was prepared, after the routes have changed.
    ///
    /// @return a sentence for each listener that is not as it should be
    synchronized List<String> commit(ListenerChange change) {
        List<String> warnings = change.commit();
        open = change.next();
        return warnings;
    }
}
