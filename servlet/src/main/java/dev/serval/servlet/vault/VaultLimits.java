package dev.serval.servlet.vault;

/// The limits of a vault and of what is read from it. Immutable.
///
/// @param diskMaxBytes the space of all sessions of an application, in blocks of 4 KiB; a quarter
///   of it for sessions whose id no client has returned
/// @param sessionMaxBytes the bytes of one session's attributes
/// @param depthMax how deep objects of a session may hold each other while they are read
/// @param referencesMax the objects of a session
public record VaultLimits(long diskMaxBytes, int sessionMaxBytes, int depthMax, int referencesMax) {
    /// The limits unless the configuration sets others.
    public static final VaultLimits STANDARD =
            new VaultLimits(4L << 30, 4 << 20, /* depthMax */ 200, /* referencesMax */ 500_000);

    /// Checks the limits.
    ///
    /// @throws IllegalArgumentException if a limit is not positive
    public VaultLimits {
        if (diskMaxBytes < 1 || sessionMaxBytes < 1 || depthMax < 1 || referencesMax < 1) {
            throw new IllegalArgumentException(
                    "Each limit of stored sessions must be positive: diskMaxBytes "
                            + diskMaxBytes
                            + ", sessionMaxBytes "
                            + sessionMaxBytes
                            + ", depthMax "
                            + depthMax
                            + ", referencesMax "
                            + referencesMax);
        }
    }

    /// Returns these limits with another quota.
    public VaultLimits withDiskMaxBytes(long bytes) {
        return new VaultLimits(bytes, sessionMaxBytes, depthMax, referencesMax);
    }
}
