package dev.serval.servlet.registration;

/// Holds the state of an application and refuses configuration after the start (Servlet 6.1 §4.4).
/// The thread that starts and stops the application writes it; any thread reads it.
public final class ContextGate {
    private volatile ContextState state = ContextState.STARTING;

    public ContextState state() {
        return state;
    }

    /// Moves to a later state.
    ///
    /// @throws IllegalStateException if the picture of [ContextState] has no such step
    public void moveTo(ContextState next) {
        boolean allowed =
                switch (next) {
                    case STARTING -> false;
                    case NOTIFYING -> state == ContextState.STARTING;
                    case RUNNING -> state == ContextState.NOTIFYING;
                    case STOPPED -> true;
                };
        if (!allowed) {
            throw new IllegalStateException("The context is " + state + ", not before " + next);
        }
        state = next;
    }

    /// Refuses a call of an application that configures something too late.
    ///
    /// @throws IllegalStateException after the start
    public void requireConfigurable(String method) {
        if (!state.isConfigurable()) {
            throw new IllegalStateException(
                    method
                            + " was called when the application had started. Call it from a"
                            + " ServletContainerInitializer or a ServletContextListener.");
        }
    }
}
