package dev.serval.backend;

import dev.serval.gateway.lrwp.AllowedNames;
import dev.serval.gateway.lrwp.LrwpSettings;
import dev.serval.policy.AddressRange;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/// Parses the options `--lrwp`, `--lrwp-allow` and `--lrwp-from`. Stateless.
public final class LrwpSyntax {
    private static final String LRWP = "--lrwp";
    private static final String ALLOW = "--lrwp-allow";
    private static final String FROM = "--lrwp-from";
    private static final String UNIX = "unix:";
    private static final int PORT_MAX = 65_535;
    private static final int NAME_MAX_BYTES = 200;
    private static final int PASSPHRASE_MAX_BYTES = 1024;

    private LrwpSyntax() {}

    /// Adds the options to a command.
    public static void addTo(CommandSpec run) {
        run.addOption(
                list(
                        LRWP,
                        "[ADDR:]PORT",
                        "Let applications in other processes dial in here (LRWP) and serve the"
                                + " paths that they register. The usual port is 1081. Without"
                                + " ADDR: 127.0.0.1. Also unix:PATH. May be given several"
                                + " times."));
        run.addOption(
                list(
                        ALLOW,
                        "NAME[=FILE]",
                        "Let only this name be registered, by peers that know the passphrase in"
                                + " FILE if one is given. May be given several times. Default, if"
                                + " only this machine can dial in: any name that takes no path from"
                                + " a web application or a neighbour."));
        run.addOption(
                list(
                        FROM,
                        "ADDR[/BITS]",
                        "Let only peers with this address, or an address of this range such as"
                                + " 10.0.0.0/8, dial in. May be given several times. Default: any"
                                + " address that reaches "
                                + LRWP
                                + "."));
    }

    /// Returns what the options say.
    public static LrwpChoice read(ParseResult parsed, Complaints problems) {
        List<String> listen = parsed.matchedOptionValue(LRWP, List.of());
        List<String> allow = parsed.matchedOptionValue(ALLOW, List.of());
        List<String> from = parsed.matchedOptionValue(FROM, List.of());
        if (listen.isEmpty()) {
            if (!allow.isEmpty() || !from.isEmpty()) {
                problems.usage(
                        (allow.isEmpty() ? FROM : ALLOW)
                                + " has no effect without "
                                + LRWP
                                + ": add "
                                + LRWP
                                + " 1081.");
            }
            return LrwpChoice.NONE;
        }
        List<SocketAddress> addresses = new ArrayList<>();
        for (String text : listen) {
            @Nullable SocketAddress address = address(text, problems);
            if (address == null) {
                continue;
            }
            if (addresses.contains(address)) {
                problems.usage(LRWP + " " + text + " is given twice: once is enough.");
            }
            if (allow.isEmpty() && isReachable(address)) {
                problems.usage(
                        LRWP
                                + " "
                                + text
                                + " lets other machines register applications: name those that may"
                                + " be registered by "
                                + ALLOW
                                + " NAME, or give a port alone to listen on 127.0.0.1.");
            }
            addresses.add(address);
        }
        AllowedNames names = allow.isEmpty() ? AllowedNames.ALL : names(allow, problems);
        List<AddressRange> ranges = new ArrayList<>();
        for (String text : from) {
            @Nullable AddressRange range = range(text);
            if (range == null) {
                problems.usage(
                        FROM
                                + " takes an address such as 10.0.0.5, or a range such as"
                                + " 10.0.0.0/8 or fd00::/8, not \""
                                + text
                                + "\".");
            } else {
                ranges.add(range);
            }
        }
        LrwpSettings settings = LrwpSettings.DEFAULT.withAllowed(names).withFrom(ranges);
        return new LrwpChoice(addresses, settings);
    }

    /// Returns null if the text is neither an address nor a range.
    private static @Nullable AddressRange range(String text) {
        try {
            return AddressRange.of(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static @Nullable SocketAddress address(String text, Complaints problems) {
        if (text.startsWith(UNIX)) {
            return socketFile(text, problems);
        }
        int colon = text.lastIndexOf(':');
        int port = port(text.substring(colon + 1));
        String host = colon < 0 ? "127.0.0.1" : text.substring(0, colon);
        boolean bare = host.indexOf(':') >= 0 && !(host.startsWith("[") && host.endsWith("]"));
        if (port < 0 || host.isEmpty() || bare) {
            problems.usage(
                    LRWP
                            + " takes a port from 0 to 65535, or an address and a port such as"
                            + " 10.0.0.5:1081 or [::1]:1081, not \""
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
                            + LRWP
                            + " does not resolve: give an address of this machine, such as"
                            + " 127.0.0.1.");
            return null;
        }
    }

    private static @Nullable SocketAddress socketFile(String text, Complaints problems) {
        String name = text.substring(UNIX.length());
        try {
            if (!name.isEmpty()) {
                return UnixDomainSocketAddress.of(name);
            }
        } catch (InvalidPathException e) {
            // Reported below, like an empty path.
        }
        problems.usage(
                LRWP
                        + " unix: takes the path of the socket's file, such as"
                        + " unix:/run/serval-lrwp.sock, not \""
                        + name
                        + "\".");
        return null;
    }

    private static int port(String text) {
        if (text.isEmpty()
                || text.length() > 5
                || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return -1;
        }
        int port = Integer.parseInt(text);
        return port > PORT_MAX ? -1 : port;
    }

    private static boolean isReachable(SocketAddress address) {
        return address instanceof InetSocketAddress inet && !inet.getAddress().isLoopbackAddress();
    }

    private static AllowedNames names(List<String> allow, Complaints problems) {
        Map<String, byte[]> passphrases = new TreeMap<>();
        Set<String> keys = new HashSet<>();
        for (String text : allow) {
            int equals = text.indexOf('=');
            String name = equals < 0 ? text : text.substring(0, equals);
            if (name.isEmpty() || name.length() > NAME_MAX_BYTES) {
                problems.usage(
                        ALLOW
                                + " takes the name that a peer registers, such as osp, or"
                                + " osp=/etc/serval/osp.pass with a passphrase, not \""
                                + text
                                + "\".");
                continue;
            }
            byte[] secret = equals < 0 ? new byte[0] : secret(text.substring(equals + 1), problems);
            if (keys.add(AllowedNames.key(name))) {
                passphrases.put(name, secret);
            } else {
                problems.usage(
                        ALLOW
                                + " "
                                + name
                                + " is given twice: once is enough, because names ignore case.");
            }
        }
        return AllowedNames.of(passphrases);
    }

    /// Returns the first line of a file; empty after a problem.
    private static byte[] secret(String file, Complaints problems) {
        try {
            byte[] all = Files.readAllBytes(Path.of(file));
            int end = 0;
            while (end < all.length && all[end] != '\n' && all[end] != '\r') {
                end++;
            }
            if (end > 0 && end <= PASSPHRASE_MAX_BYTES) {
                return Arrays.copyOf(all, end);
            }
            problems.environment(
                    "The passphrase file \""
                            + file
                            + "\" must have 1 to "
                            + PASSPHRASE_MAX_BYTES
                            + " bytes in its first line.");
        } catch (IOException | InvalidPathException e) {
            problems.environment(
                    "The passphrase file \""
                            + file
                            + "\" cannot be read: "
                            + ALLOW
                            + " NAME=FILE takes a file that this user may read.");
        }
        return new byte[0];
    }

    private static OptionSpec list(String name, String label, String description) {
        return OptionSpec.builder(name)
                .paramLabel(label)
                .type(List.class)
                .auxiliaryTypes(String.class)
                .arity("1")
                .description(description)
                .build();
    }
}
