package dev.serval.gateway.neighbour;

import dev.serval.gateway.fastcgi.FastcgiTarget;
import dev.serval.gateway.peer.PoolLimits;
import dev.serval.gateway.proxy.ProxyTarget;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads the address of a neighbour: `SCHEME://ADDRESS[,ADDRESS…][/PATH][?OPTION=VALUE&…]`.
/// ADDRESS is `HOST:PORT` or `unix:FILE`. Reads the name service and the folders that options name.
/// Stateless.
public final class NeighbourSyntax {
    private static final String HTTP = "http://";
    private static final String FASTCGI = "fastcgi://";
    private static final String SCGI = "scgi://";
    private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*://).*");
    private static final String UNIX = "unix:";
    private static final int HTTP_PORT = 80;
    private static final int UNIX_MAX_BYTES = 107; // of sun_path on Linux, without its NUL
    private static final int CONNECTIONS = 128;
    private static final int KEPT_CONNECTIONS = 4; // fewer than php-fpm's usual 5 children
    private static final int UPSTREAMS_MAX = 64;
    private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(5);

    private NeighbourSyntax() {}

    /// What reading gives: settings, or a sentence that says what is wrong and what is possible.
    public sealed interface Result {}

    /// Settings that are right.
    public record Right(Neighbour neighbour) implements Result {}

    /// Something wrong.
    public record Wrong(String sentence) implements Result {}

    /// Returns whether the text is meant as the address of a neighbour, and not as a file: it
    /// begins with a scheme.
    public static boolean isNeighbour(String text) {
        return SCHEME.matcher(text).matches();
    }

    /// Reads an address for which [#isNeighbour] holds.
    public static Result read(String text) {
        String written = text.substring(0, text.indexOf("://") + 3);
        String scheme = written.toLowerCase(Locale.ROOT);
        switch (scheme) {
            case HTTP, FASTCGI, SCGI -> {}
            case "https://" -> {
                return new Wrong(
                        "\""
                                + text
                                + "\": only http:// can be forwarded to, because TLS to upstreams"
                                + " is not supported yet.");
            }
            default -> {
                return new Wrong(
                        "\""
                                + text
                                + "\" has the scheme "
                                + written
                                + ", which is not known: possible are http:// (also for"
                                + " WebSocket), fastcgi:// and scgi://.");
            }
        }
        int question = text.indexOf('?');
        String query = question < 0 ? "" : text.substring(question + 1);
        String rest = text.substring(scheme.length(), question < 0 ? text.length() : question);
        NeighbourOptions options = NeighbourOptions.of(text, query);
        List<Neighbour.Place> places = new ArrayList<>();
        String path = places(scheme, rest, places, options);
        // Before the options of the protocol: a kept connection occupies a process of PHP.
        boolean keeps = scheme.equals(FASTCGI) && options.flag("keep", false);
        PoolLimits limits = limits(scheme, keeps, options);
        Neighbour.@Nullable Kind kind = kind(scheme, path, keeps, options);
        @Nullable String problem = options.problem();
        return problem == null && kind != null
                ? new Right(new Neighbour(text, places, limits, kind))
                : new Wrong(String.valueOf(problem));
    }

    /// Reads the addresses.
    ///
    /// @return the path after them, or an empty text
    private static String places(
            String scheme, String rest, List<Neighbour.Place> places, NeighbourOptions options) {
        String path = "";
        for (String part : rest.split(",", -1)) {
            boolean again = part.regionMatches(true, 0, scheme, 0, scheme.length());
            String one = again ? part.substring(scheme.length()) : part;
            int slash = one.startsWith(UNIX) ? -1 : one.indexOf('/');
            if (slash >= 0) {
                if (!path.isEmpty() && !path.equals(one.substring(slash))) {
                    options.wrong("has two paths: all addresses of a mount have the same one.");
                }
                path = one.substring(slash);
                one = one.substring(0, slash);
            }
            Neighbour.@Nullable Place place = place(scheme, one, options);
            if (place != null) {
                places.add(place);
            }
        }
        if (places.size() > UPSTREAMS_MAX) {
            options.wrong("names more than " + UPSTREAMS_MAX + " addresses: name fewer.");
        }
        return path;
    }

    private static Neighbour.@Nullable Place place(
            String scheme, String one, NeighbourOptions options) {
        if (one.startsWith(UNIX)) {
            return socket(one, options);
        }
        int colon = one.lastIndexOf(':');
        boolean hasPort = colon >= 0 && one.indexOf(']', colon) < 0;
        String host = hasPort ? one.substring(0, colon) : one;
        int port = hasPort ? number(one.substring(colon + 1)) : HTTP_PORT;
        String bare = bare(host);
        if (bare.isEmpty() || port < 1 || port > 65_535 || (!hasPort && !scheme.equals(HTTP))) {
            options.wrong(
                    "needs HOST:PORT or unix:FILE as its address, such as "
                            + scheme
                            + "127.0.0.1:9000, not \""
                            + one
                            + "\".");
            return null;
        }
        InetSocketAddress address = new InetSocketAddress(bare, port);
        if (address.isUnresolved()) {
            options.wrong(
                    "names the host "
                            + host
                            + ", which the name service does not know: check the name, or write"
                            + " its IP address.");
            return null;
        }
        SocketAddress resolved = address;
        return new Neighbour.Place(resolved, one);
    }

    private static Neighbour.@Nullable Place socket(String one, NeighbourOptions options) {
        String file = one.substring(UNIX.length());
        if (file.getBytes(StandardCharsets.UTF_8).length > UNIX_MAX_BYTES) {
            options.wrong(
                    "names a socket whose path is above "
                            + UNIX_MAX_BYTES
                            + " bytes: the system takes no longer one.");
            return null;
        }
        try {
            if (!file.isEmpty()) {
                return new Neighbour.Place(UnixDomainSocketAddress.of(file), one);
            }
        } catch (IllegalArgumentException e) {
            // refused below
        }
        options.wrong("names a socket that no system can have: write unix:/run/app.sock.");
        return null;
    }

    /// Returns a host without the brackets of an IPv6 address; an empty text if a bracket is alone.
    private static String bare(String host) {
        if (host.startsWith("[") && host.endsWith("]")) {
            return host.substring(1, host.length() - 1);
        }
        return host.contains("[") || host.contains("]") ? "" : host;
    }

    private static int number(String text) {
        return text.matches("\\d{1,5}") ? Integer.parseInt(text) : -1;
    }

    private static PoolLimits limits(String scheme, boolean keeps, NeighbourOptions options) {
        PoolLimits usual = PoolLimits.DIAL_OUT;
        int connections = keeps ? KEPT_CONNECTIONS : scheme.equals(SCGI) ? 32 : CONNECTIONS;
        return usual.with(draft -> {
            draft.connectionsMax = options.number("connections", connections, 1, 10_000);
            draft.queueMax = options.number("queue", usual.queueMax(), 1, 100_000);
            draft.queueNanos = options.time("queue-time", usual.queueNanos());
            draft.connectNanos = options.time("connect-time", usual.connectNanos());
            draft.answerNanos = options.time("answer-time", usual.answerNanos());
            draft.idleNanos = options.time("idle-time", usual.idleNanos());
            draft.halfClose = options.flag("half-close", false);
        });
    }

    private static Neighbour.@Nullable Kind kind(
            String scheme, String path, boolean keeps, NeighbourOptions options) {
        try {
            if (scheme.equals(HTTP)) {
                return http(path, options);
            }
            if (!path.isEmpty()) {
                options.wrong("has a path: only http:// can have one.");
            }
            if (scheme.equals(FASTCGI)) {
                return fastcgi(keeps, options);
            }
            boolean collects = options.flag("buffer", true);
            options.end("buffer");
            return new Neighbour.Scgi(collects);
        } catch (IllegalArgumentException e) {
            options.wrong("is refused: " + e.getMessage() + ".");
            return null;
        }
    }

    private static Neighbour.Kind http(String path, NeighbourOptions options) {
        @Nullable String base = options.text("path");
        String written = base != null ? base : path;
        @Nullable String basePath =
                base == null && path.isEmpty()
                        ? null
                        : written.endsWith("/")
                                ? written.substring(0, written.length() - 1)
                                : written;
        ProxyTarget target =
                new ProxyTarget(
                        basePath,
                        options.text("host"),
                        options.flag("trust", false),
                        options.number("interims", ProxyTarget.DEFAULT.interimsMax(), 0, 10_000),
                        options.time("interim-time", ProxyTarget.DEFAULT.interimNanos()),
                        options.time("tunnel-idle", ProxyTarget.DEFAULT.tunnelIdleNanos()));
        @Nullable String check = options.text("check");
        long interval = options.time("check-every", CHECK_NANOS);
        options.end("path, host, trust, interims, interim-time, check, check-every, tunnel-idle");
        if (check != null && !check.matches("/[!-~]*")) {
            options.wrong("has a check that is not a path, such as check=/health.");
        }
        return new Neighbour.Http(
                target, check == null ? null : new Neighbour.Check(check, interval, CHECK_NANOS));
    }

    private static Neighbour.Kind fastcgi(boolean keeps, NeighbourOptions options) {
        boolean remote = options.flag("remote", false);
        @Nullable Path root = folder("root", remote, options);
        @Nullable Path sent = folder("send", false, options);
        @Nullable String index = options.text("index");
        @Nullable String fallback = options.text("fallback");
        boolean collects = options.flag("buffer", true);
        options.end("root, remote, index, fallback, send, buffer, keep");
        if (root == null && (remote || index != null || fallback != null)) {
            options.wrong("has options for scripts but no root: add root=FOLDER.");
        }
        return new Neighbour.Fastcgi(
                new FastcgiTarget(
                        root,
                        root != null && !remote,
                        index == null ? "index.php" : index,
                        fallback,
                        sent,
                        keeps),
                collects);
    }

    private static @Nullable Path folder(String name, boolean remote, NeighbourOptions options) {
        @Nullable String text = options.text(name);
        if (text == null) {
            return null;
        }
        try {
            Path folder = Path.of(text);
            if (remote) {
                if (!folder.isAbsolute()) {
                    options.wrong("has a remote root that is not absolute: write root=/srv/app.");
                }
                return folder;
            }
            Path absolute = folder.toAbsolutePath().normalize();
            if (!Files.isDirectory(absolute)) {
                options.wrong(
                        "names the folder "
                                + absolute
                                + " as its "
                                + name
                                + ", which does not exist"
                                + (name.equals("root")
                                        ? ": add remote=yes if only the application server has it."
                                        : "."));
            }
            return absolute;
        } catch (InvalidPathException e) {
            options.wrong("has a " + name + " that no file system can have.");
            return null;
        }
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
