package dev.serval.servlet.dispatch;

import dev.serval.http.Method;
import dev.serval.servlet.context.Availability;
import dev.serval.servlet.context.FilterSlot;
import dev.serval.servlet.context.ServletSlot;
import dev.serval.servlet.request.ServletExchange;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.UnavailableException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;

/// The rest of the filters before a servlet, and the servlet (Servlet 6.1 §6.2.3). Immutable, because
/// a filter may call it again, or later on another thread.
public final class FilterWalk implements FilterChain {
    private final ServletExchange exchange;
    private final List<FilterSlot> filters;
    private final ServletSlot slot;
    private final int next;

    private FilterWalk(
            ServletExchange exchange, List<FilterSlot> filters, ServletSlot slot, int next) {
        this.exchange = exchange;
        this.filters = filters;
        this.slot = slot;
        this.next = next;
    }

    /// Calls the filters and the servlet.
    public static void call(
            ServletExchange exchange,
            List<FilterSlot> filters,
            ServletSlot slot,
            ServletRequest request,
            ServletResponse response)
            throws ServletException, IOException {
        if (filters.isEmpty()) {
            service(exchange, slot, request, response);
            return;
        }
        try {
            new FilterWalk(exchange, filters, slot, 0).doFilter(request, response);
        } catch (UnavailableException e) { // of a filter (Servlet 6.1 §6.2.1)
            refuse(exchange, e, response);
        }
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response)
            throws ServletException, IOException {
        if (next == filters.size()) {
            service(exchange, slot, request, response);
            return;
        }
        FilterSlot filter = filters.get(next);
        boolean before = exchange.isAsyncSupported();
        exchange.called(filter.description().asyncSupported());
        try {
            filter.filter()
                    .doFilter(request, response, new FilterWalk(exchange, filters, slot, next + 1));
        } finally {
            exchange.asyncSupported(before); // the scope of the filter ends (Javadoc of startAsync)
        }
    }

    private static void service(
            ServletExchange exchange,
            ServletSlot slot,
            ServletRequest request,
            ServletResponse response)
            throws ServletException, IOException {
        boolean before = exchange.isAsyncSupported();
        exchange.called(slot.description().asyncSupported());
        try {
            serve(exchange, slot, request, response);
        } finally {
            exchange.asyncSupported(before);
        }
    }

    private static void serve(
            ServletExchange exchange,
            ServletSlot slot,
            ServletRequest request,
            ServletResponse response)
            throws ServletException, IOException {
        Servlet servlet = slot.servlet();
        if (servlet == null) {
            Availability now = slot.obtain();
            if (now instanceof Availability.Failed failed) {
                throw failure(slot, failed.cause());
            }
            if (!(now instanceof Availability.Ready ready)) {
                refuse(exchange, slot, now, response);
                return;
            }
            servlet = ready.servlet();
        }
        // An error page is asked for by GET, and the answer to TRACE may be one.
        if (exchange.engine().request().method() == Method.TRACE && !exchange.isErrorPage()) {
            TraceAnswer.send(servlet, response);
            return;
        }
        try {
            servlet.service(request, response);
        } catch (UnavailableException e) {
            refuse(exchange, slot, slot.unavailable(e), response);
        }
    }

    /// Answers a request that a servlet cannot serve now. An include has no answer of its own, so its
    /// caller must learn of it (Servlet 6.1 §9.5).
    private static void refuse(
            ServletExchange exchange, ServletSlot slot, Availability why, ServletResponse response)
            throws ServletException, IOException {
        if (exchange.view().type() == DispatcherType.INCLUDE) {
            throw new ServletException(
                    "The servlet \""
                            + slot.description().name()
                            + "\" cannot be included, because it is unavailable");
        }
        refuse(why, response);
    }

    private static ServletException failure(ServletSlot slot, Throwable cause) {
        return cause instanceof ServletException servlet
                ? servlet
                : new ServletException(
                        "The servlet \""
                                + slot.description().name()
                                + "\" could not be created: "
                                + cause.getMessage(),
                        cause);
    }

    /// Answers a request that a filter cannot serve now. The filter itself stays in service.
    private static void refuse(
            ServletExchange exchange, UnavailableException thrown, ServletResponse response)
            throws ServletException, IOException {
        if (response.isCommitted()) {
            throw thrown; // the client must see that the response is incomplete
        }
        exchange.view().app().context().log("A filter is unavailable", thrown);
        if (thrown.isPermanent()) {
            refuse(new Availability.Gone(), response);
        } else {
            refuse(new Availability.Later(Math.max(0, thrown.getUnavailableSeconds())), response);
        }
    }

    private static void refuse(Availability why, ServletResponse response) throws IOException {
        if (!(response instanceof HttpServletResponse http) || http.isCommitted()) {
            return;
        }
        if (why instanceof Availability.Later later) {
            if (later.retryAfterSeconds() > 0) { // a filter need not know
                http.setHeader("Retry-After", String.valueOf(later.retryAfterSeconds()));
            }
            http.sendError(
                    HttpServletResponse.SC_SERVICE_UNAVAILABLE,
                    "The application is unavailable for a time.");
        } else {
            http.sendError(HttpServletResponse.SC_NOT_FOUND);
        }
    }
}
