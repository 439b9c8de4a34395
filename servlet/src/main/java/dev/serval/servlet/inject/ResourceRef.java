package dev.serval.servlet.inject;

import dev.serval.servlet.descriptor.Origin;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A `resource-ref` or `resource-env-ref` as declared. Immutable.
///
/// @param name relative to `java:comp/env`, or a full name that begins with `java:`
/// @param lookup the name that has the resource; null unless declared
/// @param targets the members that receive the resource
/// @param origin where it was declared
public record ResourceRef(
        String name, @Nullable String lookup, List<InjectionTarget> targets, Origin origin) {
    /// Copies the targets.
    public ResourceRef {
        targets = List.copyOf(targets);
    }
}
