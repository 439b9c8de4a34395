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
        ServletRequest one = request;
        while (one instanceof ServletRequestWrapper wrapper) {
            one = wrapper.getRequest();
        }
        if (one instanceof AppRequest own) {
            return own.exchange();
        }
        throw new IllegalArgumentException(
                "The request is neither the one that the container passed nor a"
                        + " ServletRequestWrapper of it (Servlet 6.1 §9.2), but "
                        + one.getClass().getName());
    }

    /// Returns the fields that the client sent; null if no request of the container is below.
    public static @Nullable Fields fields(ServletRequest request) {
        ServletRequest one = request;
        while (one instanceof ServletRequestWrapper wrapper) {
            one = wrapper.getRequest();
        }
        return one instanceof AppRequest own ? own.exchange().engine().request().fields() : null;
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
