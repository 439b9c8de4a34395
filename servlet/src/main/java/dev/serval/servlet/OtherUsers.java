package dev.serval.servlet;

import dev.serval.servlet.users.Account;
import dev.serval.servlet.users.PasswordHash;
import dev.serval.servlet.users.Secret;
import dev.serval.servlet.users.Users;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The users of an embedder's own store.
record OtherUsers(UserStore store) implements Users {
    @Override
    public @Nullable Account find(String name) throws IOException {
        UserStore.@Nullable User found = store.find(name);
        return found == null ? null : new Account(name, found.roles(), new OwnSecret(found));
    }

    /// Returns a hash of the usual cost. The time of the embedder's own check is not known.
    @Override
    public Secret decoy() {
        return PasswordHash.decoy(PasswordHash.ITERATIONS);
    }

    private record OwnSecret(UserStore.User user) implements Secret {
        @Override
        public boolean matches(String password) throws IOException {
            return user.hasPassword(password);
        }

        @Override
        public @Nullable String digest(String name, String realm, String algorithm) {
            return algorithm.equals("SHA-256") ? user.digestHash(realm) : null;
        }
    }
}
