package dev.serval.site;

import dev.serval.Folder;
import dev.serval.handler.Handler;
import dev.serval.settings.Mount;

/// Makes the handlers of mounts that are not applications. Stateless.
public final class Chains {
    private Chains() {}

    /// Returns the handlers of a folder or file.
    public static Handler[] of(Mount mount) {
        return new Handler[] {Folder.of(mount.path(), mount.files())};
    }
}
