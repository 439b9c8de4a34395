package dev.serval.config;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A key or a table with its whole name, such as `host.mount.folder`. Immutable.
///
/// @param path the whole name
/// @param section the table; for a key the one that has it
/// @param key null for a table
public record KeyPath(String path, Section section, @Nullable Key key) {
    /// Returns all keys and tables, in the order of the table. The mounts of a host are left out,
    /// because they are as those outside of hosts.
    public static List<KeyPath> all() {
        List<KeyPath> all = new ArrayList<>();
        for (Section section : Keys.ROOT.sections()) {
            add(section.name(), section, all);
        }
        return all;
    }

    private static void add(String path, Section section, List<KeyPath> all) {
        all.add(new KeyPath(path, section, null));
        section.keys().forEach(key -> all.add(new KeyPath(path + "." + key.name(), section, key)));
        for (Section inner : section.sections()) {
            if (!path.equals("host")) {
                add(path + "." + inner.name(), inner, all);
            }
        }
    }

    /// Returns what a name means: a whole name, or the end of one.
    ///
    /// @return empty if there is none; several if the end is not clear
    public static List<KeyPath> find(String name) {
        String asked = name.startsWith("host.mount.") ? name.substring("host.".length()) : name;
        List<KeyPath> ends = new ArrayList<>();
        for (KeyPath each : all()) {
            if (each.path.equals(asked)) {
                return List.of(each);
            }
            if (each.path.endsWith("." + asked)) {
                ends.add(each);
            }
        }
        return ends;
    }
}
