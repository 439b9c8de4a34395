package dev.serval.gateway.neighbour;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads one address of a neighbour: `HOST:PORT` or `unix:FILE`. Used by one thread.
final class PlaceSyntax {
    static final String UNIX = "unix:";
    private static final String ADDRESS = "address";
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;
    private static final int UNIX_MAX_BYTES = 107; // of sun_path on Linux, without its NUL

    private final String scheme;
    private final int index;
    private final Problems problems;

    /// @param scheme with its colon and slashes; only those of HTTP have a usual port
    /// @param index of the address, for problems
    PlaceSyntax(String scheme, int index, Problems problems) {
        this.scheme = scheme;
        this.index = index;
        this.problems = problems;
    }

    /// Returns what to connect to, in order: a socket, or the addresses that the name service knows for
    /// the host. There are none if a problem was added.
    List<SocketAddress> read(String text) {
        if (!text.startsWith(UNIX)) {
            return internet(text);
        }
        @Nullable SocketAddress socket = socket(text);
        return socket == null ? List.of() : List.of(socket);
    }

    private List<SocketAddress> internet(String text) {
        int colon = text.lastIndexOf(':');
        boolean hasPort = colon >= 0 && text.indexOf(']', colon) < 0;
        String host = hasPort ? text.substring(0, colon) : text;
        int port = hasPort ? number(text.substring(colon + 1)) : usualPort();
        String bare = bare(host);
        if (bare.isEmpty() || bare.indexOf('/') >= 0 || port < 1 || port > 65_535) {
            wrong(
                    "An address needs HOST:PORT or unix:FILE, such as 127.0.0.1:9000, not \""
                            + text
                            + "\".");
            return List.of();
        }
        List<SocketAddress> found = new ArrayList<>();
        try {
            for (InetAddress one : InetAddress.getAllByName(bare)) {
                found.add(new InetSocketAddress(one, port));
            }
        } catch (UnknownHostException e) {
            problems.addOfMachine(
                    ADDRESS,
                    index,
                    "The address names the host "
                            + host
                            + ", which the name service does not know: check the name, or write its IP"
                            + " address.");
        }
        return found;
    }

    private int usualPort() {
        return switch (scheme) {
            case NeighbourSyntax.HTTP -> HTTP_PORT;
            case NeighbourSyntax.HTTPS -> HTTPS_PORT;
            default -> -1;
        };
    }

    private @Nullable SocketAddress socket(String text) {
        if (scheme.equals(NeighbourSyntax.HTTPS)) {
            wrong(
                    "TLS is not spoken over a Unix-domain socket, whose bytes stay on this machine:"
                            + " write http://unix:FILE.");
            return null;
        }
        String file = text.substring(UNIX.length());
        int path = file.indexOf(":/"); // as nginx writes it
        if (path >= 0) {
            wrong(
                    "A path after a socket is a setting of its own: write unix:"
                            + file.substring(0, path)
                            + ", and "
                            + file.substring(path + 1)
                            + " as path (in a file, upstream.path).");
            return null;
        }
        if (file.getBytes(StandardCharsets.UTF_8).length > UNIX_MAX_BYTES) {
            wrong(
                    "The address names a socket whose path is above "
                            + UNIX_MAX_BYTES
                            + " bytes: the system takes no longer one.");
            return null;
        }
        try {
            if (!file.isEmpty()) {
                return UnixDomainSocketAddress.of(file);
            }
        } catch (IllegalArgumentException e) {
            // refused below
        }
        wrong("The address names a socket that no system can have: write unix:/run/app.sock.");
        return null;
    }

    private void wrong(String sentence) {
        problems.add(ADDRESS, index, sentence);
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
}
