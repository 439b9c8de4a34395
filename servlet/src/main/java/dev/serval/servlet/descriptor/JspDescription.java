package dev.serval.servlet.descriptor;

import java.util.List;
import java.util.Map;

/// The jsp-config of an application (Servlet 6.1 §14.4). Immutable.
///
/// @param groups in the order of declaration
/// @param taglibs in the order of declaration
public record JspDescription(List<PropertyGroup> groups, List<Taglib> taglibs) {
    /// The name of the servlet that shows pages. Other servers give it, too, because applications
    /// map patterns to it.
    public static final String SERVLET = "jsp";

    /// Nothing declared.
    public static final JspDescription NONE = new JspDescription(List.of(), List.of());

    /// A jsp-property-group.
    ///
    /// @param urlPatterns the JSP files that it applies to
    /// @param values the values of its other elements, such as `page-encoding`, by element name
    /// @param includePreludes paths, in the order of declaration
    /// @param includeCodas paths, in the order of declaration
    /// @param origin where it was declared
    public record PropertyGroup(
            List<String> urlPatterns,
            Map<String, String> values,
            List<String> includePreludes,
            List<String> includeCodas,
            Origin origin) {
        /// Copies the collections.
        public PropertyGroup {
            urlPatterns = List.copyOf(urlPatterns);
            values = Map.copyOf(values);
            includePreludes = List.copyOf(includePreludes);
            includeCodas = List.copyOf(includeCodas);
        }
    }

    /// A taglib.
    ///
    /// @param uri the name that JSP files use
    /// @param location the path of its descriptor
    public record Taglib(String uri, String location) {}

    /// Copies the lists.
    public JspDescription {
        groups = List.copyOf(groups);
        taglibs = List.copyOf(taglibs);
    }
}
