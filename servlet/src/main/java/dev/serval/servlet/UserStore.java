package dev.serval.servlet;

import dev.serval.servlet.users.Account;
import dev.serval.servlet.users.FileUsers;
import dev.serval.servlet.users.JdbcUsers;
import dev.serval.servlet.users.MemoryUsers;
import dev.serval.servlet.users.PlainSecret;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/// The users who may log in to the applications of a container
/// ([ServletContainer.Builder#users(UserStore)]). Implement it to find users elsewhere, such as in a
/// directory. Called on threads that may block, by several at a time.
///
/// The container slows down clients that guess, asks for as many passwords at a time as there are
/// processors, and remembers a right password of BASIC for a minute.
public interface UserStore {
    /// Returns the user of that name; null if there is none.
    ///
    /// @param name as a client has sent it, at most 256 characters
    /// @throws IOException if the users cannot be read now; the client gets 503
    @Nullable User find(String name) throws IOException;

    /// A user.
    interface User {
        /// Returns the roles of the user.
        Set<String> roles();

        /// Returns whether this is the password of the user. The time must not depend on how much
        /// of it is right.
        ///
        /// @param password at most 1,024 characters
        /// @throws IOException if it cannot be checked now; the client gets 503
        boolean hasPassword(String password) throws IOException;

        /// Returns the SHA-256 hash of `name:realm:password` in UTF-8, which only DIGEST needs.
        ///
        /// @return 64 hexadecimal digits in lower case; null if it is not known
        default @Nullable String digestHash(String realm) {
            return null;
        }
    }

    /// Returns the users of a file, which `serval user add` or [UsersFile] writes. The file is read
    /// again when it changes.
    ///
    /// @throws IOException if it cannot be read, or a line is wrong; the message says where
    static UserStore file(Path file) throws IOException {
        return new StoredUsers(FileUsers.open(file, System::nanoTime));
    }

    /// Returns the users of a database.
    ///
    /// ```java
    /// UserStore.jdbc(
    ///         source,
    ///         "SELECT hash FROM users WHERE name = ?",
    ///         "SELECT role FROM roles WHERE name = ?")
    /// ```
    ///
    /// @param passwordQuery selects the hash of the password, as `serval user add` writes it
    /// @param rolesQuery selects the roles, one in each row
    static UserStore jdbc(DataSource source, String passwordQuery, String rolesQuery) {
        return new StoredUsers(new JdbcUsers(source, passwordQuery, rolesQuery));
    }

    /// Returns a builder of users in memory, for tests and small programs.
    static Builder inMemory() {
        return new Builder();
    }

    /// Collects users.
    final class Builder {
        private final Map<String, Account> accounts = new HashMap<>();

        private Builder() {}

        /// Adds a user, in place of one of the same name.
        ///
        /// @throws IllegalArgumentException if the name is empty or has a colon
        public Builder user(String name, String password, String... roles) {
            if (name.isEmpty() || name.indexOf(':') >= 0) {
                throw new IllegalArgumentException(
                        "The name of a user has at least one character and no colon, not \""
                                + name
                                + "\"");
            }
            accounts.put(name, new Account(name, Set.of(roles), new PlainSecret(password)));
            return this;
        }

        /// Returns the users.
        public UserStore build() {
            return new StoredUsers(new MemoryUsers(accounts, new PlainSecret("")));
        }
    }
}
