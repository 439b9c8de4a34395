package dev.serval.servlet.security;

import java.util.Map;

/// What the constraints of one URL pattern demand, by HTTP method. Immutable.
///
/// @param byMethod the methods that the constraints name
/// @param others all other methods
record Protection(Map<String, Access> byMethod, Access others) {
    Protection {
        byMethod = Map.copyOf(byMethod);
    }

    /// Returns what a request demands.
    ///
    /// @param method as the client sent it; methods are case-sensitive (RFC 9110 §9.1)
    Access access(String method) {
        return byMethod.getOrDefault(method, others);
    }

    /// Returns whether no method demands anything.
    boolean isOpen() {
        if (!others.isOpen()) {
            return false;
        }
        for (Access one : byMethod.values()) {
            if (!one.isOpen()) {
                return false;
            }
        }
        return true;
    }

    /// Returns whether some method needs a user who has logged in.
    boolean needsUsers() {
        return others.needsUser() || byMethod.values().stream().anyMatch(Access::needsUser);
    }
}
