package dev.serval.servlet.inject;

import dev.serval.servlet.descriptor.Origin;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An `env-entry` as declared. Immutable.
///
/// @param name relative to `java:comp/env`, or a full name that begins with `java:`
/// @param type the class name of the value; null to take that of the target
/// @param value the text of the value; null if none is declared
/// @param lookup the name that has the value; null unless declared
/// @param targets the members that receive the value
/// @param origin where it was declared
public record EnvEntry(
        String name,
        @Nullable String type,
        @Nullable String value,
        @Nullable String lookup,
        List<InjectionTarget> targets,
        Origin origin) {
    /// Copies the targets.
    public EnvEntry {
        targets = List.copyOf(targets);
    }
}
