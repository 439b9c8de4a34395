package dev.serval.servlet.dispatch;

import dev.serval.http.Fields;
import dev.serval.servlet.request.AppRequest;
import dev.serval.servlet.request.Dispatches;
import dev.serval.servlet.request.ServletExchange;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import org.jspecify.annotations.Nullable;

/// Finds the container's request below those of the application.
public final class Unwrapped {
    private Unwrapped() {}

    /// Returns the exchange of a request that the application may have wrapped.
    ///
    /// @throws IllegalArgumentException if no request of the container is below
    static ServletExchange exchange(ServletRequest request) {
        @Nullable AppRequest own = own(request);
        if (own == null) {
            throw new IllegalArgumentException(
                    "The request is neither the one that the container passed nor one that passes"
                            + " calls on to it, such as a ServletRequestWrapper (Servlet 6.1 §9.2),"
                            + " but "
                            + request.getClass().getName());
        }
        return own.exchange();
    }

    /// Returns the request of the container below wrappers, and below an object that passes calls on
    /// to it: frameworks inject such proxies. Null if there is none.
    private static @Nullable AppRequest own(ServletRequest request) {
        ServletRequest one = request;
        while (one instanceof ServletRequestWrapper wrapper) {
            one = wrapper.getRequest();
        }
        if (one instanceof AppRequest own) {
            return own;
        }
        return one.getAttribute(Dispatches.REQUEST) instanceof AppRequest own ? own : null;
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

    /// Returns whether nothing has asked for the stream or the writer of the response to a request yet,
    /// below all wrappers; false if no request of the container is below.
    public static boolean isUntouched(ServletRequest request) {
        @Nullable AppRequest own = own(request);
        return own != null && own.exchange().response().isUntouched();
    }
}
