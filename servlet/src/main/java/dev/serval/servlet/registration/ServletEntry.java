package dev.serval.servlet.registration;

import dev.serval.servlet.descriptor.AppDraft;
import dev.serval.servlet.descriptor.Component;
import dev.serval.servlet.descriptor.MultipartLimits;
import dev.serval.servlet.descriptor.ServletDraft;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.ServletSecurityElement;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The registration of one servlet, as code sees it (Servlet 6.1 §4.4.1). It changes the draft of
/// the application. Owned by the thread that starts the application.
final class ServletEntry implements ServletRegistration.Dynamic {
    private final ServletDraft servlet;
    private final AppDraft draft;
    private final ContextGate gate;
    private final Map<String, ServletSecurityElement> security;
    private final InitParams params;

    ServletEntry(
            ServletDraft servlet,
            AppDraft draft,
            ContextGate gate,
            Map<String, ServletSecurityElement> security) {
        this.servlet = servlet;
        this.draft = draft;
        this.gate = gate;
        this.security = security;
        this.params = new InitParams(servlet.initParams(), gate);
    }

    @Override
    public String getName() {
        return servlet.name();
    }

    @Override
    public @Nullable String getClassName() {
        @Nullable Component code = servlet.component();
        return code == null || code instanceof Component.JspFile ? null : code.text();
    }

    @Override
    public Set<String> addMapping(String... urlPatterns) {
        gate.requireConfigurable("addMapping");
        UrlPatterns.check(urlPatterns);
        Set<String> taken = new LinkedHashSet<>();
        for (String pattern : urlPatterns) {
            @Nullable String other = draft.servletOf(pattern);
            if (other != null && !other.equals(servlet.name()) && !draft.isLent(pattern)) {
                taken.add(pattern);
            }
        }
        if (taken.isEmpty()) {
            for (String pattern : urlPatterns) {
                draft.map(pattern, servlet);
            }
        }
        return taken;
    }

    @Override
    public Collection<String> getMappings() {
        return List.copyOf(servlet.urlPatterns());
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
        servlet.asyncSupported(isAsyncSupported);
    }

    @Override
    public void setLoadOnStartup(int loadOnStartup) {
        gate.requireConfigurable("setLoadOnStartup");
        servlet.loadOnStartup(Math.max(loadOnStartup, -1));
    }

    @Override
    public void setMultipartConfig(@Nullable MultipartConfigElement multipartConfig) {
        gate.requireConfigurable("setMultipartConfig");
        if (multipartConfig == null) {
            throw new IllegalArgumentException("setMultipartConfig needs a configuration.");
        }
        servlet.multipart(limits(multipartConfig));
    }

    @Override
    public @Nullable String getRunAsRole() {
        return servlet.runAs();
    }

    @Override
    public void setRunAsRole(@Nullable String roleName) {
        gate.requireConfigurable("setRunAsRole");
        if (roleName == null) {
            throw new IllegalArgumentException("setRunAsRole needs a role.");
        }
        servlet.runAs(roleName);
    }

    @Override
    public Set<String> setServletSecurity(@Nullable ServletSecurityElement constraint) {
        gate.requireConfigurable("setServletSecurity");
        if (constraint == null) {
            throw new IllegalArgumentException("setServletSecurity needs a constraint.");
        }
        security.put(servlet.name(), constraint);
        Set<String> kept = new LinkedHashSet<>(servlet.urlPatterns());
        kept.retainAll(draft.security().constrainedPatterns());
        return kept; // those of the descriptor stay in force (Javadoc of setServletSecurity)
    }

    static MultipartLimits limits(MultipartConfigElement config) {
        return new MultipartLimits(
                config.getLocation(),
                config.getMaxFileSize(),
                config.getMaxRequestSize(),
                config.getFileSizeThreshold());
    }
}
