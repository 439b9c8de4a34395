package dev.serval.servlet;

import dev.serval.servlet.request.AppScope;
import dev.serval.servlet.request.ServletExchange;
import dev.serval.servlet.request.View;
import java.lang.reflect.Proxy;

/// Stands in for the application of a request, and answers one of its methods. Stateless.
final class StandInApp {
    private StandInApp() {}

    /// Lets a request see its application with another answer of a method.
    @SuppressWarnings("ReferenceEquality") // a stand-in equals only itself
    static void put(ServletExchange exchange, String method, Object answer) {
        View view = exchange.view();
        AppScope app = view.app();
        AppScope other =
                (AppScope)
                        Proxy.newProxyInstance(
                                AppScope.class.getClassLoader(),
                                new Class<?>[] {AppScope.class},
                                (proxy, called, arguments) -> {
                                    if (called.getName().equals(method)) {
                                        return answer;
                                    }
                                    return called.getName().equals("equals")
                                            ? proxy == arguments[0]
                                            : called.invoke(app, arguments);
                                });
        exchange.view(
                new View(
                        other,
                        view.type(),
                        view.requestUri(),
                        view.servletPath(),
                        view.pathInfo(),
                        view.mapping(),
                        view.query(),
                        view.servlet(),
                        view.special(),
                        view.byClient()));
    }
}
