package dev.serval.servlet.registration;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The parameters of a registration: a name keeps its first value (Registration#setInitParameter).
/// Owned by the thread that starts the application.
final class InitParams {
    private final Map<String, String> values;
    private final ContextGate gate;

    InitParams(Map<String, String> values, ContextGate gate) {
        this.values = values;
        this.gate = gate;
    }

    @Nullable String value(String name) {
        return values.get(name);
    }

    Map<String, String> all() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    boolean set(@Nullable String name, @Nullable String value) {
        gate.requireConfigurable("setInitParameter");
        if (name == null || value == null) {
            throw new IllegalArgumentException("An init parameter needs a name and a value.");
        }
        return values.putIfAbsent(name, value) == null;
    }

    /// Sets all parameters, or none if a name has a value already.
    ///
    /// @return the names that have a value already
    Set<String> setAll(Map<String, String> added) {
        gate.requireConfigurable("setInitParameters");
        Set<String> conflicts = new LinkedHashSet<>();
        for (Map.Entry<@Nullable String, @Nullable String> entry : nullable(added).entrySet()) {
            @Nullable String name = entry.getKey();
            if (name == null || entry.getValue() == null) {
                throw new IllegalArgumentException("An init parameter needs a name and a value.");
            }
            if (values.containsKey(name)) {
                conflicts.add(name);
            }
        }
        if (conflicts.isEmpty()) {
            values.putAll(added);
        }
        return conflicts;
    }

    @SuppressWarnings({"unchecked", "rawtypes", "NullAway"}) // maps of applications may have nulls
    private static Map<@Nullable String, @Nullable String> nullable(Map<String, String> map) {
        return (Map) map;
    }
}
