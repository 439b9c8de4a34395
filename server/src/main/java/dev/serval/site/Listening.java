package dev.serval.site;

import dev.serval.ListenerSpec;
import dev.serval.ListeningSocket;
import dev.serval.Serval;
import dev.serval.policy.Limits;
import dev.serval.policy.ProxyProtocol;
import dev.serval.settings.ListenerChoice;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The listeners for HTTP of a running server. A reload opens and closes them. Any thread; one change
/// at a time.
public final class Listening {
    private final List<ListeningSocket> inherited;
    private final Map<ListenerChoice, SocketAddress> open =
            new LinkedHashMap<>(); // under this lock

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
        for (int i = 0; i < choices.size(); i++) {
            open.put(choices.get(i), addresses.get(i));
        }
    }

    /// Returns the addresses, with their actual ports.
    public synchronized List<SocketAddress> addresses() {
        return List.copyOf(open.values());
    }

    /// Opens and closes listeners, and replaces limits.
    ///
    /// @throws IOException if a listener cannot be opened; then nothing has changed
    synchronized void change(Serval serval, List<ListenerChoice> next) throws IOException {
        Map<ListenerChoice, SocketAddress> kept = new LinkedHashMap<>();
        List<ListenerChoice> fresh = new ArrayList<>();
        for (ListenerChoice choice : next) {
            Optional<ListenerChoice> present =
                    open.keySet().stream().filter(choice::isSameSocket).findFirst();
            if (present.isPresent()) {
                kept.put(choice, open.get(present.get()));
            } else {
                fresh.add(choice);
            }
        }
        Map<ListenerChoice, SocketAddress> gone = new LinkedHashMap<>(open);
        gone.values().removeAll(kept.values());
        List<ListenerChoice> closed = new ArrayList<>();
        List<SocketAddress> opened = new ArrayList<>();
        try {
            for (ListenerChoice choice : fresh) {
                // Another kind of listener at the same address: the system allows only one.
                for (ListenerChoice old : gone.keySet()) {
                    if (old.text().equals(choice.text()) && !closed.contains(old)) {
                        serval.close(gone.get(old));
                        closed.add(old);
                    }
                }
                SocketAddress bound = serval.open(spec(choice));
                opened.add(bound);
                kept.put(choice, bound);
            }
        } catch (IOException | RuntimeException e) {
            back(serval, opened, closed);
            throw e;
        }
        for (Map.Entry<ListenerChoice, SocketAddress> each : gone.entrySet()) {
            if (!closed.contains(each.getKey())) {
                serval.close(each.getValue());
            }
        }
        limits(serval, kept);
        open.clear();
        next.forEach(choice -> open.put(choice, kept.get(choice)));
    }

    private void back(Serval serval, List<SocketAddress> opened, List<ListenerChoice> closed)
            throws IOException {
        for (SocketAddress address : opened) {
            serval.close(address);
        }
        for (ListenerChoice old : closed) {
            open.put(old, serval.open(spec(old)));
        }
    }

    private void limits(Serval serval, Map<ListenerChoice, SocketAddress> kept) {
        kept.forEach((choice, address) -> {
            @Nullable Limits own = choice.limits();
            if (own != null && !open.containsKey(choice)) {
                serval.limits(address, own);
            }
        });
    }
}
