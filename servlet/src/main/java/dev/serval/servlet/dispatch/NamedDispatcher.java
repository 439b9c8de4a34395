package dev.serval.servlet.dispatch;

import dev.serval.servlet.context.ServletSlot;
import dev.serval.servlet.request.ServletExchange;
import dev.serval.servlet.request.View;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.concurrent.ConcurrentHashMap;

/// Dispatches to a servlet by its name. Paths and attributes of the request stay (Servlet 6.1
/// §9.3.1, §9.4.2), so a path that the client sent is still the client's. Immutable.
///
/// @param app the application
/// @param slot the servlet
record NamedDispatcher(AppRoutes app, ServletSlot slot) implements RequestDispatcher {
    @Override
    public void forward(ServletRequest request, ServletResponse response)
            throws ServletException, IOException {
        ServletExchange exchange = Unwrapped.exchange(request);
        new Forward(exchange, request, response)
                .toNamed(app, view(exchange, DispatcherType.FORWARD), slot);
    }

    @Override
    public void include(ServletRequest request, ServletResponse response)
            throws ServletException, IOException {
        ServletExchange exchange = Unwrapped.exchange(request);
        Include.run(
                exchange,
                view(exchange, DispatcherType.INCLUDE),
                () ->
                        FilterWalk.call(
                                exchange,
                                app.chain(DispatcherType.INCLUDE, null, slot),
                                slot,
                                request,
                                response));
    }

    private View view(ServletExchange exchange, DispatcherType type) {
        View before = exchange.view();
        return new View(
                app.scope(),
                type,
                before.requestUri(),
                before.servletPath(),
                before.pathInfo(),
                before.mapping(),
                before.query(),
                slot.description(),
                new ConcurrentHashMap<>(before.special()),
                before.byClient());
    }
}
