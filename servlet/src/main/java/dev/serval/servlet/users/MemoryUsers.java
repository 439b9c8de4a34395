package dev.serval.servlet.users;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Users in memory. Immutable.
public final class MemoryUsers implements Users {
    private final Map<String, Account> accounts;
    private final Secret decoy;

    /// Creates users.
    ///
    /// @param accounts by name
    /// @param decoy is checked in place of users that do not exist
    public MemoryUsers(Map<String, Account> accounts, Secret decoy) {
        this.accounts = Map.copyOf(accounts);
        this.decoy = decoy;
    }

    @Override
    public @Nullable Account find(String name) {
        return accounts.get(name);
    }

    @Override
    public Secret decoy() {
        return decoy;
    }

    @Override
    public long version() {
        return 0; // they never change
    }
}
