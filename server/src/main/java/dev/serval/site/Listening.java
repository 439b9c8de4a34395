package dev.serval.site;

import dev.serval.ListenerSpec;
import dev.serval.ListeningSocket;
import dev.serval.Serval;
import dev.serval.acme.AutomaticCertificates;
import dev.serval.handler.Handler;
import dev.serval.http.FieldChanges;
import dev.serval.policy.Limits;
import dev.serval.policy.ProxyProtocol;
import dev.serval.route.RouteTable;
import dev.serval.route.Router;
import dev.serval.rule.Redirect;
import dev.serval.settings.ListenerChoice;
import dev.serval.tls.TlsProvider;
import dev.serval.tls.TlsSettings;
import dev.serval.tls.WatchedTls;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The listeners for HTTP of a running server. A reload opens and closes them. Any thread; one change
/// at a time.
public final class Listening {
    private static final int HTTPS_PORT = 443;
    private static final int PERMANENT_REDIRECT = 308;

    private final List<ListeningSocket> inherited;
    private final @Nullable AutomaticCertificates certificates;
    private final UnaryOperator<Handler> states;
    private List<ListenerChange.Open> open = List.of(); // under this lock

    /// Creates an object without listeners and without automatic certificates.
    ///
    /// @param inherited sockets that another process has opened
    public Listening(List<ListeningSocket> inherited) {
        this(inherited, null, handler -> handler);
    }

    /// Creates an object without listeners.
    ///
    /// @param inherited sockets that another process has opened
    /// @param certificates those that are automatic; null for none
    /// @param states puts the paths that tell the state of the server before a handler
    public Listening(
            List<ListeningSocket> inherited,
            @Nullable AutomaticCertificates certificates,
            UnaryOperator<Handler> states) {
        this.inherited = List.copyOf(inherited);
        this.certificates = certificates;
        this.states = states;
    }

    /// Returns `handler` with what every listener for HTTP answers before it: the paths that tell the
    /// state of the server, and the checks of automatic certificates.
    public Handler before(Handler handler) {
        return states.apply(certificates == null ? handler : certificates.before(handler));
    }

    /// Returns the automatic certificates; null if there are none.
    public @Nullable AutomaticCertificates certificates() {
        return certificates;
    }

    /// Returns the sockets that another process has opened, in the order of their numbers.
    public List<ListeningSocket> inherited() {
        return inherited;
    }

    /// Returns the engine's form of a listener.
    ///
    /// @throws IOException if the process has not inherited its socket, or its certificate cannot be
    ///     used
    public ListenerSpec spec(ListenerChoice choice) throws IOException {
        @Nullable SocketAddress address = choice.address();
        ListenerSpec spec =
                (address == null ? ListenerSpec.on(socket(choice)) : new ListenerSpec(address))
                        .withBacklog(choice.backlog());
        @Nullable Limits own = choice.limits();
        @Nullable ProxyProtocol proxy = choice.proxy();
        @Nullable TlsSettings tls = choice.tls();
        ListenerSpec limited = own == null ? spec : spec.withLimits(own);
        ListenerSpec encrypted =
                tls == null ? limited : limited.withTls(provider(tls)).withFields(hsts(choice));
        ListenerSpec redirected =
                choice.httpsPort() == 0
                        ? encrypted
                        : encrypted.withHandler(redirect(choice.httpsPort()));
        return proxy == null ? redirected : redirected.withProxyProtocol(proxy);
    }

    private TlsProvider provider(TlsSettings tls) throws IOException {
        @Nullable AutomaticCertificates automatic = certificates;
        if (!tls.issued()) {
            return WatchedTls.of(tls);
        }
        if (automatic == null) {
            throw new IOException(
                    "This server was started without automatic certificates: restart it.");
        }
        return automatic.tls(tls);
    }

    /// Tells browsers to use only https (RFC 6797 §6.1). An answer that says so itself stays as it is.
    private FieldChanges hsts(ListenerChoice choice) throws IOException {
        @Nullable SocketAddress address = choice.address();
        long seconds =
                choice.hsts().secondsAt(address == null ? socket(choice).address() : address);
        return seconds == 0
                ? FieldChanges.NONE
                : new FieldChanges(
                        List.of(
                                FieldChanges.Change.addIfAbsent(
                                                "Strict-Transport-Security", "max-age=" + seconds)
                                        .toAll()));
    }

    /// Sends every request to the same address by https (RFC 9110 §15.4.9: with its method), except
    /// those that every listener answers: a balancer may check this port.
    private Handler redirect(int port) {
        String host = "https://$host" + (port == HTTPS_PORT ? "" : ":" + port) + "/";
        Redirect redirect = new Redirect(new Redirect.Rule("/*", host, PERMANENT_REDIRECT, true));
        return before(
                new Router(
                        RouteTable.builder().mount("/", Handler.ofEveryMethod(redirect)).build()));
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
        List<ListenerChange.Open> all = new ArrayList<>();
        for (int i = 0; i < choices.size(); i++) {
            all.add(new ListenerChange.Open(choices.get(i), List.of(addresses.get(i))));
        }
        open = all;
    }

    /// Returns the addresses, with their actual ports.
    public synchronized List<SocketAddress> addresses() {
        return open.stream().flatMap(each -> each.addresses().stream()).toList();
    }

    /// Returns the URLs of the addresses, with their actual ports.
    public synchronized List<String> urls() {
        List<String> urls = new ArrayList<>();
        for (ListenerChange.Open each : open) {
            each.addresses().forEach(address -> urls.add(each.choice().url(address)));
        }
        return urls.stream().distinct().toList(); // 0.0.0.0 may be a part of ::
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
