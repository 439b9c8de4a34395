package dev.serval.jsp.expression;

import jakarta.el.BeanELResolver;
import jakarta.el.ELContext;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.jsp.ErrorData;
import jakarta.servlet.jsp.PageContext;
import org.jspecify.annotations.Nullable;

/// Reads the properties of a page's context. Its `errorData` has no status if the page is not shown
/// for an error, such as one that code forwards to. The getter of the API throws then. Any thread.
final class PageProperties extends BeanELResolver {
    @Override
    public @Nullable Object getValue(
            ELContext el, @Nullable Object base, @Nullable Object property) {
        if (!(base instanceof PageContext page)
                || !"errorData".equals(property)
                || page.getRequest().getAttribute(RequestDispatcher.ERROR_STATUS_CODE) != null) {
            return super.getValue(el, base, property);
        }
        el.setPropertyResolved(base, property);
        ServletRequest request = page.getRequest();
        @Nullable Throwable thrown =
                request.getAttribute(RequestDispatcher.ERROR_EXCEPTION) instanceof Throwable found
                        ? found
                        : null;
        return new ErrorData(
                thrown,
                0,
                text(request, RequestDispatcher.ERROR_METHOD),
                text(request, RequestDispatcher.ERROR_REQUEST_URI),
                text(request, RequestDispatcher.ERROR_SERVLET_NAME),
                text(request, RequestDispatcher.ERROR_QUERY_STRING));
    }

    private static @Nullable String text(ServletRequest request, String name) {
        return request.getAttribute(name) instanceof String text ? text : null;
    }
}
