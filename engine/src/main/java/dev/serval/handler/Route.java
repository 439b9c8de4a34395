package dev.serval.handler;

import java.util.List;

/// A mount: the path prefix it answers for and the chain of Handlers that see its exchanges in
/// turn. Immutable.
///
/// @param prefix `/` or `/name[/name…]` without a slash at the end
/// @param chain at least one; the next is asked when one calls [Exchange#pass]
/// @param mapping what is learned of the application code that runs for it
public record Route(String prefix, List<Handler> chain, Mapping mapping) {
    /// A mount of which nothing is known yet.
    public Route(String prefix, List<Handler> chain) {
        this(prefix, chain, new Mapping(prefix));
    }

    /// Checks the prefix and copies the chain.
    public Route {
        boolean root = prefix.equals("/");
        if (!prefix.startsWith("/") || (!root && prefix.endsWith("/")) || prefix.contains("//")) {
            throw new IllegalArgumentException(
                    "A mount's prefix is \"/\" or \"/name\" without a slash at its end, not \""
                            + prefix
                            + "\"");
        }
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("The mount " + prefix + " has no handler");
        }
        chain = List.copyOf(chain);
    }

    /// Bytes of the prefix that a path below this mount starts with: 0 for `/`.
    public int prefixLength() {
        int chars = prefix.length();
        if (chars == 1) {
            return 0;
        }
        int bytes = 0;
        for (int i = 0; i < chars; i++) { // counted, not encoded: handlers ask at every request
            char c = prefix.charAt(i);
            bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        return bytes;
    }
}
