package dev.serval.conformance.tck;

import java.util.List;
import java.util.Set;

/// A user whom the suite's security tests expect the server to know. Immutable.
///
/// The suite's archives contain no users, so the server under test takes them from [#all]. Its realm
/// has the name [#REALM].
///
/// @param name the name, or the common name of a client certificate
/// @param password the password; empty for a user with a certificate
/// @param roles the roles as the server knows them, before a `security-role-ref` is applied
public record SuiteUser(String name, String password, Set<String> roles) {
    /// The name of the realm in challenges.
    public static final String REALM = "default";

    private static final List<SuiteUser> ALL =
            List.of(
                    new SuiteUser("j2ee", "j2ee", Set.of("Administrator", "Employee")),
                    new SuiteUser("javajoe", "javajoe", Set.of("VP", "Manager")),
                    new SuiteUser("CTS", "", Set.of("Administrator")));

    /// Returns the users who send a name and a password, and the one who shows a certificate.
    public static List<SuiteUser> all() {
        return ALL;
    }

    /// Copies the roles.
    public SuiteUser {
        roles = Set.copyOf(roles);
    }
}
