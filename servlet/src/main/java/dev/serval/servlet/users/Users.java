package dev.serval.servlet.users;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Finds users by their names. May block. Any thread that may wait.
public interface Users {
    /// The version of users whose changes are not noticed.
    long UNKNOWN_VERSION = -1;

    /// Returns the user of that name; null if there is none.
    ///
    /// @throws IOException if the users cannot be read now
    @Nullable Account find(String name) throws IOException;

    /// Returns a secret that no password matches. A check against it takes as long as for a user of
    /// these users, so that the time does not tell which names exist.
    Secret decoy();

    /// Returns a number that changes with the users, so that a login that was remembered before
    /// counts no more. With [#UNKNOWN_VERSION], changes are not noticed, and a login is remembered
    /// for a short time only, however often it is used.
    default long version() {
        return UNKNOWN_VERSION;
    }
}
