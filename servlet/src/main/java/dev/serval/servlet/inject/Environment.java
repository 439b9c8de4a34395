package dev.serval.servlet.inject;

import java.util.List;

/// The declarations for injection in the descriptors of an application. Immutable.
///
/// @param entries simple values
/// @param references resources
/// @param postConstruct methods to call after injection
/// @param preDestroy methods to call before an instance is released
/// @param annotations whether annotations count; false if web.xml is metadata-complete (Servlet 6.1
///     §8.1)
public record Environment(
        List<EnvEntry> entries,
        List<ResourceRef> references,
        List<LifecycleCall> postConstruct,
        List<LifecycleCall> preDestroy,
        boolean annotations) {
    /// No declarations: only annotations count.
    public static final Environment EMPTY =
            new Environment(List.of(), List.of(), List.of(), List.of(), true);

    /// Copies the collections.
    public Environment {
        entries = List.copyOf(entries);
        references = List.copyOf(references);
        postConstruct = List.copyOf(postConstruct);
        preDestroy = List.copyOf(preDestroy);
    }
}
