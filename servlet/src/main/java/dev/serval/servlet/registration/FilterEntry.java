package dev.serval.servlet.registration;

import dev.serval.servlet.descriptor.Component;
import dev.serval.servlet.descriptor.FilterDraft;
import dev.serval.servlet.descriptor.FilterMapping;
import dev.serval.servlet.descriptor.Origin;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The registration of one filter, as code sees it (Servlet 6.1 §4.4.2). It changes the draft of
/// the application. Owned by the thread that starts the application.
final class FilterEntry implements FilterRegistration.Dynamic {
    private final FilterDraft filter;
    private final FilterRegistrations registrations;
    private final ContextGate gate;
    private final InitParams params;

    FilterEntry(FilterDraft filter, FilterRegistrations registrations, ContextGate gate) {
        this.filter = filter;
        this.registrations = registrations;
        this.gate = gate;
        this.params = new InitParams(filter.initParams(), gate);
    }

    @Override
    public String getName() {
        return filter.name();
    }

    @Override
    public @Nullable String getClassName() {
        @Nullable Component code = filter.component();
        return code == null ? null : code.text();
    }

    @Override
    public void addMappingForServletNames(
            @Nullable EnumSet<DispatcherType> dispatcherTypes,
            boolean isMatchAfter,
            String... servletNames) {
        gate.requireConfigurable("addMappingForServletNames");
        UrlPatterns.checkPresent(servletNames);
        for (String name : servletNames) {
            map(new FilterMapping.Target.Servlet(name), dispatcherTypes, isMatchAfter);
        }
    }

    @Override
    public void addMappingForUrlPatterns(
            @Nullable EnumSet<DispatcherType> dispatcherTypes,
            boolean isMatchAfter,
            String... urlPatterns) {
        gate.requireConfigurable("addMappingForUrlPatterns");
        UrlPatterns.check(urlPatterns);
        for (String pattern : urlPatterns) {
            map(new FilterMapping.Target.Pattern(pattern), dispatcherTypes, isMatchAfter);
        }
    }

    @Override
    public Collection<String> getServletNameMappings() {
        List<String> names = new ArrayList<>();
        for (FilterMapping mapping : registrations.mappingsOf(filter.name())) {
            if (mapping.target() instanceof FilterMapping.Target.Servlet(String name)) {
                names.add(name);
            }
        }
        return names;
    }

    @Override
    public Collection<String> getUrlPatternMappings() {
        List<String> patterns = new ArrayList<>();
        for (FilterMapping mapping : registrations.mappingsOf(filter.name())) {
            if (mapping.target() instanceof FilterMapping.Target.Pattern(String pattern)) {
                patterns.add(pattern);
            }
        }
        return patterns;
    }

    @Override
    public boolean setInitParameter(String name, String value) {
        return params.set(name, value);
    }

    @Override
    public @Nullable String getInitParameter(String name) {
        return params.value(name);
    }

    @Override
    public Set<String> setInitParameters(Map<String, String> initParameters) {
        return params.setAll(initParameters);
    }

    @Override
    public Map<String, String> getInitParameters() {
        return params.all();
    }

    @Override
    public void setAsyncSupported(boolean isAsyncSupported) {
        gate.requireConfigurable("setAsyncSupported");
        filter.asyncSupported(isAsyncSupported);
    }

    private void map(
            FilterMapping.Target target,
            @Nullable EnumSet<DispatcherType> dispatchers,
            boolean after) {
        Origin origin = Origin.code("the mapping of the filter \"" + filter.name() + "\" by code");
        registrations.add(
                new FilterMapping(
                        filter.name(),
                        target,
                        dispatchers == null ? Set.of() : dispatchers,
                        origin),
                after);
    }
}
