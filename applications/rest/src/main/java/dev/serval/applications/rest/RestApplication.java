package dev.serval.applications.rest;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import java.util.Set;

/// The application, below the path `/api`.
@ApplicationPath("/api")
public final class RestApplication extends Application {
    /// Creates the application. Jersey calls it.
    public RestApplication() {}

    @Override
    public Set<Class<?>> getClasses() {
        return Set.of(ItemResource.class);
    }
}
