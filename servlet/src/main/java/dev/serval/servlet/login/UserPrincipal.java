package dev.serval.servlet.login;

import java.io.Serializable;
import java.security.Principal;

/// A user as applications see it. Immutable.
///
/// @param name the name by which the user logs in
record UserPrincipal(String name) implements Principal, Serializable {
    @Override
    public String getName() {
        return name;
    }

    @Override
    public String toString() {
        return name;
    }
}
