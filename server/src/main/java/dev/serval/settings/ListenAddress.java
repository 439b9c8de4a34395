package dev.serval.settings;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Converts addresses between the command line, the engine and URLs. Stateless.
public final class ListenAddress {
    private static final String UNIX = "unix:";
    private static final String ZEROS = "(^|:)0(:0)+(:|$)"; // shortened once (RFC 5952 §4.2)
    private static final int PORT_MAX = 65_535;

    /// What messages say of addresses that overlap.
    public static final String ALL =
            "0.0.0.0 has all addresses of IPv4, and :: those of IPv4 and IPv6. Leave one of them out.";

    private ListenAddress() {}

    /// Returns whether the value of a `--host` names a Unix-domain socket, which has no port.
    public static boolean unix(String host) {
        return host.startsWith(UNIX);
    }

    /// Parses the value of `--port`.
    ///
    /// @return -1 if a problem was added
    public static int port(String text, Complaints problems) {
        int port = Numbers.read(text, PORT_MAX);
        if (port < 0) {
            problems.usage(
                    "--port takes a number from 0 to 65535, 0 for any free port, not \""
                            + text
                            + "\".");
        }
        return port;
    }

    /// Parses a value of `--host`. If a name resolves to several addresses, the first is used.
    ///
    /// @return null if a problem was added
    public static @Nullable SocketAddress read(String host, int port, Complaints problems) {
        if (unix(host)) {
            return socketFile("--host", host.substring(UNIX.length()), problems);
        }
        int colon = host.indexOf(':');
        if (colon >= 0 && colon == host.lastIndexOf(':')) {
            String name = host.substring(0, colon);
            String after = host.substring(colon + 1);
            problems.usage(
                    after.matches("\\d+")
                            ? "--host takes an address without a port: write "
                                    + (name.isEmpty() ? "" : "--host " + name + " ")
                                    + "--port "
                                    + after
                                    + " instead of \""
                                    + host
                                    + "\"."
                            : "--host takes an address of this machine, such as 127.0.0.1, not \""
                                    + host
                                    + "\".");
            return null;
        }
        // The JDK resolves an empty name to the loopback address. Here it is probably an unset
        // variable.
        if (host.isEmpty()) {
            problems.usage("--host takes an address of this machine, such as 127.0.0.1, not \"\".");
            return null;
        }
        try {
            return new InetSocketAddress(InetAddress.getByName(host), port);
        } catch (UnknownHostException e) {
            problems.environment(
                    "The host \""
                            + host
                            + "\" does not resolve: --host takes an address of this machine, such"
                            + " as 127.0.0.1, or 0.0.0.0 for all of them.");
            return null;
        }
    }

    /// Returns whether two addresses that differ cannot both be listened at, because one of them is all
    /// addresses.
    public static boolean overlap(SocketAddress one, SocketAddress other) {
        return covers(one, other) || covers(other, one);
    }

    /// Returns whether a listener at one address also accepts what comes to another one: `::` is all
    /// addresses, and `0.0.0.0` those of IPv4. Any free port is a place of its own.
    public static boolean covers(SocketAddress wide, SocketAddress narrow) {
        if (!(wide instanceof InetSocketAddress all && narrow instanceof InetSocketAddress one)) {
            return false;
        }
        InetAddress any = all.getAddress();
        return all.getPort() == one.getPort()
                && all.getPort() != 0
                && any.isAnyLocalAddress()
                && (any instanceof Inet6Address || one.getAddress() instanceof Inet4Address);
    }

    /// Parses an address with its port: `8080`, `0.0.0.0:80`, `[::1]:8080` or `unix:FILE`. A port alone
    /// is one of 127.0.0.1.
    ///
    /// @param setting how messages name it
    /// @param folder what a relative path is relative to
    /// @return null if a problem was added
    static @Nullable SocketAddress of(
            String text, String setting, Path folder, Complaints problems) {
        if (unix(text)) {
            @Nullable SocketAddress file =
                    socketFile(setting, text.substring(UNIX.length()), problems);
            return file instanceof UnixDomainSocketAddress unix
                    ? inFolder(folder.resolve(unix.getPath()), setting, problems)
                    : null;
        }
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "127.0.0.1" : text.substring(0, colon);
        int port = Numbers.read(text.substring(colon + 1), PORT_MAX);
        boolean bare = host.indexOf(':') >= 0 && !(host.startsWith("[") && host.endsWith("]"));
        if (port < 0 || host.isEmpty() || bare) {
            problems.usage(
                    setting
                            + " takes a port from 0 to 65535, an address and a port such as"
                            + " 0.0.0.0:8080 or [::1]:8080, or unix:FILE, not \""
                            + text
                            + "\".");
            return null;
        }
        try {
            return new InetSocketAddress(InetAddress.getByName(host), port);
        } catch (UnknownHostException e) {
            problems.environment(
                    "The host \""
                            + host
                            + "\" of "
                            + setting
                            + " does not resolve: give an address of this machine, such as"
                            + " 127.0.0.1, or 0.0.0.0 for all of them.");
            return null;
        }
    }

    private static SocketAddress inFolder(Path file, String setting, Complaints problems) {
        @Nullable Path parent = file.toAbsolutePath().getParent();
        if (parent == null || !Files.isDirectory(parent)) {
            problems.environment(
                    "There is no folder "
                            + parent
                            + " for the socket of "
                            + setting
                            + ": create it, or choose another.");
        }
        return UnixDomainSocketAddress.of(file);
    }

    private static @Nullable SocketAddress socketFile(
            String setting, String name, Complaints problems) {
        if (!name.isEmpty()) {
            try {
                return UnixDomainSocketAddress.of(name);
            } catch (InvalidPathException e) {
                // Reported below, like an empty path.
            }
        }
        problems.usage(
                setting
                        + " unix: takes the path of the socket's file, such as unix:/run/serval/web.sock,"
                        + " not \""
                        + name
                        + "\".");
        return null;
    }

    /// Returns the URL for a browser, or `unix:PATH`; without a slash at the end.
    public static String url(SocketAddress address) {
        if (!(address instanceof InetSocketAddress inet)) {
            return UNIX + address;
        }
        InetAddress ip = inet.getAddress();
        String host = ip.isAnyLocalAddress() ? "localhost" : ip.getHostAddress();
        boolean bracketed = ip instanceof Inet6Address && !ip.isAnyLocalAddress();
        String shown = bracketed ? "[" + host.replaceFirst(ZEROS, "::") + "]" : host;
        return "http://" + shown + ":" + inet.getPort();
    }

    /// Returns whether other machines may reach the address.
    public static boolean reachable(SocketAddress address) {
        return address instanceof InetSocketAddress inet && !inet.getAddress().isLoopbackAddress();
    }
}
