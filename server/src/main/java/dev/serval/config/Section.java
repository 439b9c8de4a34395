package dev.serval.config;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A table of a configuration, with the keys and tables that it may have. Immutable.
///
/// @param name within its parent
/// @param many whether there may be several, as `[[name]]`
/// @param what a sentence about it
/// @param keys its keys
/// @param sections its tables
public record Section(
        String name, boolean many, String what, List<Key> keys, List<Section> sections) {
    /// Copies the lists.
    public Section {
        keys = List.copyOf(keys);
        sections = List.copyOf(sections);
    }

    /// Returns the same table, for a part that overrides this one.
    ///
    /// @param other a sentence about it
    /// @param usual where the defaults of its keys come from, in parentheses
    Section overriding(String other, String usual) {
        return new Section(
                name,
                many,
                other,
                keys.stream().map(key -> key.withUsual(usual)).toList(),
                sections);
    }

    /// Returns this table with more keys.
    Section with(List<Key> more) {
        List<Key> all = new ArrayList<>(keys);
        all.addAll(more);
        return new Section(name, many, what, all, sections);
    }

    /// Returns the key of that name; null if there is none.
    public @Nullable Key key(String name) {
        for (Key key : keys) {
            if (key.name().equals(name)) {
                return key;
            }
        }
        return null;
    }

    /// Returns the table of that name; null if there is none.
    public @Nullable Section section(String name) {
        for (Section section : sections) {
            if (section.name.equals(name)) {
                return section;
            }
        }
        return null;
    }

    /// Returns how a file begins this table.
    ///
    /// @param path of the table, such as `host.mount`
    String header(String path) {
        return many ? "[[" + path + "]]" : "[" + path + "]";
    }
}
