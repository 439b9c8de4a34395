package dev.serval.settings;

import dev.serval.config.Values;
import dev.serval.file.FileOptions;
import dev.serval.gateway.neighbour.KindDraft;
import dev.serval.gateway.neighbour.Neighbour;
import dev.serval.gateway.neighbour.NeighbourDraft;
import dev.serval.gateway.neighbour.Problem;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// Reads a mount whose answers come from other servers. Used by one thread.
final class NeighbourReader {
    private static final String HTTPS = "https://";
    private static final Set<String> OF_HTTP =
            Set.of(
                    "sticky",
                    "path",
                    "host",
                    "trust",
                    "check",
                    "check-every",
                    "tunnel-idle",
                    "location",
                    "fields",
                    "chunked");
    private static final Set<String> OF_FASTCGI =
            Set.of("root", "remote", "index", "fallback", "keep");
    private static final Set<String> OF_CGI = Set.of("variables");

    private final Values mount;
    private final String kind;
    private final Values upstream;
    private final Path folder;
    private final Problems problems;

    /// Creates a reader.
    ///
    /// @param kind `proxy`, `fastcgi` or `scgi`
    /// @param folder what relative paths are relative to
    NeighbourReader(Values mount, String kind, Path folder, Problems problems) {
        this.mount = mount;
        this.kind = kind;
        this.upstream = mount.table("upstream");
        this.folder = folder;
        this.problems = problems;
    }

    /// Returns the settings; null after a problem.
    ///
    /// @param files how files beside the scripts of FastCGI are served
    @Nullable Neighbour read(FileOptions files) {
        checkKind();
        NeighbourDraft draft = new NeighbourDraft(draft(files));
        List<String> texts = mount.texts(kind);
        String scheme = scheme();
        for (String text : texts) {
            boolean named = text.startsWith(scheme);
            boolean other = kind.equals("proxy") && text.contains("://");
            if (!named && (other || scheme.equals(HTTPS))) {
                problems.at(mount.where(kind))
                        .usage(
                                "\""
                                        + text
                                        + "\": the addresses of a mount all begin with http://, or all"
                                        + " with https://.");
                return null;
            }
            String bare = named ? text.substring(scheme.length()) : text;
            @Nullable String foreign = foreign(text, bare);
            if (foreign != null) {
                problems.at(mount.where(kind)).usage("\"" + text + "\": " + foreign);
                return null;
            }
            draft.addresses.add(address(text, bare));
        }
        checkNames("weights", upstream.numbers("weights").keySet());
        checkNames("backup", Set.copyOf(upstream.texts("backup")));
        draft.text = scheme + String.join(",", mount.texts(kind)).replace(scheme, "");
        limits(draft);
        return switch (draft.build()) {
            case NeighbourDraft.Built(Neighbour neighbour) -> neighbour;
            case NeighbourDraft.Refused(List<Problem> all) -> {
                all.forEach(this::report);
                yield null;
            }
        };
    }

    private String scheme() {
        if (!kind.equals("proxy")) {
            return kind + "://";
        }
        return mount.texts(kind).stream().anyMatch(text -> text.startsWith(HTTPS))
                ? HTTPS
                : "http://";
    }

    private void report(Problem problem) {
        Complaints at = problems.at(where(problem.setting()));
        if (problem.machine()) {
            at.environment(problem.sentence());
        } else {
            at.usage(problem.sentence());
        }
    }

    private String where(String setting) {
        Values tls = upstream.table("tls");
        if (tls.isKey(setting) && tls.has(setting)) {
            return tls.where(setting);
        }
        boolean known = upstream.isKey(setting) && upstream.has(setting);
        return known ? upstream.where(setting) : mount.where(kind);
    }

    /// Returns what is wrong with an address that is written as for another server or the command line;
    /// null for nothing.
    ///
    /// @param bare without its scheme
    private @Nullable String foreign(String text, String bare) {
        if (bare.startsWith("unix:")) {
            return null; // the name of a file may have any of these signs
        }
        if (bare.indexOf(',') >= 0) {
            return "a file has a list of addresses: write each of them in its own quotes, as in"
                    + " [\"127.0.0.1:9000\", \"127.0.0.1:9001\"].";
        }
        if (bare.indexOf('?') >= 0) {
            return "an address has no options here: they are keys, such as upstream.answer-time ="
                    + " \"30s\".";
        }
        int slash = bare.indexOf('/');
        if (slash < 0) {
            return null;
        }
        if (slash == 0) {
            return "a Unix-domain socket begins with unix: as in unix:" + bare + ".";
        }
        if (bare.contains("://")) {
            return kind + " takes addresses without a scheme, such as 127.0.0.1:9000.";
        }
        String path = bare.substring(slash);
        String address = text.substring(0, text.length() - path.length());
        return kind.equals("proxy")
                ? "an address has no path here: write \""
                        + address
                        + "\", and upstream.path = \""
                        + path
                        + "\" if it takes the place of the mount's path."
                : "an address has no path: write \"" + address + "\".";
    }

    private NeighbourDraft.Address address(String written, String text) {
        return new NeighbourDraft.Address(
                text,
                upstream.numbers("weights").getOrDefault(written, 1L).intValue(),
                upstream.texts("backup").contains(written),
                null);
    }

    /// Refuses addresses that the mount does not have.
    private void checkNames(String key, Set<String> names) {
        for (String name : names) {
            if (!mount.texts(kind).contains(name)) {
                problems.at(upstream.where(key))
                        .usage(
                                key
                                        + " names \""
                                        + name
                                        + "\", which is not among the addresses of "
                                        + kind
                                        + ": write it as there.");
            }
        }
    }

    /// Refuses keys of another protocol.
    private void checkKind() {
        check(OF_HTTP, kind.equals("proxy"), "proxy");
        check(OF_FASTCGI, kind.equals("fastcgi"), "fastcgi");
        check(OF_CGI, !kind.equals("proxy"), "fastcgi and scgi");
    }

    private void check(Set<String> keys, boolean right, String of) {
        for (String key : keys) {
            if (!right && upstream.has(key)) {
                problems.at(upstream.where(key))
                        .usage(key + " does not exist for " + kind + ": it is for " + of + ".");
            }
        }
    }

    private void limits(NeighbourDraft draft) {
        if (upstream.has("connections")) {
            draft.connections = (int) upstream.number("connections");
        }
        if (upstream.has("queue")) {
            draft.queue = (int) upstream.number("queue");
        }
        nanos("queue-time", nanos -> draft.queueNanos = nanos);
        nanos("connect-time", nanos -> draft.connectNanos = nanos);
        nanos("answer-time", nanos -> draft.answerNanos = nanos);
        nanos("idle-time", nanos -> draft.idleNanos = nanos);
        draft.halfClose = upstream.flag("half-close");
    }

    private void nanos(String key, LongConsumer set) {
        if (upstream.has(key)) {
            set.accept(upstream.time(key).toNanos());
        }
    }

    private KindDraft draft(FileOptions files) {
        return switch (kind) {
            case "proxy" -> http();
            case "fastcgi" -> fastcgi(files);
            default -> {
                KindDraft.Scgi scgi = new KindDraft.Scgi();
                scgi.buffer = upstream.flag("buffer");
                scgi.send = path("send", false);
                variables(scgi.variables);
                yield scgi;
            }
        };
    }

    private KindDraft http() {
        KindDraft.Http http = new KindDraft.Http();
        http.path = upstream.textOrNull("path");
        http.host = upstream.textOrNull("host");
        http.trust = upstream.flag("trust");
        http.buffer = upstream.flag("buffer");
        http.chunked = upstream.flag("chunked");
        http.check = upstream.textOrNull("check");
        http.sticky = upstream.textOrNull("sticky");
        http.send = path("send", false);
        http.checkEveryNanos = upstream.time("check-every").toNanos();
        nanos("tunnel-idle", nanos -> http.tunnelIdleNanos = nanos);
        boolean rewrites = upstream.text("location").equals("rewrite");
        http.redirect.usual = rewrites;
        http.cookiePath.usual = rewrites;
        http.cookieDomain.usual = rewrites;
        for (Map.Entry<String, String> field : upstream.names("fields").entrySet()) {
            boolean removed = field.getValue().isEmpty();
            http.fields.add(new KindDraft.Field(field.getKey(), removed ? null : field.getValue()));
        }
        http.tls = tls();
        return http;
    }

    private KindDraft.@Nullable Tls tls() {
        if (!scheme().equals(HTTPS)) {
            if (!upstream.tables("tls").isEmpty()) {
                problems.at(mount.where(kind))
                        .usage(
                                "upstream.tls has no effect here: write the addresses with"
                                        + " https://.");
            }
            return null;
        }
        Values values = upstream.table("tls");
        KindDraft.Tls tls = new KindDraft.Tls();
        tls.verify = values.flag("verify");
        tls.name = values.textOrNull("name");
        tls.authorities = file(values, "authorities");
        tls.certificate = file(values, "certificate");
        tls.key = file(values, "key");
        tls.passphraseFile = file(values, "passphrase-file");
        return tls;
    }

    private @Nullable String file(Values values, String key) {
        @Nullable String text = values.textOrNull(key);
        return text == null ? null : folder.resolve(text).normalize().toString();
    }

    private KindDraft fastcgi(FileOptions files) {
        KindDraft.Fastcgi php = new KindDraft.Fastcgi();
        php.files = files;
        php.remote = upstream.flag("remote");
        php.root = path("root", php.remote);
        php.send = path("send", false);
        php.index = upstream.has("index") ? upstream.textOrNull("index") : null;
        php.fallback = upstream.textOrNull("fallback");
        php.buffer = upstream.flag("buffer");
        php.keep = upstream.flag("keep");
        variables(php.variables);
        return php;
    }

    private void variables(List<KindDraft.Variable> to) {
        upstream.names("variables")
                .forEach((name, value) -> to.add(new KindDraft.Variable(name, value)));
    }

    private @Nullable String path(String key, boolean remote) {
        @Nullable String text = upstream.textOrNull(key);
        return text == null || remote ? text : folder.resolve(text).normalize().toString();
    }
}
