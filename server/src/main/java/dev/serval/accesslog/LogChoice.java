package dev.serval.accesslog;

import dev.serval.log.LogSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An access log. Immutable.
///
/// @param name by which mounts and hosts choose it; empty for that of all others
/// @param settings where and how it is written
public record LogChoice(String name, LogSettings settings) {
    /// The name of the log that all mounts have which choose no other.
    public static final String SERVER = "";

    /// What a mount says instead of a name if it is not logged.
    public static final String OFF = "off";

    /// Returns some logs with this one in place of that of the same name.
    public List<LogChoice> in(List<LogChoice> others) {
        List<LogChoice> all = new ArrayList<>(others);
        all.removeIf(each -> each.name.equals(name));
        all.addFirst(this);
        return all;
    }

    /// Returns the zone of the times of all logs.
    public static ZoneId zone() {
        return ZoneId.systemDefault();
    }

    /// Returns why a file cannot be a log; null if it can, as far as its folder tells.
    public static @Nullable String obstacle(Path file) {
        Path absolute = file.toAbsolutePath().normalize();
        if (LogSettings.isStandardStream(absolute)) {
            return null;
        }
        @Nullable Path folder = absolute.getParent();
        if (Files.isDirectory(absolute)) {
            return "The access log " + absolute + " is a folder: name a file in it.";
        }
        if (Files.exists(absolute)) {
            return Files.isWritable(absolute)
                    ? null
                    : "The access log "
                            + absolute
                            + " cannot be written by this user: change its owner or its rights.";
        }
        if (folder == null || !Files.isDirectory(folder)) {
            return "There is no folder "
                    + folder
                    + " for the access log "
                    + absolute.getFileName()
                    + ": create it.";
        }
        return Files.isWritable(folder)
                ? null
                : "This user cannot create the access log "
                        + absolute
                        + ": change the owner or the rights of the folder.";
    }

    /// Returns the log as people read it.
    @Override
    public String toString() {
        return settings.file()
                + " ("
                + settings.format()
                + (settings.shortened() ? ", addresses shortened" : "")
                + (name.equals(SERVER) ? "" : ", for mounts with log = \"" + name + "\"")
                + ")";
    }
}
