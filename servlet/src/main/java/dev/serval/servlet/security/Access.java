package dev.serval.servlet.security;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Who may send a request, and over which connection. Immutable.
///
/// @param kind who has access
/// @param roles the roles that have access; empty unless `kind` is ROLES
/// @param confidential whether the connection must be encrypted
record Access(Kind kind, Set<String> roles, boolean confidential) {
    /// Who has access.
    enum Kind {
        /// Everyone, without login.
        ALL,
        /// Every user who has logged in.
        USERS,
        /// The users who have one of the roles.
        ROLES,
        /// No user.
        NONE
    }

    /// Access without any condition.
    static final Access OPEN = new Access(Kind.ALL, Set.of(), false);

    /// No access.
    static final Access DENIED = new Access(Kind.NONE, Set.of(), false);

    /// The role name that stands for all roles of the application.
    static final String ALL_ROLES = "*";

    /// The role name that stands for every user who has logged in.
    static final String ALL_USERS = "**";

    Access {
        roles = Set.copyOf(roles);
    }

    /// Returns what one constraint declares.
    ///
    /// @param named the roles it names; null without an auth-constraint
    /// @param declared the roles of the application
    static Access of(@Nullable Set<String> named, Set<String> declared, boolean confidential) {
        if (named == null) {
            return new Access(Kind.ALL, Set.of(), confidential);
        }
        if (named.isEmpty()) {
            return new Access(Kind.NONE, Set.of(), confidential);
        }
        if (named.contains(ALL_USERS)) {
            return new Access(Kind.USERS, Set.of(), confidential);
        }
        Set<String> roles = new HashSet<>(named);
        if (roles.remove(ALL_ROLES)) {
            roles.addAll(declared);
        }
        return new Access(Kind.ROLES, roles, confidential);
    }

    /// Combines the constraints that apply to one pattern and method (Servlet 6.1 §13.8.1):
    ///
    /// - One that names no roles denies access, whatever the others say.
    /// - Else one without an auth-constraint gives access without login.
    /// - Else the roles add up.
    /// - The connection must be encrypted only if each of them says so.
    static Access combined(List<Access> all) {
        Kind kind = Kind.ROLES;
        Set<String> roles = new HashSet<>();
        boolean confidential = true;
        for (Access one : all) {
            roles.addAll(one.roles);
            confidential &= one.confidential;
            kind = stronger(kind, one.kind);
        }
        return new Access(kind, kind == Kind.ROLES ? roles : Set.of(), confidential);
    }

    private static Kind stronger(Kind one, Kind other) {
        return rank(one) >= rank(other) ? one : other;
    }

    private static int rank(Kind kind) {
        return switch (kind) {
            case ROLES -> 0;
            case USERS -> 1;
            case ALL -> 2;
            case NONE -> 3;
        };
    }

    /// Returns whether every request has access.
    boolean isOpen() {
        return kind == Kind.ALL && !confidential;
    }

    /// Returns whether the user must have logged in.
    boolean needsUser() {
        return kind == Kind.USERS || kind == Kind.ROLES;
    }

    /// Returns whether a user with these roles has access.
    boolean allows(Set<String> owned) {
        return switch (kind) {
            case ALL, USERS -> true;
            case ROLES -> !Collections.disjoint(owned, roles);
            case NONE -> false;
        };
    }
}
