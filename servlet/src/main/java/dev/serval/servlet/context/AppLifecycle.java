package dev.serval.servlet.context;

import static java.lang.System.Logger.Level.ERROR;

import dev.serval.servlet.descriptor.AppDescription;
import dev.serval.servlet.descriptor.AppDraft;
import dev.serval.servlet.descriptor.Component;
import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.FilterDescription;
import dev.serval.servlet.descriptor.ListenerDescription;
import dev.serval.servlet.descriptor.Origin;
import dev.serval.servlet.descriptor.ServletDescription;
import dev.serval.servlet.inject.ComponentFactory;
import dev.serval.servlet.registration.ContextState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Starts and stops the components of one application. The order of the start is initializers,
/// listeners, filters, servlets; the stop reverses it (Servlet 6.1 §8.2.4, §11.3.4).
///
/// One thread at a time calls [#start] and [#stop]; application code runs on it, with the context
/// class loader of the application.
public final class AppLifecycle {
    private final AppContext context;
    private final AppDraft draft;
    private final ComponentFactory components;
    private final LongSupplier nanoClock;
    private final Map<String, ServletSlot> servlets = new LinkedHashMap<>();
    private final Map<String, FilterSlot> filters = new LinkedHashMap<>();

    /// Creates the lifecycle of an application that has not started.
    ///
    /// @param draft the draft that the context has
    /// @param nanoClock the time, as System#nanoTime
    public AppLifecycle(
            AppContext context,
            AppDraft draft,
            ComponentFactory components,
            LongSupplier nanoClock) {
        this.context = context;
        this.draft = draft;
        this.components = components;
        this.nanoClock = nanoClock;
    }

    /// Starts the application. A servlet that fails in `init` does not prevent that.
    ///
    /// @return the description of the application, including what code registered
    /// @throws DescriptorException if the application cannot start; its started components are
    ///     stopped
    public AppDescription start(Initializers initializers) throws DescriptorException {
        return start(initializers, List.of());
    }

    /// Starts the application.
    ///
    /// @param libraryListeners classes of listeners that tag libraries declare, which count as added
    ///     by an initializer (Servlet 6.1 §4.4)
    /// @return the description of the application, including what code registered
    /// @throws DescriptorException if the application cannot start; its started components are
    ///     stopped
    public AppDescription start(Initializers initializers, List<String> libraryListeners)
            throws DescriptorException {
        Thread thread = Thread.currentThread();
        @Nullable ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(context.getClassLoader());
        boolean started = false;
        try {
            AppDescription description = begin(initializers, libraryListeners);
            createServlets();
            started = true;
            return description;
        } finally {
            if (!started) {
                stop(() -> {});
            }
            thread.setContextClassLoader(before);
        }
    }

    /// Runs initializers, listeners and filters. Logs the stack trace of code that fails, because the
    /// message of the exception names what was thrown, but not what has caused it.
    private AppDescription begin(Initializers initializers, List<String> libraryListeners)
            throws DescriptorException {
        List<ListenerDescription> declared = List.copyOf(draft.listeners());
        try {
            addListeners(libraryListeners);
            initializers.run(context);
            context.listeners().create(declared, components);
            context.moveTo(ContextState.NOTIFYING);
            context.listeners().contextInitialized();
            AppDescription description = draft.freeze();
            fill(description);
            context.moveTo(ContextState.RUNNING);
            for (FilterSlot filter : filters.values()) {
                filter.start();
            }
            return description;
        } catch (DescriptorException e) {
            @Nullable Throwable cause = e.getCause();
            if (cause != null) {
                context.logger()
                        .log(ERROR, "The application cannot start. " + e.getMessage(), cause);
            }
            throw e;
        }
    }

    private void addListeners(List<String> libraryListeners) throws DescriptorException {
        for (String listener : libraryListeners) {
            try {
                context.addListener(listener);
            } catch (IllegalArgumentException e) {
                throw new DescriptorException(
                        Origin.code("a tag library"),
                        "Its listener cannot be used: " + e.getMessage(),
                        e);
            }
        }
    }

    /// Stops the application. Further calls have no effect. The caller has refused new requests and
    /// waited for the running ones. Exceptions of application code are logged.
    ///
    /// @param endSessions ends the sessions; session listeners are still notified
    public void stop(Runnable endSessions) {
        if (context.state() == ContextState.STOPPED) {
            return;
        }
        Thread thread = Thread.currentThread();
        @Nullable ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(context.getClassLoader());
        try {
            List.copyOf(servlets.values()).reversed().forEach(ServletSlot::destroy);
            List.copyOf(filters.values()).reversed().forEach(FilterSlot::destroy);
            end(endSessions);
            context.listeners().contextDestroyed(context.logger());
            context.listeners().destroy(components);
        } finally {
            context.moveTo(ContextState.STOPPED);
            thread.setContextClassLoader(before);
        }
    }

    /// Returns the servlet of that name; null if there is none.
    public @Nullable ServletSlot servlet(String name) {
        return servlets.get(name);
    }

    /// Returns all servlets in the order of declaration.
    public Collection<ServletSlot> servlets() {
        return Collections.unmodifiableCollection(servlets.values());
    }

    /// Returns the filter of that name; null if there is none.
    public @Nullable FilterSlot filter(String name) {
        return filters.get(name);
    }

    private void fill(AppDescription description) throws DescriptorException {
        for (FilterDescription filter : description.filters()) {
            filters.put(filter.name(), new FilterSlot(filter, context, components));
        }
        for (ServletDescription servlet : description.servlets()) {
            ServletSlot slot = new ServletSlot(servlet, context, components, nanoClock);
            slot.check();
            servlets.put(servlet.name(), slot);
        }
    }

    /// Creates the servlets that do not wait for their first request.
    private void createServlets() throws DescriptorException {
        List<ServletSlot> early = new ArrayList<>();
        for (ServletSlot servlet : servlets.values()) {
            if (servlet.description().loadOnStartup() >= 0) {
                early.add(servlet);
            }
        }
        early.sort(Comparator.comparingInt(slot -> slot.description().loadOnStartup()));
        for (ServletSlot servlet : early) {
            createEarly(servlet);
        }
    }

    /// Creates a servlet at the start. A wrong class prevents the start; a failing `init` does not,
    /// and neither does a JSP file, which fails only its own requests.
    private static void createEarly(ServletSlot servlet) throws DescriptorException {
        boolean jsp = servlet.description().component() instanceof Component.JspFile;
        if (servlet.obtain() instanceof Availability.Failed(Throwable cause)
                && cause instanceof DescriptorException wrong
                && !jsp) {
            throw wrong;
        }
    }

    private void end(Runnable endSessions) {
        try {
            endSessions.run();
        } catch (Throwable thrown) {
            context.logger()
                    .log(
                            ERROR,
                            "Serval failed to end the sessions of the application: " + thrown,
                            thrown);
        }
    }
}
