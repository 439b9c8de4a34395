package dev.serval.servlet.descriptor;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A filter while its application is put together. Owned by the thread that deploys.
public final class FilterDraft {
    final String name;
    private Origin origin;
    private @Nullable Component component; // null while only referred to
    private final Map<String, String> initParams = new LinkedHashMap<>();
    private boolean asyncSupported;

    FilterDraft(String name, Origin origin) {
        this.name = name;
        this.origin = origin;
    }

    /// Returns the filter's name.
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

    /// Sets whether requests that pass it may be asynchronous.
    public void asyncSupported(boolean supported) {
        asyncSupported = supported;
    }

    FilterDescription freeze() throws DescriptorException {
        if (component == null) {
            throw new DescriptorException(
                    origin,
                    "The filter \""
                            + name
                            + "\" has no class. Declare it by a <filter> with a <filter-class>, or"
                            + " correct the name.");
        }
        return new FilterDescription(name, component, initParams, asyncSupported, origin);
    }
}
