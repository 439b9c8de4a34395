package dev.serval.servlet.descriptor;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A servlet as declared. Immutable.
///
/// @param name unique in the application
/// @param component its code
/// @param initParams in the order of declaration
/// @param urlPatterns in the order of declaration; empty for a servlet that only a name reaches
/// @param loadOnStartup the order of creation at start; -1 for creation at the first request
/// @param asyncSupported whether requests may be asynchronous
/// @param enabled whether the servlet may be called
/// @param multipart limits of multipart content; null if the servlet takes none
/// @param runAs the role under which it calls others; null for none
/// @param roleLinks role names that the code uses, with the application's role for each
/// @param origin where it was declared
public record ServletDescription(
        String name,
        Component component,
        Map<String, String> initParams,
        List<String> urlPatterns,
        int loadOnStartup,
        boolean asyncSupported,
        boolean enabled,
        @Nullable MultipartLimits multipart,
        @Nullable String runAs,
        Map<String, String> roleLinks,
        Origin origin) {
    /// Copies the collections.
    public ServletDescription {
        initParams = Collections.unmodifiableMap(new LinkedHashMap<>(initParams));
        urlPatterns = List.copyOf(urlPatterns);
        roleLinks = Map.copyOf(roleLinks);
    }
}
