package dev.serval.servlet.registration;

import dev.serval.servlet.descriptor.AppDraft;
import dev.serval.servlet.descriptor.Component;
import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.ListenerDescription;
import dev.serval.servlet.descriptor.Origin;
import dev.serval.servlet.inject.ComponentFactory;
import java.util.EventListener;
import org.jspecify.annotations.Nullable;

/// Registers listeners by code (Servlet 6.1 §4.4.3). Owned by the thread that starts the
/// application.
public final class ListenerRegistrations {
    private static final String METHOD = "addListener";

    private final AppDraft draft;
    private final ContextGate gate;
    private final Listeners listeners;
    private final ComponentFactory components;

    public ListenerRegistrations(
            AppDraft draft, ContextGate gate, Listeners listeners, ComponentFactory components) {
        this.draft = draft;
        this.gate = gate;
        this.listeners = listeners;
        this.components = components;
    }

    /// Creates the listener of a class and adds it.
    ///
    /// @throws IllegalArgumentException if it is no listener that code may add now, or cannot be
    ///     created
    public void add(Component code) {
        gate.requireConfigurable(METHOD);
        Origin origin = Origin.code("addListener(" + code.text() + ")");
        try {
            Class<? extends EventListener> type =
                    components.load(code, EventListener.class, origin);
            check(type);
            add(components.create(type, origin), origin, true);
        } catch (DescriptorException wrong) {
            throw new IllegalArgumentException(wrong.getMessage(), wrong);
        }
    }

    /// Adds a listener that exists.
    ///
    /// @param created whether the server created it
    /// @throws IllegalArgumentException if it is no listener that code may add now
    public void add(@Nullable EventListener listener, boolean created) {
        gate.requireConfigurable(METHOD);
        if (listener == null) {
            throw new IllegalArgumentException("addListener needs a listener.");
        }
        check(listener.getClass());
        Origin origin = Origin.code("addListener(" + listener.getClass().getName() + ")");
        add(listener, origin, created);
    }

    private void add(EventListener listener, Origin origin, boolean created) {
        draft.listeners().add(new ListenerDescription(new Component.Instance(listener), origin));
        listeners.add(listener, origin, created);
    }

    private void check(Class<?> type) {
        if (!ListenerKinds.isListener(type)) {
            throw new IllegalArgumentException(
                    type.getName()
                            + " implements no listener interface of the context, requests or"
                            + " sessions. Add another class.");
        }
        if (ListenerKinds.isContextListener(type) && gate.state() != ContextState.STARTING) {
            throw new IllegalArgumentException(
                    type.getName()
                            + " is a ServletContextListener, and these are running already. Add it"
                            + " from a ServletContainerInitializer.");
        }
    }
}
