package dev.serval.gateway.neighbour;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads the address of a neighbour: `SCHEME://ADDRESS[,ADDRESS…][/PATH][?OPTION=VALUE&…]`.
/// ADDRESS is `HOST:PORT` or `unix:FILE`. It fills a [NeighbourDraft], which checks the settings.
/// Stateless.
public final class NeighbourSyntax {
    static final String HTTP = "http://";
    static final String HTTPS = "https://";
    static final String FASTCGI = "fastcgi://";
    static final String SCGI = "scgi://";
    private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*://).*");
    private static final String HTTP_OPTIONS =
            "path, host, trust, interims, interim-time, check, check-every, tunnel-idle, sticky,"
                    + " routes, redirect, cookie-path, cookie-domain, buffer, chunked, send";
    private static final String TLS_OPTIONS =
            ", tls-verify, tls-authorities, tls-name, tls-certificate, tls-key, tls-passphrase-file";

    private NeighbourSyntax() {}

    /// What reading gives: settings, or a sentence that says what is wrong and what is possible.
    public sealed interface Result {}

    /// Settings that are right.
    public record Right(Neighbour neighbour) implements Result {}

    /// Something wrong.
    ///
    /// @param machine whether it is a problem of this machine only, such as for want of a folder
    public record Wrong(String sentence, boolean machine) implements Result {}

    /// Returns whether the text is meant as the address of a neighbour, and not as a file: it
    /// begins with a scheme.
    public static boolean isNeighbour(String text) {
        return SCHEME.matcher(text).matches();
    }

    /// Reads an address for which [#isNeighbour] holds.
    public static Result read(String text) {
        String written = text.substring(0, text.indexOf("://") + 3);
        String scheme = written.toLowerCase(Locale.ROOT);
        @Nullable KindDraft kind =
                switch (scheme) {
                    case HTTP -> new KindDraft.Http();
                    case HTTPS -> https();
                    case FASTCGI -> new KindDraft.Fastcgi();
                    case SCGI -> new KindDraft.Scgi();
                    default -> null;
                };
        return kind == null
                ? new Wrong("\"" + text + "\"" + unknown(written), false)
                : read(text, scheme, kind);
    }

    private static KindDraft https() {
        KindDraft.Http http = new KindDraft.Http();
        http.tls = new KindDraft.Tls();
        return http;
    }

    private static String unknown(String written) {
        return " has the scheme "
                + written
                + ", which is not known: possible are http:// and https:// (also for WebSocket),"
                + " fastcgi:// and scgi://.";
    }

    private static Result read(String text, String scheme, KindDraft kind) {
        int question = text.indexOf('?');
        String query = question < 0 ? "" : text.substring(question + 1);
        String rest = text.substring(scheme.length(), question < 0 ? text.length() : question);
        Problems problems = new Problems();
        NeighbourOptions options = NeighbourOptions.of(query, problems);
        List<String> addresses = new ArrayList<>();
        String path = addresses(scheme, rest, addresses, problems);
        NeighbourDraft draft = new NeighbourDraft(kind);
        draft.text = text;
        common(options, draft);
        switch (kind) {
            case KindDraft.Http http -> http(path, options, http);
            case KindDraft.Fastcgi fastcgi -> fastcgi(options, fastcgi);
            case KindDraft.Scgi scgi -> {
                scgi.buffer = options.flag("buffer", true);
                scgi.send = options.text("send");
            }
        }
        addAddresses(addresses, options, draft, problems);
        options.end(optionsOf(kind));
        if (!path.isEmpty() && !(kind instanceof KindDraft.Http)) {
            problems.add("path", "The address has a path: only http:// and https:// can have one.");
        }
        return switch (draft.build(problems)) {
            case NeighbourDraft.Built(Neighbour neighbour) -> new Right(neighbour);
            case NeighbourDraft.Refused(List<Problem> all) ->
                    new Wrong(
                            "\"" + text + "\": " + all.getFirst().sentence(),
                            all.getFirst().machine());
        };
    }

    /// Splits the addresses.
    ///
    /// @return the path after them, or an empty text
    private static String addresses(
            String scheme, String rest, List<String> addresses, Problems problems) {
        String path = "";
        for (String part : rest.split(",", -1)) {
            boolean again = part.regionMatches(true, 0, scheme, 0, scheme.length());
            String one = again ? part.substring(scheme.length()) : part;
            int slash = one.startsWith(PlaceSyntax.UNIX) ? -1 : one.indexOf('/');
            if (slash >= 0) {
                if (!path.isEmpty() && !path.equals(one.substring(slash))) {
                    problems.add(
                            "path",
                            "The address has two paths: all addresses of a mount have the same"
                                    + " one.");
                }
                path = one.substring(slash);
                one = one.substring(0, slash);
            }
            addresses.add(one);
        }
        return path;
    }

    private static void addAddresses(
            List<String> addresses,
            NeighbourOptions options,
            NeighbourDraft draft,
            Problems problems) {
        String[] weights = options.list("weights");
        String[] routes =
                draft.kind instanceof KindDraft.Http ? options.list("routes") : new String[0];
        List<String> backups = List.of(options.list("backup"));
        checkCount("weights", weights.length, addresses.size(), problems);
        checkCount("routes", routes.length, addresses.size(), problems);
        for (String backup : backups) {
            if (!addresses.contains(backup)) {
                problems.add(
                        "backup",
                        "backup names "
                                + backup
                                + ", which is not one of the addresses: write it as there.");
            }
        }
        for (int i = 0; i < addresses.size(); i++) {
            int weight = i < weights.length ? weight(weights[i], i, problems) : 1;
            draft.addresses.add(
                    new NeighbourDraft.Address(
                            addresses.get(i),
                            weight,
                            backups.contains(addresses.get(i)),
                            i < routes.length ? routes[i] : null));
        }
    }

    private static void checkCount(String name, int count, int addresses, Problems problems) {
        if (count > 0 && count != addresses) {
            problems.add(
                    name,
                    name
                            + " takes one value for each address, separated by commas: "
                            + addresses
                            + ", not "
                            + count
                            + ".");
        }
    }

    private static int weight(String text, int index, Problems problems) {
        if (text.matches("\\d{1,9}")) {
            return Integer.parseInt(text);
        }
        problems.add("weight", index, "weights takes numbers, such as 3,1, not \"" + text + "\".");
        return 1;
    }

    private static void common(NeighbourOptions options, NeighbourDraft draft) {
        int none = -1;
        int connections = options.number(NumberSetting.CONNECTIONS, none);
        draft.connections = connections == none ? null : Integer.valueOf(connections);
        draft.queue = options.number(NumberSetting.QUEUE, draft.queue);
        draft.queueNanos = options.time(TimeSetting.QUEUE, draft.queueNanos);
        draft.connectNanos = options.time(TimeSetting.CONNECT, draft.connectNanos);
        draft.answerNanos = options.time(TimeSetting.ANSWER, draft.answerNanos);
        draft.idleNanos = options.time(TimeSetting.IDLE, draft.idleNanos);
        draft.halfClose = options.flag("half-close", draft.halfClose);
    }

    private static void http(String path, NeighbourOptions options, KindDraft.Http http) {
        @Nullable String base = options.text("path");
        http.path = base != null ? base : path.isEmpty() ? null : path;
        http.host = options.text("host");
        http.trust = options.flag("trust", http.trust);
        http.buffer = options.flag("buffer", http.buffer);
        http.chunked = options.flag("chunked", http.chunked);
        http.interims = options.number(NumberSetting.INTERIMS, http.interims);
        http.interimNanos = options.time(TimeSetting.INTERIM, http.interimNanos);
        http.tunnelIdleNanos = options.time(TimeSetting.TUNNEL_IDLE, http.tunnelIdleNanos);
        http.check = options.text("check");
        http.checkEveryNanos = options.time(TimeSetting.CHECK_EVERY, http.checkEveryNanos);
        http.sticky = options.text("sticky");
        http.send = options.text("send");
        options.changes("redirect", http.redirect);
        options.changes("cookie-path", http.cookiePath);
        options.changes("cookie-domain", http.cookieDomain);
        KindDraft.@Nullable Tls tls = http.tls;
        if (tls != null) {
            tls.verify = options.flag("tls-verify", tls.verify);
            tls.authorities = options.text("tls-authorities");
            tls.name = options.text("tls-name");
            tls.certificate = options.text("tls-certificate");
            tls.key = options.text("tls-key");
            tls.passphraseFile = options.text("tls-passphrase-file");
        }
    }

    private static void fastcgi(NeighbourOptions options, KindDraft.Fastcgi php) {
        php.root = options.text("root");
        php.remote = options.flag("remote", php.remote);
        php.index = options.text("index");
        php.fallback = options.text("fallback");
        php.send = options.text("send");
        php.buffer = options.flag("buffer", php.buffer);
        php.keep = options.flag("keep", php.keep);
    }

    private static String optionsOf(KindDraft kind) {
        return switch (kind) {
            case KindDraft.Http http -> HTTP_OPTIONS + (http.tls == null ? "" : TLS_OPTIONS);
            case KindDraft.Fastcgi _ -> "root, remote, index, fallback, send, buffer, keep";
            case KindDraft.Scgi _ -> "buffer, send";
        };
    }

    /// Decodes `%xx` in a value.
    static String decoded(String value) {
        if (value.indexOf('%') < 0) {
            return value;
        }
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        byte[] out = new byte[bytes.length];
        int length = 0;
        for (int i = 0; i < bytes.length; i++) {
            int high = i + 2 < bytes.length ? Character.digit(bytes[i + 1], 16) : -1;
            int low = i + 2 < bytes.length ? Character.digit(bytes[i + 2], 16) : -1;
            boolean encoded = bytes[i] == '%' && high >= 0 && low >= 0;
            out[length++] = encoded ? (byte) (high << 4 | low) : bytes[i];
            i += encoded ? 2 : 0;
        }
        return new String(out, 0, length, StandardCharsets.UTF_8);
    }
}
