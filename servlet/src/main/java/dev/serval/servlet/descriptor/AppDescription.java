package dev.serval.servlet.descriptor;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Everything that an application declares, whether by web.xml, fragments, annotations or code.
/// Immutable, complete and consistent: names are unique and every reference has its target.
///
/// @param displayName for people; empty if not declared
/// @param majorVersion the version of Servlet that web.xml names, or 6
/// @param minorVersion the same, or 1
/// @param contextParams in the order of declaration
/// @param servlets in the order of declaration
/// @param filters in the order of declaration
/// @param filterMappings in the order in which filters apply
/// @param listeners in the order in which they are called
/// @param errorPages as declared
/// @param welcomeFiles in the order of preference, without leading slashes
/// @param mediaTypes by file extension
/// @param encodings names of charsets
/// @param session session-config
/// @param defaultContextPath null if not declared
/// @param distributable whether sessions may move between servers
/// @param moduleName the module-name; empty if not declared
/// @param naming entries of `java:comp/env`, and lifecycle methods
/// @param security constraints, login and roles
/// @param jsp jsp-config
/// @param metadataComplete whether annotations such as `@Resource` and `@PostConstruct` do not
///     count (Servlet 6.1 §8.1)
public record AppDescription(
        String displayName,
        int majorVersion,
        int minorVersion,
        Map<String, String> contextParams,
        List<ServletDescription> servlets,
        List<FilterDescription> filters,
        List<FilterMapping> filterMappings,
        List<ListenerDescription> listeners,
        List<ErrorPage> errorPages,
        List<String> welcomeFiles,
        Map<String, String> mediaTypes,
        Encodings encodings,
        SessionDescription session,
        @Nullable String defaultContextPath,
        boolean distributable,
        String moduleName,
        NamingDescription naming,
        SecurityDescription security,
        JspDescription jsp,
        boolean metadataComplete) {
    /// Copies the collections.
    public AppDescription {
        contextParams = Collections.unmodifiableMap(new LinkedHashMap<>(contextParams));
        servlets = List.copyOf(servlets);
        filters = List.copyOf(filters);
        filterMappings = List.copyOf(filterMappings);
        listeners = List.copyOf(listeners);
        errorPages = List.copyOf(errorPages);
        welcomeFiles = List.copyOf(welcomeFiles);
        mediaTypes = Map.copyOf(mediaTypes);
    }

    /// The names of charsets that an application declares. Immutable.
    ///
    /// @param ofRequests for requests that name none; null if not declared
    /// @param ofResponses for responses that name none; null if not declared
    /// @param ofLocales by language tag
    public record Encodings(
            @Nullable String ofRequests,
            @Nullable String ofResponses,
            Map<String, String> ofLocales) {
        /// Copies the map.
        public Encodings {
            ofLocales = Map.copyOf(ofLocales);
        }
    }
}
