package dev.serval.servlet.descriptor;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Collects what an application declares, from all sources, until [#freeze] makes the description
/// of it. The reader of each source decides which source wins. Owned by the thread that deploys.
public final class AppDraft {
    private final Map<String, ServletDraft> servlets = new LinkedHashMap<>();
    private final Map<String, FilterDraft> filters = new LinkedHashMap<>();
    private final Map<String, String> servletByPattern = new LinkedHashMap<>();
    private final Set<String> lent = new LinkedHashSet<>(); // patterns
    private final Map<String, String> contextParams = new LinkedHashMap<>();
    private final Map<String, String> mediaTypes = new LinkedHashMap<>();
    private final Map<String, String> localeEncodings = new LinkedHashMap<>();
    private final Map<String, String> cookieAttributes = new LinkedHashMap<>();
    private final List<FilterMapping> filterMappings = new ArrayList<>();
    private final List<ListenerDescription> listeners = new ArrayList<>();
    private final List<ErrorPage> errorPages = new ArrayList<>();
    private final Set<String> welcomeFiles = new LinkedHashSet<>();
    private final AppOptions options = new AppOptions();
    private NamingDescription naming = NamingDescription.NONE;
    private SecurityDescription security = SecurityDescription.NONE;
    private JspDescription jsp = JspDescription.NONE;

    /// Returns the options that are single values.
    public AppOptions options() {
        return options;
    }

    /// Returns the servlet of that name; null if there is none.
    public @Nullable ServletDraft servlet(String name) {
        return servlets.get(name);
    }

    /// Returns the servlet of that name, which is added without code if it is new.
    public ServletDraft servlet(String name, Origin origin) {
        return servlets.computeIfAbsent(name, added -> new ServletDraft(added, origin));
    }

    /// Returns all servlets in the order of declaration.
    public Collection<ServletDraft> servlets() {
        return servlets.values();
    }

    /// Maps a pattern to a servlet. One of [#lend] passes to it.
    ///
    /// @return the name of the other servlet that already has the pattern, which keeps it; else
    ///     null
    public @Nullable String map(String urlPattern, ServletDraft servlet) {
        if (lent.remove(urlPattern)) {
            unmap(urlPattern);
        }
        @Nullable String other = servletByPattern.putIfAbsent(urlPattern, servlet.name);
        if (other != null && !other.equals(servlet.name)) {
            return other;
        }
        servlet.urlPatterns().add(urlPattern);
        return null;
    }

    /// Maps a pattern that no servlet has to one of the container, until the application maps it.
    public void lend(String urlPattern, ServletDraft servlet) {
        if (map(urlPattern, servlet) == null) {
            lent.add(urlPattern);
        }
    }

    /// Returns whether the pattern is one of [#lend] that the application has not mapped.
    public boolean isLent(String urlPattern) {
        return lent.contains(urlPattern);
    }

    /// Takes a pattern from the servlet that has it, so that another may have it.
    public void unmap(String urlPattern) {
        @Nullable String name = servletByPattern.remove(urlPattern);
        @Nullable ServletDraft servlet = name == null ? null : servlets.get(name);
        if (servlet != null) {
            servlet.urlPatterns().remove(urlPattern);
        }
    }

    /// Returns the name of the servlet that has the pattern; null if none has.
    public @Nullable String servletOf(String urlPattern) {
        return servletByPattern.get(urlPattern);
    }

    /// Returns the filter of that name; null if there is none.
    public @Nullable FilterDraft filter(String name) {
        return filters.get(name);
    }

    /// Returns the filter of that name, which is added without code if it is new.
    public FilterDraft filter(String name, Origin origin) {
        return filters.computeIfAbsent(name, added -> new FilterDraft(added, origin));
    }

    /// Returns all filters in the order of declaration.
    public Collection<FilterDraft> filters() {
        return filters.values();
    }

    /// Returns the mappings of filters, in order, which the caller may change.
    public List<FilterMapping> filterMappings() {
        return filterMappings;
    }

    /// Returns the listeners, in order, which the caller may change.
    public List<ListenerDescription> listeners() {
        return listeners;
    }

    /// Returns the error pages, which the caller may change.
    public List<ErrorPage> errorPages() {
        return errorPages;
    }

    /// Returns the context parameters, which the caller may change.
    public Map<String, String> contextParams() {
        return contextParams;
    }

    /// Returns the welcome files, which the caller may change.
    public Set<String> welcomeFiles() {
        return welcomeFiles;
    }

    /// Returns the media types by extension, which the caller may change.
    public Map<String, String> mediaTypes() {
        return mediaTypes;
    }

    /// Returns the charset names by language tag, which the caller may change.
    public Map<String, String> localeEncodings() {
        return localeEncodings;
    }

    /// Returns the attributes of the session cookie, which the caller may change.
    public Map<String, String> cookieAttributes() {
        return cookieAttributes;
    }

    /// Returns the entries of `java:comp/env` and the lifecycle methods.
    public NamingDescription naming() {
        return naming;
    }

    /// Sets the entries of `java:comp/env` and the lifecycle methods.
    public void naming(NamingDescription declared) {
        naming = declared;
    }

    /// Returns constraints, login and roles.
    public SecurityDescription security() {
        return security;
    }

    /// Sets constraints, login and roles.
    public void security(SecurityDescription declared) {
        security = declared;
    }

    /// Returns the jsp-config.
    public JspDescription jsp() {
        return jsp;
    }

    /// Sets the jsp-config.
    public void jsp(JspDescription declared) {
        jsp = declared;
    }

    /// Makes the description.
    ///
    /// @throws DescriptorException if a servlet or filter has no code, or a mapping has no target
    public AppDescription freeze() throws DescriptorException {
        List<ServletDescription> frozenServlets = new ArrayList<>();
        for (ServletDraft servlet : servlets.values()) {
            frozenServlets.add(servlet.freeze());
        }
        List<FilterDescription> frozenFilters = new ArrayList<>();
        for (FilterDraft filter : filters.values()) {
            frozenFilters.add(filter.freeze());
        }
        return new AppDescription(
                options.displayName(),
                options.majorVersion(),
                options.minorVersion(),
                contextParams,
                frozenServlets,
                frozenFilters,
                filterMappings,
                listeners,
                errorPages,
                List.copyOf(welcomeFiles),
                mediaTypes,
                new AppDescription.Encodings(
                        options.requestEncoding(), options.responseEncoding(), localeEncodings),
                new SessionDescription(
                        options.sessionTimeoutMinutes(),
                        new CookieDescription(options.cookieName(), cookieAttributes),
                        options.tracking()),
                options.defaultContextPath(),
                options.distributable(),
                options.moduleName(),
                naming,
                security,
                jsp,
                options.metadataComplete());
    }
}
