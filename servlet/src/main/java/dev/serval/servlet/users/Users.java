package dev.serval.servlet.users;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Finds users by their names. May block. Any thread that may wait.
public interface Users {
    /// Returns the user of that name; null if there is none.
    ///
    /// @throws IOException if the users cannot be read now
    @Nullable Account find(String name) throws IOException;

    /// Returns a secret that no password matches. A check against it takes as long as for a user of
    /// these users, so that the time does not tell which names exist.
    Secret decoy();

    /// Returns a number that changes with the users. A login that was cached before counts no more.
    default long version() {
        return 0;
    }
}
