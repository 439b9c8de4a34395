package dev.serval.servlet;

import dev.serval.servlet.users.Account;
import dev.serval.servlet.users.Users;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Users that this library finds, as an embedder sees them.
record StoredUsers(Users users) implements UserStore {
    @Override
    public @Nullable User find(String name) throws IOException {
        @Nullable Account found = users.find(name);
        return found == null ? null : new Found(found);
    }

    private record Found(Account account) implements User {
        @Override
        public Set<String> roles() {
            return account.roles();
        }

        @Override
        public boolean hasPassword(String password) throws IOException {
            return account.secret().matches(password);
        }

        @Override
        public @Nullable String digestHash(String realm) {
            return account.secret().digest(account.name(), realm, "SHA-256");
        }
    }
}
