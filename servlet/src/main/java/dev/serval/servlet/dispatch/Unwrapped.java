package dev.serval.servlet.dispatch;

import dev.serval.http.Fields;
import dev.serval.servlet.request.AppRequest;
import dev.serval.servlet.request.AppResponse;
import dev.serval.servlet.request.ServletExchange;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import org.jspecify.annotations.Nullable;

/// Finds the container's objects below those of the application.
public final class Unwrapped {
    private Unwrapped() {}

    /// Returns the exchange of a request that the application may have wrapped.
    ///
    /// @throws IllegalArgumentException if no request of the container is below
    static ServletExchange exchange(ServletRequest request) {
        ServletRequest one = innermost(request);
        if (one instanceof AppRequest own) {
            return own.exchange();
        }
        throw new IllegalArgumentException(
                "The request is neither the one that the container passed nor a"
                        + " ServletRequestWrapper of it (Servlet 6.1 §9.2), but "
                        + one.getClass().getName());
    }

    private static ServletRequest innermost(ServletRequest request) {
        ServletRequest one = request;
        while (one instanceof ServletRequestWrapper wrapper) {
            one = wrapper.getRequest();
        }
        return one;
    }

    private static @Nullable AppRequest own(ServletRequest request) {
        return innermost(request) instanceof AppRequest own ? own : null;
    }

    /// Returns the fields that the client sent; null if no request of the container is below.
    public static @Nullable Fields fields(ServletRequest request) {
        @Nullable AppRequest own = own(request);
        return own == null ? null : own.exchange().engine().request().fields();
    }

    /// Returns whether the path of a request is the one that its client sent, and not one that code
    /// of the application chose; true if no request of the container is below.
    public static boolean hasClientPath(ServletRequest request) {
        @Nullable AppRequest own = own(request);
        return own == null || own.exchange().view().byClient();
    }

    /// Returns whether the response to a request is closed or decided; false if no request of the
    /// container is below.
    public static boolean isClosed(ServletRequest request) {
        @Nullable AppRequest own = own(request);
        return own != null && own.exchange().response().isClosed();
    }

    /// Checks that the response is the container's or a wrapper of it.
    static void check(ServletResponse response) {
        ServletResponse one = response;
        while (one instanceof ServletResponseWrapper wrapper) {
            one = wrapper.getResponse();
        }
        if (!(one instanceof AppResponse)) {
            throw new IllegalArgumentException(
                    "The response is neither the one that the container passed nor a"
                            + " ServletResponseWrapper of it (Servlet 6.1 §9.2), but "
                            + one.getClass().getName());
        }
    }
}
