package dev.serval.servlet.async;

import java.io.IOException;

/// A call of a listener.
@FunctionalInterface
public interface Notice {
    /// Calls the listener.
    void tell() throws IOException;
}
