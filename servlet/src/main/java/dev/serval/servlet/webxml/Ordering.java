package dev.serval.servlet.webxml;

import java.util.List;
import java.util.Set;

/// Where a descriptor wants fragments to be (Servlet 6.1 §8.2.2).
public sealed interface Ordering {
    /// Stands for the fragments that are not named. A name cannot contain this character.
    String OTHERS = "*";

    /// No wish.
    Ordering NONE = new Relative("", Set.of(), Set.of());

    /// The absolute-ordering of web.xml.
    ///
    /// @param names in order; may contain [#OTHERS]
    record Absolute(List<String> names) implements Ordering {}

    /// Name and ordering of a fragment.
    ///
    /// @param name empty if it has none
    /// @param before names of those that come later; may contain [#OTHERS]
    /// @param after names of those that come earlier; may contain [#OTHERS]
    record Relative(String name, Set<String> before, Set<String> after) implements Ordering {
        /// Returns whether the fragment wants to come before or after any other.
        public boolean isWish() {
            return !before.isEmpty() || !after.isEmpty();
        }
    }
}
