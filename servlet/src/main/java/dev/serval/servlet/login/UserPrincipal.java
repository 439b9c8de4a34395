package dev.serval.servlet.login;

import java.io.Serializable;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/// A user as applications see it. A session may hold it, also outside memory. Immutable. No record,
/// because EL would read its components instead of its properties.
public final class UserPrincipal implements Principal, Serializable {
    private static final long serialVersionUID = 1;

    private final String name;

    /// Creates the principal.
    ///
    /// @param name the name by which the user logs in
    public UserPrincipal(String name) {
        this.name = name;
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof UserPrincipal user && user.name.equals(name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return name;
    }
}
