package dev.serval.servlet.descriptor;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// A filter as declared. Immutable.
///
/// @param name unique among the application's filters
/// @param component its code
/// @param initParams in the order of declaration
/// @param asyncSupported whether requests that pass it may be asynchronous
/// @param origin where it was declared
public record FilterDescription(
        String name,
        Component component,
        Map<String, String> initParams,
        boolean asyncSupported,
        Origin origin) {
    /// Copies the parameters.
    public FilterDescription {
        initParams = Collections.unmodifiableMap(new LinkedHashMap<>(initParams));
    }
}
