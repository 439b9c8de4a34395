package dev.serval.gateway.lrwp;

import java.nio.charset.StandardCharsets;
import java.util.Set;

/// What a server serves besides applications that have dialled in. A guarded mount serves a web
/// application or another server. A peer could read the cookies and passwords that are meant for it,
/// so only a name with a rule of its own in [AllowedNames] may be registered in front of it.
/// Immutable.
///
/// @param open the prefixes of mounts that any application may take, such as those of files
/// @param guarded the prefixes of guarded mounts; each is `/` or `/name[/name…]`
public record LrwpMounts(Set<String> open, Set<String> guarded) {
    /// No mounts.
    public static final LrwpMounts NONE = new LrwpMounts(Set.of(), Set.of());

    /// Copies the sets.
    public LrwpMounts {
        open = Set.copyOf(open);
        guarded = Set.copyOf(guarded);
    }

    /// Returns whether a registration needs a rule, whatever its host is: it would take requests from
    /// a guarded mount, or a guarded mount is below its path.
    boolean guard(Registration registration) {
        String path =
                registration.isSuffix()
                        ? "" // it takes requests only from the mount at the root
                        : new String(registration.prefix(), StandardCharsets.UTF_8);
        int opened = longest(open, path);
        int closed = longest(guarded, path);
        boolean takes = closed >= 0 && closed >= opened;
        boolean covers =
                !registration.isSuffix()
                        && guarded.stream().anyMatch(mount -> isBelow(mount, path));
        return takes || covers;
    }

    /// Returns the length of the longest of these mounts that a path is below; -1 if there is none.
    private static int longest(Set<String> mounts, String path) {
        int most = -1;
        for (String mount : mounts) {
            String prefix = mount.equals("/") ? "" : mount;
            if (prefix.length() > most && isBelow(path, prefix)) {
                most = prefix.length();
            }
        }
        return most;
    }

    /// Returns whether a path is a prefix, or is below it by whole components.
    private static boolean isBelow(String path, String prefix) {
        return path.equals(prefix) || path.startsWith(prefix + "/");
    }
}
