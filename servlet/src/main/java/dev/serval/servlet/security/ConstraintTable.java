package dev.serval.servlet.security;

import dev.serval.servlet.map.Match;
import dev.serval.servlet.map.ServletPaths;
import org.jspecify.annotations.Nullable;

/// The constraints of an application by path. Only those of the best-matching pattern apply; the
/// pattern is found by the rules for servlets (Servlet 6.1 §13.8.3). Immutable. Any thread, also a
/// loop.
final class ConstraintTable {
    private final ServletPaths<Protection> paths;
    private final boolean needsUsers;

    /// Creates a table.
    ///
    /// @param needsUsers whether a pattern can only be reached by users who have logged in
    ConstraintTable(ServletPaths<Protection> paths, boolean needsUsers) {
        this.paths = paths;
        this.needsUsers = needsUsers;
    }

    /// Returns whether some requests need a user who has logged in.
    boolean needsUsers() {
        return needsUsers;
    }

    /// Returns what a path demands; null if no method demands anything.
    ///
    /// @param path from the context root, decoded and in normal form, so that no other spelling of
    ///     it has other constraints
    @Nullable Protection protection(String path) {
        @Nullable Match<Protection> match = paths.match(path);
        return match == null || match.servlet().isOpen() ? null : match.servlet();
    }
}
