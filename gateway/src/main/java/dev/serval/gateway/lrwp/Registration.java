package dev.serval.gateway.lrwp;

import java.nio.charset.StandardCharsets;

/// What a peer registers. Immutable.
///
/// @param second whether the peer speaks LRWP 2.0
/// @param prefix the path that it serves, `/name` or `/name/name`; empty for all paths; `.suffix` for
///     all paths that end so
/// @param host the host that it serves, in lower case; empty for all
@SuppressWarnings("ArrayRecordComponent") // never changed
record Registration(boolean second, byte[] prefix, String host) {
    /// Returns the name for people and for the list of allowed names: without the first slash.
    String name() {
        String text = new String(prefix, StandardCharsets.UTF_8);
        return text.startsWith("/") ? text.substring(1) : text.isEmpty() ? "/" : text;
    }

    boolean isSuffix() {
        return prefix.length > 0 && prefix[0] == '.';
    }
}
