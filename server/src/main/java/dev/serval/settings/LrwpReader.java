package dev.serval.settings;

import dev.serval.gateway.lrwp.AllowedNames;
import dev.serval.gateway.lrwp.LrwpSettings;
import dev.serval.policy.AddressRange;
import java.io.IOException;
import java.net.SocketAddress;
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

/// Reads the settings of LRWP, from options or from a file. Used by one thread.
public final class LrwpReader {
    private static final int PASSPHRASE_MAX_BYTES = 1024;

    /// How messages name the settings, such as `--lrwp`.
    public record Names(String listen, String allow, String from) {}

    private final Names names;
    private final Path folder;
    private final Complaints problems;

    private LrwpReader(Names names, Path folder, Complaints problems) {
        this.names = names;
        this.folder = folder;
        this.problems = problems;
    }

    /// Returns the choice of some settings.
    ///
    /// @param names how messages name them
    /// @param listen ports and addresses; at least one
    /// @param allow names that may be registered, with files of passphrases; empty for any
    /// @param from addresses and ranges that may dial in; empty for any
    /// @param folder what relative paths are relative to
    public static LrwpChoice read(
            Names names,
            List<String> listen,
            List<String> allow,
            List<String> from,
            Path folder,
            Complaints problems) {
        return new LrwpReader(names, folder, problems).choice(listen, allow, from);
    }

    private LrwpChoice choice(List<String> listen, List<String> allow, List<String> from) {
        List<SocketAddress> addresses = new ArrayList<>();
        for (String text : listen) {
            @Nullable SocketAddress address =
                    ListenAddress.of(text, names.listen, folder, problems);
            if (address == null) {
                continue;
            }
            if (addresses.contains(address)) {
                problems.usage(names.listen + " " + text + " is given twice: once is enough.");
            }
            if (allow.isEmpty() && ListenAddress.reachable(address)) {
                problems.usage(
                        names.listen
                                + " "
                                + text
                                + " lets other machines register applications: name those that may"
                                + " be registered by "
                                + names.allow
                                + " NAME, or give a port alone to listen on 127.0.0.1.");
            }
            addresses.add(address);
        }
        AllowedNames allowed = allow.isEmpty() ? AllowedNames.ALL : allowed(allow);
        List<AddressRange> ranges = new ArrayList<>();
        for (String text : from) {
            @Nullable AddressRange range = range(text);
            if (range == null) {
                problems.usage(
                        names.from
                                + " takes an address such as 10.0.0.5, or a range such as"
                                + " 10.0.0.0/8 or fd00::/8, not \""
                                + text
                                + "\".");
            } else {
                ranges.add(range);
            }
        }
        LrwpSettings settings = LrwpSettings.DEFAULT.withAllowed(allowed).withFrom(ranges);
        return new LrwpChoice(addresses, settings, null);
    }

    /// Returns null if the text is neither an address nor a range.
    private static @Nullable AddressRange range(String text) {
        try {
            return AddressRange.of(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private AllowedNames allowed(List<String> allow) {
        Map<String, byte[]> passphrases = new TreeMap<>();
        Set<String> keys = new HashSet<>();
        for (String text : allow) {
            int equals = text.indexOf('=');
            String name = equals < 0 ? text : text.substring(0, equals);
            @Nullable String key = AllowedNames.comparable(name);
            if (key == null) {
                problems.usage(
                        names.allow
                                + " takes the name that a peer registers, decoded and in at most 200"
                                + " bytes, such as osp, or osp=/etc/serval/osp.pass with a passphrase,"
                                + " not \""
                                + text
                                + "\".");
                continue;
            }
            byte[] secret = equals < 0 ? new byte[0] : secret(text.substring(equals + 1));
            if (keys.add(key)) {
                passphrases.put(name, secret);
            } else {
                problems.usage(
                        names.allow
                                + " "
                                + name
                                + " is given twice: once is enough, because names ignore case.");
            }
        }
        return AllowedNames.of(passphrases);
    }

    /// Returns the first line of a file; empty after a problem.
    private byte[] secret(String file) {
        try {
            byte[] all = Files.readAllBytes(folder.resolve(file));
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
                            + names.allow
                            + " NAME=FILE takes a file that this user may read.");
        }
        return new byte[0];
    }
}
