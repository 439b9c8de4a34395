package dev.serval.handler;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A mount: a path prefix and the chain of Handlers that receive its exchanges in turn. Immutable.
///
/// @param prefix `/` or `/name[/name…]` without a slash at the end
/// @param chain at least one Handler; [Exchange#pass] calls the next one
/// @param mapping what the server has learned about the application code of this mount
/// @param settings what holds for all exchanges of the mount; null if it has no settings of its own
public record Route(
        String prefix, List<Handler> chain, Mapping mapping, @Nullable MountSettings settings) {
    /// Creates a mount with a new mapping and without settings.
    public Route(String prefix, List<Handler> chain) {
        this(prefix, chain, new Mapping(prefix));
    }

    /// Creates a mount without settings.
    public Route(String prefix, List<Handler> chain, Mapping mapping) {
        this(prefix, chain, mapping, null);
    }

    /// Checks the prefix and copies the chain. Settings that set nothing are none, which spares each
    /// exchange reading them.
    public Route {
        boolean root = prefix.equals("/");
        if (!prefix.startsWith("/") || (!root && prefix.endsWith("/")) || prefix.contains("//")) {
            throw new IllegalArgumentException(
                    "A mount's prefix must be \"/\" or \"/name\" without a slash at its end, not \""
                            + prefix
                            + "\"");
        }
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("The mount " + prefix + " has no handler");
        }
        chain = List.copyOf(chain);
        settings = MountSettings.NONE.equals(settings) ? null : settings;
    }

    /// Returns the length in bytes of the prefix that paths below this mount share: 0 for `/`.
    public int prefixLength() {
        int chars = prefix.length();
        if (chars == 1) {
            return 0;
        }
        int bytes = 0;
        for (int i = 0; i < chars; i++) { // counts without encoding: every request calls this
            char c = prefix.charAt(i);
            bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        return bytes;
    }
}
