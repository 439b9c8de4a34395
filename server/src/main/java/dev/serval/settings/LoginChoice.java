package dev.serval.settings;

import java.nio.file.Path;
import java.util.Set;

/// Who may use a mount, by BASIC authentication. Immutable.
///
/// @param users the file of users
/// @param roles of which a user needs one; empty for every user
public record LoginChoice(Path users, String realm, Set<String> roles) {
    /// Copies the roles.
    public LoginChoice {
        roles = Set.copyOf(roles);
    }
}
