package dev.serval.servlet.session;

import jakarta.servlet.http.HttpSession;

/// Ignores all events but those that a test overrides.
public abstract class SilentEvents implements SessionEvents {
    @Override
    public void created(HttpSession session) {}

    @Override
    public void destroyed(HttpSession session) {}

    @Override
    public void idChanged(HttpSession session, String oldId) {}

    @Override
    public void attributeAdded(HttpSession session, String name, Object value) {}

    @Override
    public void attributeReplaced(HttpSession session, String name, Object oldValue) {}

    @Override
    public void attributeRemoved(HttpSession session, String name, Object oldValue) {}
}
