package dev.serval.servlet.dispatch;

import dev.serval.servlet.descriptor.ErrorPage;
import jakarta.servlet.ServletException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The error pages of an application (Servlet 6.1 §10.9.2). Immutable.
public final class ErrorPageTable {
    private static final int CAUSES_MAX = 16;

    private final Map<Integer, String> byCode = new HashMap<>();
    private final Map<String, String> byException = new HashMap<>();
    private final @Nullable String fallback;

    ErrorPageTable(List<ErrorPage> pages) {
        @Nullable String last = null;
        for (ErrorPage page : pages) {
            @Nullable String exception = page.exceptionType();
            if (exception != null) {
                byException.put(exception, page.location());
            } else if (page.code() != 0) {
                byCode.put(page.code(), page.location());
            } else {
                last = page.location();
            }
        }
        fallback = last;
    }

    /// Returns the page of a status; null if there is none.
    public @Nullable String page(int code) {
        @Nullable String page = byCode.get(code);
        return page == null ? fallback : page;
    }

    /// The answer to an exception.
    ///
    /// @param location the page; null if there is none
    /// @param shown the exception that the page shows
    public record Found(@Nullable String location, Throwable shown) {}

    /// Finds the page of an exception by the nearest of its classes, then by that of the cause of a
    /// ServletException, then by the status 500.
    public Found page(Throwable thrown) {
        Throwable one = thrown;
        for (int i = 0; i < CAUSES_MAX; i++) {
            @Nullable String page = ofClass(one.getClass());
            if (page != null) {
                return new Found(page, one);
            }
            if (!(one instanceof ServletException servlet) || servlet.getRootCause() == null) {
                break;
            }
            one = servlet.getRootCause();
        }
        return new Found(page(500), one);
    }

    private @Nullable String ofClass(Class<?> type) {
        @Nullable Class<?> one = type;
        while (one != null) {
            @Nullable String page = byException.get(one.getName());
            if (page != null) {
                return page;
            }
            one = one.getSuperclass();
        }
        return null;
    }
}
