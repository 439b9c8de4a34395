package dev.serval.servlet.users;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// What is known of a user's password. Any thread that may wait.
public interface Secret {
    /// Returns whether this is the password. Takes the same time for every wrong password.
    ///
    /// @throws IOException if it cannot be checked now
    boolean matches(String password) throws IOException;

    /// Returns the hash of name, realm and password that DIGEST needs (RFC 7616 §3.4.2).
    ///
    /// @param name of the user
    /// @param algorithm such as `SHA-256`
    /// @return hexadecimal digits in lower case; null if it is not known for this realm
    default @Nullable String digest(String name, String realm, String algorithm) {
        return null;
    }
}
