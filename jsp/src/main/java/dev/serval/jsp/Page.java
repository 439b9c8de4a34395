package dev.serval.jsp;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.jasper.servlet.JspServletWrapper;
import org.jspecify.annotations.Nullable;

/// One page: compiled once, by the first request, while others wait; in development compiled again
/// when a file has changed. Any thread.
///
/// The permit for compiling is taken before the lock of the page, and Jasper compiles tag files
/// within the page that uses them, so no thread waits for a permit with a lock that the holder of
/// one needs.
final class Page {
    private static final long WAIT_SECONDS = 60;

    private final JspServletWrapper wrapper;
    private final boolean development;
    private volatile boolean ready;
    private volatile @Nullable ServletException fault; // of the compilation; kept in production

    Page(JspServletWrapper wrapper, boolean development) {
        this.wrapper = wrapper;
        this.development = development;
    }

    /// Returns whether the page is compiled and need not be checked.
    boolean isReady() {
        return ready;
    }

    /// Compiles the page if it is new or has changed.
    ///
    /// @return false if too many other pages were being compiled for a minute
    /// @throws ServletException if the page is wrong; later calls throw the same in production
    boolean compile(Semaphore permits) throws ServletException, IOException {
        @Nullable ServletException known = fault;
        if (known != null) {
            throw new ServletException(known.getMessage(), known);
        }
        try {
            if (!permits.tryAcquire(WAIT_SECONDS, TimeUnit.SECONDS)) {
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
            permits.release();
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
            try {
                wrapper.getJspEngineContext().compile();
                ready = !development;
            } catch (ServletException e) {
                fault = development ? null : e;
                throw e;
            }
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
