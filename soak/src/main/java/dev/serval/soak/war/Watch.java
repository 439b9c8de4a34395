package dev.serval.soak.war;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.annotation.WebListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;
import java.util.concurrent.atomic.AtomicInteger;

/// Counts what has begun and not ended: requests, asynchronous processing and sessions. After a load
/// all are 0. Any thread.
@WebListener
public final class Watch implements ServletRequestListener, HttpSessionListener, AsyncListener {
    private static final AtomicInteger REQUESTS = new AtomicInteger();
    private static final AtomicInteger CYCLES = new AtomicInteger();
    private static final AtomicInteger SESSIONS = new AtomicInteger();

    /// Starts asynchronous processing that is counted.
    static AsyncContext start(HttpServletRequest request) {
        AsyncContext context = request.startAsync();
        context.addListener(new Watch());
        CYCLES.incrementAndGet();
        return context;
    }

    /// Completes, unless another thread has done so or the request has ended.
    static void complete(AsyncContext context) {
        try {
            context.complete();
        } catch (IllegalStateException e) {
            // Another thread was first.
            return;
        }
    }

    /// Returns the counts without the request that asks.
    static String counts() {
        return "requests %d async %d sessions %d"
                .formatted(REQUESTS.get() - 1, CYCLES.get(), SESSIONS.get());
    }

    @Override
    public void requestInitialized(ServletRequestEvent event) {
        REQUESTS.incrementAndGet();
    }

    @Override
    public void requestDestroyed(ServletRequestEvent event) {
        REQUESTS.decrementAndGet();
    }

    @Override
    public void sessionCreated(HttpSessionEvent event) {
        SESSIONS.incrementAndGet();
    }

    @Override
    public void sessionDestroyed(HttpSessionEvent event) {
        SESSIONS.decrementAndGet();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        // The new cycle has its own listener, and this one is not called again.
        CYCLES.decrementAndGet();
    }

    @Override
    public void onComplete(AsyncEvent event) {
        CYCLES.decrementAndGet();
    }

    @Override
    public void onTimeout(AsyncEvent event) {}

    @Override
    public void onError(AsyncEvent event) {}
}
