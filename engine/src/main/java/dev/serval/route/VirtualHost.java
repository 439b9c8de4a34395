package dev.serval.route;

import dev.serval.handler.Route;
import dev.serval.http.TargetPath;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The mounts of one host. Immutable.
final class VirtualHost {
    private final byte[] key; // lower case; a suffix begins with its dot
    private final Route[] routes; // longest prefix first
    private final byte[][] prefixes;

    VirtualHost(String name, List<Route> mounts) {
        String compared = name.startsWith("*.") ? name.substring(1) : name;
        this.key = compared.getBytes(StandardCharsets.US_ASCII);
        List<Route> sorted = new ArrayList<>(mounts);
        sorted.sort((a, b) -> Integer.compare(b.prefixLength(), a.prefixLength()));
        this.routes = sorted.toArray(Route[]::new);
        this.prefixes = new byte[routes.length][];
        for (int i = 0; i < routes.length; i++) {
            String prefix = routes[i].prefix();
            prefixes[i] =
                    prefix.equals("/") ? new byte[0] : prefix.getBytes(StandardCharsets.UTF_8);
        }
    }

    /// Returns a valid pattern in lower case.
    ///
    /// @throws IllegalArgumentException if the pattern is malformed; the message states the valid
    ///     forms
    static String checked(String pattern) {
        String lower = pattern.toLowerCase(Locale.ROOT);
        String host = lower.startsWith("*.") ? lower.substring(2) : lower;
        boolean literal = host.startsWith("[") && host.endsWith("]");
        if (!lower.equals(RouteTable.DEFAULT_HOST)
                && !literal
                && !host.matches("[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\\.[a-z0-9_-]+)*")) {
            throw new IllegalArgumentException(
                    "A virtual host must be a name (www.example.org), a suffix (*.example.org), an IPv6"
                            + " address in brackets, or * for the default, not \""
                            + pattern
                            + "\"");
        }
        return lower;
    }

    /// Returns its name in lower case, or its suffix with the dot. Not to be changed.
    byte[] key() {
        return key;
    }

    /// Returns whether these bytes are its key, ignoring case.
    boolean hasKey(byte[] host, int from, int to) {
        if (to - from != key.length) {
            return false;
        }
        for (int i = 0; i < key.length; i++) {
            if (key[i] != lower(host[from + i])) {
                return false;
            }
        }
        return true;
    }

    static int lower(byte b) {
        return b >= 'A' && b <= 'Z' ? b | 0x20 : b;
    }

    /// Returns the index of the mount for a path; -1 if there is none.
    int indexOf(TargetPath path) {
        for (int i = 0; i < prefixes.length; i++) {
            if (path.isBelow(prefixes[i])) {
                return i;
            }
        }
        return -1;
    }

    /// Returns the mount of an index.
    Route route(int index) {
        return routes[index];
    }

    /// Returns whether a mount before that index, whose prefix is as long or longer, would match the
    /// path without its parameters (`;…`).
    boolean hidesMount(TargetPath path, int index) {
        for (int i = 0; i < index; i++) {
            if (path.hidesPrefix(prefixes[i])) {
                return true;
            }
        }
        return false;
    }
}
