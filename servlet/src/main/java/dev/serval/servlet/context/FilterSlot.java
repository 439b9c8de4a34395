package dev.serval.servlet.context;

import static java.lang.System.Logger.Level.ERROR;

import dev.serval.servlet.descriptor.Component;
import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.FilterDescription;
import dev.serval.servlet.inject.ComponentFactory;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletContext;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Holds one filter from the start of its application to the stop (Servlet 6.1 §6.2.1). The thread
/// that starts and stops the application changes it; any thread reads the filter in between.
public final class FilterSlot {
    private final FilterDescription description;
    private final AppContext context;
    private final ComponentFactory components;
    private volatile @Nullable Filter filter;

    FilterSlot(FilterDescription description, AppContext context, ComponentFactory components) {
        this.description = description;
        this.context = context;
        this.components = components;
    }

    /// Returns the filter's declaration.
    public FilterDescription description() {
        return description;
    }

    /// Returns the initialised filter.
    ///
    /// @throws IllegalStateException before the start and after the stop
    public Filter filter() {
        @Nullable Filter ready = filter;
        if (ready == null) {
            throw new IllegalStateException("The application of " + text() + " is not running.");
        }
        return ready;
    }

    /// Creates and initialises the filter.
    ///
    /// @throws DescriptorException if either fails
    void start() throws DescriptorException {
        Filter created =
                components.create(description.component(), Filter.class, description.origin());
        try {
            created.init(new Settings(description.name(), description.initParams(), context));
        } catch (Throwable thrown) {
            release(created);
            throw new DescriptorException(
                    description.origin(),
                    text() + " failed in init: " + thrown + ". Correct it or its surroundings.",
                    thrown);
        }
        filter = created;
    }

    /// Destroys the filter, once. No request uses it any more.
    void destroy() {
        @Nullable Filter last = filter;
        filter = null;
        if (last == null) {
            return;
        }
        try {
            last.destroy();
        } catch (Throwable thrown) {
            context.logger().log(ERROR, text() + " failed in destroy: " + thrown, thrown);
        }
        release(last);
    }

    private void release(Filter last) {
        if (!(description.component() instanceof Component.Instance) || context.hasCreated(last)) {
            components.destroy(last);
        }
    }

    private String text() {
        return "The filter \"" + description.name() + "\" (" + description.component().text() + ")";
    }

    /// The configuration that a filter gets at `init`. Immutable. No record, because EL would read its
    /// components instead of its properties.
    private static final class Settings implements FilterConfig {
        private final String name;
        private final Map<String, String> params;
        private final ServletContext context;

        Settings(String name, Map<String, String> params, ServletContext context) {
            this.name = name;
            this.params = params;
            this.context = context;
        }

        @Override
        public String getFilterName() {
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
}
