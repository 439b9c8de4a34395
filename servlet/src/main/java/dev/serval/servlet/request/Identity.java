package dev.serval.servlet.request;

import java.security.Principal;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Who sends a request, as the application sees it (Servlet 6.1 §13.3). Immutable.
///
/// @param principal null if the user is not known
/// @param roles the roles of the user
/// @param scheme how the user has logged in, such as `BASIC`; null if the user is not known
public record Identity(@Nullable Principal principal, Set<String> roles, @Nullable String scheme) {
    /// A user who has not logged in.
    public static final Identity ANONYMOUS = new Identity(null, Set.of(), null);

    /// Copies the roles.
    public Identity {
        roles = Set.copyOf(roles);
    }

    /// Returns whether the user has not logged in.
    public boolean isAnonymous() {
        return principal == null;
    }
}
