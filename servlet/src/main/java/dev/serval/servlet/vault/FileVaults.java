package dev.serval.servlet.vault;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The folders of sessions that this server owns. Two versions of an application that run at the
/// same time get the same vault. Any thread that may block.
public final class FileVaults {
    private final Map<Path, SharedVault> byFolder = new HashMap<>(); // under the lock
    private final Duration patience;

    /// Creates an object without vaults, which refuses folders of other servers.
    public FileVaults() {
        this(Duration.ZERO);
    }

    /// Creates an object without vaults.
    ///
    /// @param patience how long a folder of another server is awaited, because that server hands over
    ///     to this one and ends; zero if it does not
    public FileVaults(Duration patience) {
        this.patience = patience;
    }

    /// Opens the vault of a folder, or returns the one that is open. If another server has the folder
    /// and it is awaited, the vault waits for it where it is used. The caller closes it.
    ///
    /// @throws IOException as by [FileVault#open]
    public synchronized SessionVault open(
            Path folder, FileVault.Mode mode, VaultLimits limits, System.Logger log, long nowMillis)
            throws IOException {
        @Nullable SharedVault present = byFolder.get(folder);
        if (present != null && present.share()) {
            return present;
        }
        SharedVault opened;
        try {
            opened = FileVault.open(folder, mode, limits, log, nowMillis);
        } catch (FolderTakenException e) {
            if (patience.isZero()) {
                throw e;
            }
            opened =
                    LateVault.open(
                            "the folder " + folder,
                            () -> FileVault.open(folder, mode, limits, log, nowMillis),
                            patience);
        }
        byFolder.put(folder, opened);
        return opened;
    }
}
