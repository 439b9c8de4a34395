package dev.serval.servlet.descriptor;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A servlet while its application is put together. Owned by the thread that deploys.
public final class ServletDraft {
    final String name;
    private Origin origin;
    private @Nullable Component component; // null while only referred to
    private final Map<String, String> initParams = new LinkedHashMap<>();
    private final Set<String> urlPatterns = new LinkedHashSet<>();
    private final Map<String, String> roleLinks = new LinkedHashMap<>();
    private int loadOnStartup = -1;
    private boolean asyncSupported;
    private boolean enabled = true;
    private @Nullable MultipartLimits multipart;
    private @Nullable String runAs;

    ServletDraft(String name, Origin origin) {
        this.name = name;
        this.origin = origin;
    }

    /// Returns the servlet's name.
    public String name() {
        return name;
    }

    /// Returns where it was declared.
    public Origin origin() {
        return origin;
    }

    /// Returns its code; null while only its name is known.
    public @Nullable Component component() {
        return component;
    }

    /// Sets its code, and where that was declared.
    public void component(Component code, Origin where) {
        component = code;
        origin = where;
    }

    /// Returns its parameters, which the caller may change.
    public Map<String, String> initParams() {
        return initParams;
    }

    /// Returns its patterns. To add one, call [AppDraft#map].
    public Set<String> urlPatterns() {
        return urlPatterns;
    }

    /// Returns its role links, which the caller may change.
    public Map<String, String> roleLinks() {
        return roleLinks;
    }

    /// Sets the order of creation at start; -1 for creation at the first request.
    public void loadOnStartup(int order) {
        loadOnStartup = order;
    }

    /// Sets whether requests may be asynchronous.
    public void asyncSupported(boolean supported) {
        asyncSupported = supported;
    }

    /// Sets whether the servlet may be called.
    public void enabled(boolean allowed) {
        enabled = allowed;
    }

    /// Sets the limits of multipart content.
    public void multipart(MultipartLimits limits) {
        multipart = limits;
    }

    /// Returns the limits of multipart content; null if there are none.
    public @Nullable MultipartLimits multipart() {
        return multipart;
    }

    /// Returns the role under which it calls others; null for none.
    public @Nullable String runAs() {
        return runAs;
    }

    /// Sets the role under which it calls others.
    public void runAs(String role) {
        runAs = role;
    }

    ServletDescription freeze() throws DescriptorException {
        if (component == null) {
            throw new DescriptorException(
                    origin,
                    "The servlet \""
                            + name
                            + "\" has neither a class nor a JSP file. Declare it by a <servlet> with"
                            + " a <servlet-class>, or correct the name.");
        }
        return new ServletDescription(
                name,
                component,
                initParams,
                urlPatterns.stream().toList(),
                loadOnStartup,
                asyncSupported,
                enabled,
                multipart,
                runAs,
                roleLinks,
                origin);
    }
}
