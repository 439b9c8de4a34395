package dev.serval.servlet.vault;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The folders of sessions that this server owns. Two versions of an application that run at the
/// same time get the same vault. Any thread that may block.
public final class FileVaults {
    private final Map<Path, FileVault> byFolder = new HashMap<>(); // under the lock

    /// Creates an object without vaults.
    public FileVaults() {}

    /// Opens the vault of a folder, or returns the one that is open. The caller closes it.
    ///
    /// @throws IOException as by [FileVault#open]
    public synchronized FileVault open(
            Path folder, FileVault.Mode mode, VaultLimits limits, System.Logger log, long nowMillis)
            throws IOException {
        @Nullable FileVault present = byFolder.get(folder);
        if (present != null && present.share()) {
            return present;
        }
        FileVault opened = FileVault.open(folder, mode, limits, log, nowMillis);
        byFolder.put(folder, opened);
        return opened;
    }
}
