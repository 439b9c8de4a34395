package dev.serval.automatic;

import dev.serval.acme.AcmeSettings;
import java.util.LinkedHashSet;
import java.util.Set;

/// Where certificates come from, and for which hosts. Immutable.
///
/// @param hosts names in lower case, in the order of the file
public record AcmeChoice(AcmeSettings settings, Set<String> hosts) {
    /// Copies the set.
    public AcmeChoice {
        hosts = new LinkedHashSet<>(hosts);
    }

    /// Returns the names.
    @Override
    public Set<String> hosts() {
        return new LinkedHashSet<>(hosts);
    }
}
