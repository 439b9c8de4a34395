package dev.serval.servlet.dispatch;

import dev.serval.servlet.context.FilterSlot;
import dev.serval.servlet.context.ServletSlot;
import dev.serval.servlet.request.AppResponse;
import dev.serval.servlet.request.ServletExchange;
import dev.serval.servlet.request.View;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Runs a forward, which answers the request in place of the servlet that called it (Servlet 6.1
/// §9.4).
///
/// @param exchange the exchange
/// @param request as the application passed it
/// @param response as the application passed it
record Forward(ServletExchange exchange, ServletRequest request, ServletResponse response) {
    void to(AppRoutes app, View view, ServletSlot slot) throws ServletException, IOException {
        run(view, slot, app.chain(DispatcherType.FORWARD, view.path(), slot));
    }

    void toNamed(AppRoutes app, View view, ServletSlot slot) throws ServletException, IOException {
        run(view, slot, app.chain(DispatcherType.FORWARD, null, slot));
    }

    private void run(View view, ServletSlot slot, List<FilterSlot> filters)
            throws ServletException, IOException {
        if (response.isCommitted()) {
            throw new IllegalStateException(
                    "The response is committed, so the request cannot be forwarded to "
                            + view.requestUri());
        }
        response.resetBuffer();
        View before = exchange.view();
        exchange.enter(view.app());
        @Nullable ClassLoader loader = Loaders.enter(view.app());
        exchange.view(view);
        try {
            FilterWalk.call(exchange, filters, slot, request, response);
            if (!exchange.isAsyncStarted()) {
                close();
            }
        } finally {
            exchange.view(before);
            Loaders.leave(loader);
        }
    }

    /// Sends and closes the response, through the objects of the application if it wrapped it.
    private void close() throws IOException {
        AppResponse own = exchange.response();
        if (response.equals(own)) {
            own.close();
            return;
        }
        if (own.isRefused()) {
            return;
        }
        try {
            response.getWriter().close();
        } catch (IllegalStateException e) { // the servlet used the stream
            response.getOutputStream().close();
        }
    }
}
