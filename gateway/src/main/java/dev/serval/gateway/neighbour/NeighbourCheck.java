package dev.serval.gateway.neighbour;

import dev.serval.gateway.cgi.OwnVariable;
import dev.serval.gateway.fastcgi.FastcgiTarget;
import dev.serval.gateway.peer.PeerPool;
import dev.serval.gateway.peer.PoolLimits;
import dev.serval.gateway.peer.Upstream;
import dev.serval.gateway.proxy.FieldSetting;
import dev.serval.gateway.proxy.ProxyTarget;
import dev.serval.gateway.proxy.Rewriting;
import dev.serval.gateway.proxy.Stickiness;
import dev.serval.gateway.tls.TlsTarget;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Checks one [NeighbourDraft] and makes the immutable settings. Used by one thread, once.
final class NeighbourCheck {
    private static final int CONNECTIONS = 128;
    private static final int SCGI_CONNECTIONS = 32;
    private static final int KEPT_CONNECTIONS = 4; // fewer than php-fpm's usual 5 children
    private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final String INDEX = "index.php";

    private final NeighbourDraft draft;
    private final Problems problems;

    /// @param problems gets what is wrong
    NeighbourCheck(NeighbourDraft draft, Problems problems) {
        this.draft = draft;
        this.problems = problems;
    }

    /// Returns the settings; null if a problem was added, now or before.
    @Nullable Neighbour build() {
        List<Neighbour.Place> places = places();
        @Nullable PoolLimits limits = limits();
        Neighbour.@Nullable Kind kind =
                switch (draft.kind) {
                    case KindDraft.Http http -> http(http);
                    case KindDraft.Fastcgi fastcgi -> fastcgi(fastcgi);
                    case KindDraft.Scgi scgi ->
                            new Neighbour.Scgi(
                                    scgi.buffer,
                                    folder("send", scgi.send, false),
                                    variables(scgi.variables));
                };
        return problems.isEmpty() && limits != null && kind != null
                ? new Neighbour(text(), places, limits, kind)
                : null;
    }

    private String text() {
        @Nullable String text = draft.text;
        return text != null
                ? text
                : scheme()
                        + draft.addresses.stream()
                                .map(NeighbourDraft.Address::text)
                                .collect(Collectors.joining(","));
    }

    private String scheme() {
        return switch (draft.kind) {
            case KindDraft.Http http ->
                    http.tls == null ? NeighbourSyntax.HTTP : NeighbourSyntax.HTTPS;
            case KindDraft.Fastcgi _ -> NeighbourSyntax.FASTCGI;
            case KindDraft.Scgi _ -> NeighbourSyntax.SCGI;
        };
    }

    private List<Neighbour.Place> places() {
        List<NeighbourDraft.Address> addresses = draft.addresses;
        List<Neighbour.Place> places = new ArrayList<>();
        for (int i = 0; i < addresses.size(); i++) {
            Neighbour.@Nullable Place place = place(addresses.get(i), i);
            if (place != null) {
                places.add(place);
            }
        }
        if (addresses.isEmpty()) {
            problems.add("address", "A neighbour needs an address, such as 127.0.0.1:9000.");
        } else if (addresses.size() > PeerPool.UPSTREAMS_MAX) {
            problems.add(
                    "address",
                    "There are more than " + PeerPool.UPSTREAMS_MAX + " addresses: name fewer.");
        } else if (addresses.stream().allMatch(one -> one.weight() == 0)) {
            problems.add(
                    "weight", "All weights are 0: one of them must be above 0, for new requests.");
        } else if (addresses.stream().allMatch(NeighbourDraft.Address::backup)) {
            problems.add(
                    "backup", "All addresses are backups: one of them must be used otherwise.");
        }
        return places;
    }

    private Neighbour.@Nullable Place place(NeighbourDraft.Address address, int index) {
        problems.check(
                "weight",
                index,
                () -> {
                    Upstream.Share _ = new Upstream.Share(address.weight(), address.backup());
                });
        @Nullable String route = address.route();
        if (route != null) {
            problems.check("route", index, () -> Stickiness.RouteOfApplication.checkRoute(route));
        }
        PlaceSyntax syntax = new PlaceSyntax(scheme(), index, problems);
        List<SocketAddress> read = syntax.read(address.text());
        return !problems.isEmpty()
                ? null
                : new Neighbour.Place(
                        read,
                        address.text(),
                        new Upstream.Share(address.weight(), address.backup()));
    }

    private @Nullable PoolLimits limits() {
        @Nullable Integer connections = draft.connections;
        int most = connections != null ? connections : usualConnections();
        NumberSetting.CONNECTIONS.check(most, problems);
        NumberSetting.QUEUE.check(draft.queue, problems);
        boolean _ = TimeSetting.QUEUE.check(draft.queueNanos, problems);
        boolean _ = TimeSetting.CONNECT.check(draft.connectNanos, problems);
        boolean _ = TimeSetting.ANSWER.check(draft.answerNanos, problems);
        boolean _ = TimeSetting.IDLE.check(draft.idleNanos, problems);
        if (!problems.isEmpty()) {
            return null;
        }
        return PoolLimits.DIAL_OUT.with(limits -> {
            limits.connectionsMax = most;
            limits.queueMax = draft.queue;
            limits.queueNanos = draft.queueNanos;
            limits.connectNanos = draft.connectNanos;
            limits.answerNanos = draft.answerNanos;
            limits.idleNanos = draft.idleNanos;
            limits.halfClose = draft.halfClose;
        });
    }

    private int usualConnections() {
        return switch (draft.kind) {
            case KindDraft.Http _ -> CONNECTIONS;
            case KindDraft.Fastcgi php -> php.keep ? KEPT_CONNECTIONS : CONNECTIONS;
            case KindDraft.Scgi _ -> SCGI_CONNECTIONS;
        };
    }

    // HTTP

    private Neighbour.@Nullable Kind http(KindDraft.Http http) {
        @Nullable String base = withoutLastSlash(http.path);
        problems.check("path", () -> ProxyTarget.checkBasePath(base));
        problems.check("host", () -> ProxyTarget.checkHost(http.host));
        NumberSetting.INTERIMS.check(http.interims, problems);
        boolean _ = TimeSetting.INTERIM.check(http.interimNanos, problems);
        boolean _ = TimeSetting.TUNNEL_IDLE.check(http.tunnelIdleNanos, problems);
        boolean _ = TimeSetting.CHECK_EVERY.check(http.checkEveryNanos, problems);
        @Nullable String check = http.check;
        if (check != null && !check.matches("/[!-~&&[^#]]*")) {
            problems.add("check", "check takes a path, such as /health, not " + check + ".");
        }
        @Nullable Stickiness stickiness = stickiness(http);
        Rewriting redirects = rewriting("redirect", http.redirect);
        Rewriting cookiePaths = rewriting("cookie-path", http.cookiePath);
        Rewriting cookieDomains = rewriting("cookie-domain", http.cookieDomain);
        List<FieldSetting> fields = fields(http.fields);
        @Nullable Path sent = folder("send", http.send, false);
        KindDraft.@Nullable Tls written = http.tls;
        @Nullable TlsTarget tls =
                written == null ? null : new TlsTargetCheck(written, problems).build();
        if (!problems.isEmpty()) {
            return null;
        }
        ProxyTarget target =
                ProxyTarget.DEFAULT.with(to -> {
                    to.basePath = base;
                    to.host = http.host;
                    to.trustsClient = http.trust;
                    to.interimsMax = http.interims;
                    to.interimNanos = http.interimNanos;
                    to.tunnelIdleNanos = http.tunnelIdleNanos;
                    to.stickiness = stickiness;
                    to.redirects = redirects;
                    to.cookiePaths = cookiePaths;
                    to.cookieDomains = cookieDomains;
                    to.fields = fields;
                    to.sendRoot = sent;
                    to.chunked = http.chunked;
                });
        return new Neighbour.Http(
                target,
                http.buffer,
                check == null
                        ? null
                        : new Neighbour.Check(check, http.checkEveryNanos, CHECK_NANOS),
                tls);
    }

    private static @Nullable String withoutLastSlash(@Nullable String path) {
        return path != null && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    private @Nullable Stickiness stickiness(KindDraft.Http http) {
        @Nullable String cookie = http.sticky;
        List<@Nullable String> routes = new ArrayList<>();
        boolean anyRoute = false;
        for (NeighbourDraft.Address address : draft.addresses) {
            routes.add(address.route());
            anyRoute |= address.route() != null;
        }
        if (cookie == null) {
            if (anyRoute) {
                problems.add(
                        "sticky",
                        "An address has a route, but no cookie is named: set sticky to the cookie"
                                + " of the application, such as JSESSIONID.");
            }
            if (http.stickySecret != null) {
                problems.add(
                        "sticky-secret",
                        "There is a secret, but no cookie is named: set sticky to its name.");
            }
            return null;
        }
        problems.check("sticky", () -> Stickiness.checkCookie(cookie));
        problems.check("sticky-secret", () -> Stickiness.OwnCookie.checkSecret(http.stickySecret));
        if (anyRoute && http.stickySecret != null) {
            problems.add(
                    "sticky-secret",
                    "A secret is for the cookie of the server, but with routes the cookie is that"
                            + " of the application: leave one of them out.");
        }
        if (!problems.isEmpty()) {
            return null;
        }
        if (!anyRoute) {
            return new Stickiness.OwnCookie(cookie, http.stickySecret);
        }
        try {
            return new Stickiness.RouteOfApplication(cookie, routes);
        } catch (IllegalArgumentException e) {
            problems.add("route", e.getMessage() + ".");
            return null;
        }
    }

    private Rewriting rewriting(String setting, KindDraft.Changes changes) {
        List<Rewriting.Pair> pairs = new ArrayList<>();
        for (int i = 0; i < changes.changes.size(); i++) {
            KindDraft.Change change = changes.changes.get(i);
            problems.check(
                    setting, i, () -> pairs.add(new Rewriting.Pair(change.from(), change.to())));
        }
        return new Rewriting(changes.usual, pairs);
    }

    private List<FieldSetting> fields(List<KindDraft.Field> written) {
        List<FieldSetting> fields = new ArrayList<>();
        for (int i = 0; i < written.size(); i++) {
            KindDraft.Field field = written.get(i);
            problems.check(
                    "field", i, () -> fields.add(new FieldSetting(field.name(), field.value())));
        }
        return fields;
    }

    // FastCGI and SCGI

    private List<OwnVariable> variables(List<KindDraft.Variable> written) {
        List<OwnVariable> variables = new ArrayList<>();
        for (int i = 0; i < written.size(); i++) {
            KindDraft.Variable one = written.get(i);
            problems.check(
                    "variables", i, () -> variables.add(new OwnVariable(one.name(), one.value())));
        }
        if (written.size() > OwnVariable.COUNT_MAX) {
            problems.add(
                    "variables",
                    "A mount sets at most " + OwnVariable.COUNT_MAX + " variables: name fewer.");
        }
        return variables;
    }

    private Neighbour.@Nullable Kind fastcgi(KindDraft.Fastcgi php) {
        @Nullable Path root = folder("root", php.root, php.remote);
        @Nullable Path sent = folder("send", php.send, false);
        String index = php.index == null ? INDEX : php.index;
        problems.check("index", () -> FastcgiTarget.checkIndex(index));
        problems.check("fallback", () -> FastcgiTarget.checkFallback(php.fallback));
        List<OwnVariable> variables = variables(php.variables);
        if (php.root == null && (php.remote || php.index != null || php.fallback != null)) {
            problems.add("root", "There are options for scripts but no root: add root=FOLDER.");
        }
        if (!problems.isEmpty()) {
            return null;
        }
        return new Neighbour.Fastcgi(
                new FastcgiTarget(
                        root,
                        root != null && !php.remote,
                        index,
                        php.fallback,
                        sent,
                        php.keep,
                        variables),
                php.buffer,
                php.files);
    }

    private @Nullable Path folder(String setting, @Nullable String text, boolean remote) {
        if (text == null) {
            return null;
        }
        try {
            Path folder = Path.of(text);
            if (remote) {
                if (!folder.isAbsolute()) {
                    problems.add(setting, "A remote root must be absolute: write root=/srv/app.");
                }
                return folder;
            }
            Path absolute = folder.toAbsolutePath().normalize();
            if (!Files.isDirectory(absolute)) {
                problems.addOfMachine(
                        setting,
                        -1,
                        setting
                                + " names the folder "
                                + absolute
                                + ", which does not exist"
                                + (setting.equals("root")
                                        ? ": add remote=yes (in a file, remote = true) if only the"
                                                + " application server has it."
                                        : "."));
            }
            return absolute;
        } catch (InvalidPathException e) {
            problems.add(setting, setting + " has a name that no file system can have.");
            return null;
        }
    }
}
