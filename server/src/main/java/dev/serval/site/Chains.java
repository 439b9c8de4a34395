package dev.serval.site;

import dev.serval.Folder;
import dev.serval.backend.Mounted;
import dev.serval.settings.Mount;

/// Makes the handlers of mounts that are not applications. Stateless.
public final class Chains {
    private Chains() {}

    /// Returns the handlers of a folder or file.
    public static Mounted of(Mount mount) {
        return new Mounted(Folder.of(mount.path(), mount.files()));
    }
}
