package dev.serval.servlet.users;

import java.util.Set;

/// A user. Immutable.
///
/// @param name the name by which the user logs in
/// @param roles the roles of the user
/// @param secret checks the password
public record Account(String name, Set<String> roles, Secret secret) {
    /// Copies the roles.
    public Account {
        roles = Set.copyOf(roles);
    }
}
