package dev.serval.servlet.request;

import jakarta.servlet.ServletRequest;

/// Receives changes of request attributes for the application's listeners.
public interface AttributeEvents {
    /// Reports a new attribute.
    void added(ServletRequest request, String name, Object value);

    /// Reports an attribute with another value.
    void replaced(ServletRequest request, String name, Object oldValue);

    /// Reports an attribute that is gone.
    void removed(ServletRequest request, String name, Object oldValue);
}
