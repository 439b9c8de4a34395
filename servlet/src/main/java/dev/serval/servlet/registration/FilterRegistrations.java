package dev.serval.servlet.registration;

import dev.serval.servlet.descriptor.AppDraft;
import dev.serval.servlet.descriptor.Component;
import dev.serval.servlet.descriptor.FilterDraft;
import dev.serval.servlet.descriptor.FilterMapping;
import dev.serval.servlet.descriptor.Origin;
import jakarta.servlet.FilterRegistration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Registers filters by code (Servlet 6.1 §4.4.2). Owned by the thread that starts the application.
public final class FilterRegistrations {
    private final AppDraft draft;
    private final ContextGate gate;
    private int before; // mappings that code put before the declared ones

    public FilterRegistrations(AppDraft draft, ContextGate gate) {
        this.draft = draft;
        this.gate = gate;
    }

    /// Adds a filter, or completes one that only has a name.
    ///
    /// @return null if a complete filter has the name, or another one has the instance
    public FilterRegistration.@Nullable Dynamic add(@Nullable String name, Component code) {
        gate.requireConfigurable("addFilter");
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException("addFilter needs a name that is not empty.");
        }
        @Nullable FilterDraft existing = draft.filter(name);
        boolean complete = existing != null && existing.component() != null;
        if (complete || isRegistered(code)) {
            return null;
        }
        Origin origin = Origin.code("addFilter(\"" + name + "\", …)");
        FilterDraft filter = draft.filter(name, origin);
        filter.component(code, origin);
        return new FilterEntry(filter, this, gate);
    }

    @Nullable
    public FilterRegistration find(String name) {
        @Nullable FilterDraft filter = draft.filter(name);
        return filter == null ? null : new FilterEntry(filter, this, gate);
    }

    public Map<String, FilterRegistration> all() {
        Map<String, FilterRegistration> all = new LinkedHashMap<>();
        for (FilterDraft filter : draft.filters()) {
            all.put(filter.name(), new FilterEntry(filter, this, gate));
        }
        return Collections.unmodifiableMap(all);
    }

    /// Adds a mapping after all others, or before the declared ones and after those that code put
    /// there (FilterRegistration#addMappingForUrlPatterns).
    public void add(FilterMapping mapping, boolean after) {
        if (after) {
            draft.filterMappings().add(mapping);
        } else {
            draft.filterMappings().add(before++, mapping);
        }
    }

    List<FilterMapping> mappingsOf(String filter) {
        return draft.filterMappings().stream()
                .filter(mapping -> mapping.filter().equals(filter))
                .toList();
    }

    @SuppressWarnings("ReferenceEquality") // the same instance, not an equal one
    private boolean isRegistered(Component code) {
        if (code instanceof Component.Instance(Object added)) {
            for (FilterDraft filter : draft.filters()) {
                if (filter.component() instanceof Component.Instance(Object other)
                        && other == added) {
                    return true;
                }
            }
        }
        return false;
    }
}
