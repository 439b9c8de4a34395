package dev.serval.servlet.registration;

import dev.serval.servlet.descriptor.AppDraft;
import dev.serval.servlet.descriptor.Component;
import dev.serval.servlet.descriptor.Origin;
import dev.serval.servlet.descriptor.ServletDraft;
import jakarta.annotation.security.DeclareRoles;
import jakarta.annotation.security.RunAs;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.ServletSecurityElement;
import jakarta.servlet.annotation.MultipartConfig;
import jakarta.servlet.annotation.ServletSecurity;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Registers servlets by code, and keeps the security that code sets for them (Servlet 6.1 §4.4.1).
/// Owned by the thread that starts the application.
public final class ServletRegistrations {
    private final AppDraft draft;
    private final ContextGate gate;
    private final Map<String, ServletSecurityElement> security = new LinkedHashMap<>();
    private final Set<String> roles = new LinkedHashSet<>();

    public ServletRegistrations(AppDraft draft, ContextGate gate) {
        this.draft = draft;
        this.gate = gate;
    }

    /// Adds a servlet, or completes one that only has a name.
    ///
    /// @param annotated the class whose annotations count; null for none (Servlet 6.1 §4.4.3.5)
    /// @return null if a complete servlet has the name, or another one has the instance
    public ServletRegistration.@Nullable Dynamic add(
            String method, @Nullable String name, Component code, @Nullable Class<?> annotated) {
        gate.requireConfigurable(method);
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException(method + " needs a name that is not empty.");
        }
        @Nullable ServletDraft existing = draft.servlet(name);
        boolean complete = existing != null && existing.component() != null;
        if (complete || isRegistered(code)) {
            return null;
        }
        Origin origin = Origin.code(method + "(\"" + name + "\", …)");
        ServletDraft servlet = draft.servlet(name, origin);
        servlet.component(code, origin);
        if (annotated != null) {
            annotate(servlet, annotated);
        }
        return new ServletEntry(servlet, draft, gate, security);
    }

    @Nullable
    public ServletRegistration find(String name) {
        @Nullable ServletDraft servlet = draft.servlet(name);
        return servlet == null ? null : new ServletEntry(servlet, draft, gate, security);
    }

    public Map<String, ServletRegistration> all() {
        Map<String, ServletRegistration> all = new LinkedHashMap<>();
        for (ServletDraft servlet : draft.servlets()) {
            all.put(servlet.name(), new ServletEntry(servlet, draft, gate, security));
        }
        return Collections.unmodifiableMap(all);
    }

    /// Returns the security that code and annotations of registered classes demand, by servlet.
    public Map<String, ServletSecurityElement> security() {
        return Collections.unmodifiableMap(security);
    }

    /// Returns the roles that code declared.
    public Set<String> roles() {
        return Collections.unmodifiableSet(roles);
    }

    public void declareRoles(@Nullable String... names) {
        gate.requireConfigurable("declareRoles");
        for (@Nullable String name : names) {
            if (name == null || name.isEmpty()) {
                throw new IllegalArgumentException("declareRoles needs names that are not empty.");
            }
        }
        for (@Nullable String name : names) {
            if (name != null) {
                roles.add(name);
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // the same instance, not an equal one
    private boolean isRegistered(Component code) {
        if (code instanceof Component.Instance(Object added)) {
            for (ServletDraft servlet : draft.servlets()) {
                if (servlet.component() instanceof Component.Instance(Object other)
                        && other == added) {
                    return true;
                }
            }
        }
        return false;
    }

    /// Applies the annotations of the servlets that are instances now. Call it before code of the
    /// application runs, so that these are those of the container's own API. Of those that the
    /// application adds, only the created ones count (Servlet 6.1 §4.4.3.5).
    public void annotateInstances() {
        for (ServletDraft servlet : draft.servlets()) {
            if (servlet.component() instanceof Component.Instance(Object instance)) {
                annotate(servlet, instance.getClass());
            }
        }
    }

    private void annotate(ServletDraft servlet, Class<?> type) {
        @Nullable MultipartConfig multipart = type.getAnnotation(MultipartConfig.class);
        if (multipart != null && servlet.multipart() == null) {
            servlet.multipart(ServletEntry.limits(new MultipartConfigElement(multipart)));
        }
        @Nullable RunAs runAs = type.getAnnotation(RunAs.class);
        if (runAs != null && servlet.runAs() == null) {
            servlet.runAs(runAs.value());
        }
        @Nullable ServletSecurity constraint = type.getAnnotation(ServletSecurity.class);
        if (constraint != null) {
            security.putIfAbsent(servlet.name(), new ServletSecurityElement(constraint));
        }
        @Nullable DeclareRoles declared = type.getAnnotation(DeclareRoles.class);
        if (declared != null) {
            roles.addAll(List.of(declared.value()));
        }
    }
}
