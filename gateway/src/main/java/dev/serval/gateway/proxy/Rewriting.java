package dev.serval.gateway.proxy;

import java.util.List;

/// How a text in an answer is changed from the upstream's view to the client's. Immutable.
///
/// @param usual whether the upstream's address and base path become those of the mount
/// @param pairs explicit changes, which come first. The first that fits decides
public record Rewriting(boolean usual, List<Pair> pairs) {
    /// Changes nothing.
    public static final Rewriting OFF = new Rewriting(false, List.of());

    /// Changes the upstream's address and base path to those of the mount.
    public static final Rewriting DEFAULT = new Rewriting(true, List.of());

    /// Copies the pairs.
    public Rewriting {
        pairs = List.copyOf(pairs);
    }

    /// Returns explicit changes only.
    public static Rewriting of(List<Pair> pairs) {
        return new Rewriting(false, pairs);
    }

    /// Returns whether it changes nothing.
    boolean isOff() {
        return !usual && pairs.isEmpty();
    }

    /// One explicit change.
    ///
    /// @param from what the text begins with; for the domain of a cookie, all of it
    /// @param to what replaces that; it may be empty
    public record Pair(String from, String to) {
        /// Checks that the result can be a part of a field.
        public Pair {
            if (from.isEmpty() || !from.matches("[!-:<-~]*") || !to.matches("[!-:<-~]*")) {
                throw new IllegalArgumentException(
                        "A change is from a text to another one, of visible ASCII without \";\","
                                + " such as /base/ to /app/, not \""
                                + from
                                + "\" to \""
                                + to
                                + "\"");
            }
        }
    }
}
