package dev.serval.servlet.dispatch;

import dev.serval.servlet.request.ServletExchange;
import dev.serval.servlet.request.View;
import jakarta.servlet.ServletException;
import java.io.IOException;

/// Runs an include: the included code sees its own view, and cannot change the response's head.
final class Include {
    /// What is included.
    @FunctionalInterface
    interface Included {
        void call() throws ServletException, IOException;
    }

    private Include() {}

    static void run(ServletExchange exchange, View view, Included included)
            throws ServletException, IOException {
        View before = exchange.view();
        exchange.enter(view.app());
        ClassLoader loader = Loaders.enter(view.app());
        exchange.view(view);
        exchange.response().beginInclude();
        try {
            included.call();
        } finally {
            exchange.response().endInclude();
            exchange.view(before);
            Loaders.leave(loader);
        }
    }
}
