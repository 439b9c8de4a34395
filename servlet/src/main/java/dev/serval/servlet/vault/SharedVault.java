package dev.serval.servlet.vault;

/// A vault that two versions of an application use at the same time. Each of them closes it.
sealed interface SharedVault extends SessionVault permits FileVault, LateVault {
    /// Adds a user, who closes the vault too.
    ///
    /// @return whether it is still open
    boolean share();
}
