package dev.serval.jsp;

import jakarta.servlet.Servlet;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.jasper.servlet.JspServletWrapper;
import org.jspecify.annotations.Nullable;

/// One page: compiled once, by the first request, while others wait; in development compiled again
/// when a file has changed. Any thread.
///
/// In production a fault of the compilation is kept for a while, so that a flood of requests for a
/// wrong page does not keep the processors busy. It is kept only briefly if the machine may be the
/// cause, such as a full disk. It is never kept for good, because the compiler calls classes missing
/// that it could not open for lack of descriptors.
///
/// The permit for compiling is taken before the lock of the page, and Jasper compiles tag files
/// within the page that uses them, so no thread waits for a permit with a lock that the holder of
/// one needs.
final class Page {
    private static final long WAIT_SECONDS = 60;
    private static final long OF_PAGE_NANOS = 60_000_000_000L;
    private static final long OF_MACHINE_NANOS = 5_000_000_000L;

    private final JspServletWrapper wrapper;
    private final boolean development;
    private final Compilations compilations;
    private volatile boolean ready;
    private volatile @Nullable Kept kept; // in production

    /// A fault of the compilation.
    ///
    /// @param endNanos when the page may be compiled again
    private record Kept(ServletException fault, long endNanos) {}

    Page(JspServletWrapper wrapper, boolean development, Compilations compilations) {
        this.wrapper = wrapper;
        this.development = development;
        this.compilations = compilations;
    }

    /// Returns whether the page is the one that Jasper has for its path.
    ///
    /// @param present null if Jasper has none
    boolean isOf(@Nullable JspServletWrapper present) {
        return wrapper.equals(present);
    }

    /// Returns whether the page is compiled and need not be checked.
    boolean isReady() {
        return ready;
    }

    /// Compiles the page if it is new or has changed, when other pages let it.
    ///
    /// @return false if too many other pages were being compiled for a minute
    /// @throws ServletException if the page cannot be compiled; later calls throw the same for a
    ///     while in production
    boolean compileInTurn() throws ServletException, IOException {
        checkFault();
        try {
            if (!compilations.permits().tryAcquire(WAIT_SECONDS, TimeUnit.SECONDS)) {
                return false;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServletException("The request was ended before its page was compiled", e);
        }
        try {
            compile();
            return true;
        } finally {
            compilations.permits().release();
        }
    }

    /// Compiles the page if it is new or has changed.
    ///
    /// @throws ServletException if the page is wrong
    void compile() throws ServletException, IOException {
        synchronized (wrapper) {
            if (ready) {
                return;
            }
            checkFault(); // another request may have found one meanwhile
            wrapper.setLastModificationTest(-1); // a failure before counts as a check to Jasper
            try {
                wrapper.getJspEngineContext().compile();
                ready = !development;
                kept = null;
            } catch (ServletException e) {
                if (!development) {
                    long nanos = PageFaults.isOfPage(e) ? OF_PAGE_NANOS : OF_MACHINE_NANOS;
                    kept = new Kept(e, compilations.clock().getAsLong() + nanos);
                }
                throw e;
            }
        }
    }

    /// Loads the compiled page, and calls its `jspInit` unless that was done.
    ///
    /// @throws ServletException if it fails
    void begin() throws ServletException, IOException {
        Servlet _ = wrapper.getServlet();
    }

    private void checkFault() throws ServletException {
        @Nullable Kept known = kept;
        if (known != null && compilations.clock().getAsLong() - known.endNanos < 0) {
            throw new ServletException(known.fault.getMessage(), known.fault);
        }
    }

    /// Runs the page.
    ///
    /// @param only whether to compile it only
    void service(HttpServletRequest request, HttpServletResponse response, boolean only)
            throws ServletException, IOException {
        wrapper.service(request, response, only);
    }
}
