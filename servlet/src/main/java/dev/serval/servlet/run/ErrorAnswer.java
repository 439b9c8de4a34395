package dev.serval.servlet.run;

import dev.serval.http.Fields;
import dev.serval.http.Status;
import dev.serval.servlet.dispatch.AppRoutes;
import dev.serval.servlet.dispatch.ErrorPageTable;
import dev.serval.servlet.dispatch.PathDispatcher;
import dev.serval.servlet.request.AppRequest;
import dev.serval.servlet.request.AppResponse;
import dev.serval.servlet.request.ServletExchange;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Answers a request with an error page: that of the application (Servlet 6.1 §10.9), that of
/// development, or the engine's. Created only when needed. Owned by the container thread.
final class ErrorAnswer {
    private final RequestRun run;
    private final AppRoutes app;
    private final ServletExchange exchange;
    private final boolean showsFaults;

    ErrorAnswer(RequestRun run, AppRoutes app, ServletExchange exchange, boolean showsFaults) {
        this.run = run;
        this.app = app;
        this.exchange = exchange;
        this.showsFaults = showsFaults;
    }

    /// Makes the page for what the application threw.
    void thrown(Throwable thrown) throws ServletException, IOException {
        exchange.takeBack();
        AppResponse response = exchange.response();
        ErrorPageTable.Found found = app.errorPages().page(thrown);
        Throwable shown = found.shown();
        response.resetBuffer();
        response.beginErrorPage(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
        AppRequest request = exchange.request();
        request.setAttribute(RequestDispatcher.ERROR_EXCEPTION, shown);
        request.setAttribute(RequestDispatcher.ERROR_EXCEPTION_TYPE, shown.getClass());
        if (found.location() == null && showsFaults) {
            devPage(thrown);
            return;
        }
        @Nullable String message = shown.getMessage();
        // Only the application's own page may show the message of an exception.
        page(
                found.location(),
                HttpServletResponse.SC_INTERNAL_SERVER_ERROR,
                message == null || found.location() == null ? "" : message);
    }

    private void devPage(Throwable thrown) throws IOException {
        AppResponse response = exchange.response();
        response.keepFieldsForPage();
        response.setContentType("text/html;charset=utf-8");
        DevPage.write(run.name(), thrown, app.context().getClassLoader(), response.getWriter());
    }

    /// Makes the page for `sendError`.
    void refused() {
        exchange.takeBack();
        AppResponse response = exchange.response();
        int code = response.getStatus();
        @Nullable String message = response.errorMessage();
        response.beginErrorPage(code);
        try {
            page(app.errorPages().page(code), code, message == null ? "" : message);
        } catch (Throwable e) {
            run.log("The page for the status " + code + " failed", e);
            plainPage(code, "");
        }
    }

    private void page(@Nullable String location, int code, String message)
            throws ServletException, IOException {
        @Nullable PathDispatcher page = location == null ? null : app.dispatcher(location);
        if (page == null) {
            plainPage(code, message);
            return;
        }
        AppRequest request = exchange.request();
        request.setAttribute(RequestDispatcher.ERROR_STATUS_CODE, code);
        request.setAttribute(RequestDispatcher.ERROR_MESSAGE, message);
        request.setAttribute(RequestDispatcher.ERROR_REQUEST_URI, run.dispatched().requestUri());
        request.setAttribute(
                RequestDispatcher.ERROR_SERVLET_NAME, run.dispatched().servlet().name());
        request.setAttribute(RequestDispatcher.ERROR_METHOD, request.getMethod());
        @Nullable String query = run.dispatched().query();
        if (query != null) {
            request.setAttribute(RequestDispatcher.ERROR_QUERY_STRING, query);
        }
        exchange.beginErrorPage();
        page.error(exchange, request, exchange.response());
        if (exchange.response().isRefused()) {
            plainPage(exchange.response().getStatus(), "");
        }
    }

    /// Lets the engine make the page.
    private void plainPage(int code, String message) {
        AppResponse response = exchange.response();
        response.beginErrorPage(code);
        Fields fields = response.fieldsForPage();
        Status status = Status.of(code);
        if (!status.error()) {
            return; // sendError(200) has no page
        }
        exchange.handOn(y -> y.refuse(status, fields, message));
    }
}
