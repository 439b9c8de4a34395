package dev.serval.servlet.descriptor;

import jakarta.servlet.DispatcherType;
import java.util.Set;

/// The requests that a filter applies to. Immutable.
///
/// @param filter the filter's name
/// @param target a pattern or a servlet
/// @param dispatchers the kinds of dispatch; never empty
/// @param origin where it was declared
public record FilterMapping(
        String filter, Target target, Set<DispatcherType> dispatchers, Origin origin) {
    /// What a filter is mapped to.
    public sealed interface Target {
        /// Paths: an exact path, `/prefix/*`, `*.extension`, or `/`.
        record Pattern(String urlPattern) implements Target {}

        /// A servlet by name; `*` for all.
        record Servlet(String name) implements Target {}
    }

    /// Copies the dispatchers; none means REQUEST (Servlet 6.1 §6.2.5).
    public FilterMapping {
        dispatchers =
                dispatchers.isEmpty() ? Set.of(DispatcherType.REQUEST) : Set.copyOf(dispatchers);
    }
}
