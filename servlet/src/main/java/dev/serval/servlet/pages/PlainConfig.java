package dev.serval.servlet.pages;

import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletContext;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The configuration of a servlet. Immutable. No record, because EL would read its components instead
/// of its properties.
public final class PlainConfig implements ServletConfig {
    private final String name;
    private final ServletContext context;
    private final Map<String, String> params;

    /// Creates a configuration.
    ///
    /// @param name of the servlet
    /// @param params the init-params
    public PlainConfig(String name, ServletContext context, Map<String, String> params) {
        this.name = name;
        this.context = context;
        this.params = new LinkedHashMap<>(params); // in the order of their declaration
    }

    @Override
    public String getServletName() {
        return name;
    }

    @Override
    public ServletContext getServletContext() {
        return context;
    }

    @Override
    public @Nullable String getInitParameter(String param) {
        return params.get(param);
    }

    @Override
    public Enumeration<String> getInitParameterNames() {
        return Collections.enumeration(params.keySet());
    }
}
