package dev.serval.servlet.app;

import dev.serval.servlet.context.Dispatchers;
import dev.serval.servlet.dispatch.AppRoutes;
import dev.serval.servlet.map.NormalPath;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The dispatchers of an application, also while it starts: its initializers, listeners and `init`
/// methods may ask for dispatchers that requests use later. Such a dispatcher looks for its target
/// when it is used. Any thread, but the application declares servlets on one.
final class LateDispatchers implements Dispatchers {
    private final Predicate<String> declared;
    private volatile @Nullable AppRoutes routes; // null until the application has started

    /// Creates the dispatchers of an application that starts.
    ///
    /// @param declared whether the application has declared a servlet of that name so far
    LateDispatchers(Predicate<String> declared) {
        this.declared = declared;
    }

    /// Records that the application has started.
    void started(AppRoutes found) {
        routes = found;
    }

    @Override
    public @Nullable RequestDispatcher forPath(String path) {
        @Nullable AppRoutes present = routes;
        if (present != null) {
            return present.forPath(path);
        }
        int question = path.indexOf('?');
        String raw = question < 0 ? path : path.substring(0, question);
        return NormalPath.normal(raw) == null ? null : new Late(path, found -> found.forPath(path));
    }

    @Override
    public @Nullable RequestDispatcher named(String servlet) {
        @Nullable AppRoutes present = routes;
        if (present != null) {
            return present.named(servlet);
        }
        return declared.test(servlet) ? new Late(servlet, found -> found.named(servlet)) : null;
    }

    /// A dispatcher that was asked for while the application started.
    private final class Late implements RequestDispatcher {
        private final String name;
        private final Function<AppRoutes, @Nullable RequestDispatcher> look;

        Late(String name, Function<AppRoutes, @Nullable RequestDispatcher> look) {
            this.name = name;
            this.look = look;
        }

        @Override
        public void forward(ServletRequest request, ServletResponse response)
                throws ServletException, IOException {
            target().forward(request, response);
        }

        @Override
        public void include(ServletRequest request, ServletResponse response)
                throws ServletException, IOException {
            target().include(request, response);
        }

        private RequestDispatcher target() {
            @Nullable AppRoutes present = routes;
            @Nullable RequestDispatcher found = present == null ? null : look.apply(present);
            if (found == null) {
                throw new IllegalStateException(
                        "The application has not started, so no request can be dispatched to "
                                + name);
            }
            return found;
        }
    }
}
