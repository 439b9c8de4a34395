package dev.serval.soak.war;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.Consumer;

/// Answers asynchronously, at `/async/WAY/SEED` (Servlet 6.1 §2.3.3.3).
@WebServlet(urlPatterns = "/async/*", asyncSupported = true)
public final class AsyncServlet extends HttpServlet {
    private static final long serialVersionUID = 1;
    private static final int TIMEOUT_MILLIS = 20;
    private static final int LONG_MILLIS = 60_000;

    /// Calls code of the application when the time is over.
    private record OnTimeout(Consumer<AsyncContext> code) implements AsyncListener {
        @Override
        public void onTimeout(AsyncEvent event) {
            code.accept(event.getAsyncContext());
        }

        @Override
        public void onComplete(AsyncEvent event) {}

        @Override
        public void onError(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        long seed = Asked.seed(request);
        String page = "/page/" + seed;
        AsyncContext context = Watch.start(request);
        context.setTimeout(LONG_MILLIS);
        switch (Asked.way(request)) {
            case "complete" -> answer(context, seed);
            case "start" -> context.start(() -> answer(context, seed));
            case "thread" -> later(seed, () -> answer(context, seed));
            case "dispatch" -> context.dispatch(page);
            case "later" -> later(seed, () -> context.dispatch(page));
            case "twice" -> context.dispatch("/async/later/" + seed);
            case "race" -> race(context, seed);
            case "fail" -> context.dispatch("/fail/exception/" + seed);
            case "timeout" -> timeout(context, it -> answer(it, seed));
            case "timeout-dispatch" -> timeout(context, it -> it.dispatch(page));
            case "timeout-error" -> context.setTimeout(TIMEOUT_MILLIS);
            case "hold" -> context.setTimeout(0); // until the client goes
            default -> throw new IllegalArgumentException(request.getRequestURI());
        }
    }

    /// Answers, unless the client has gone.
    private static void answer(AsyncContext context, long seed) {
        write(context, seed);
        Watch.complete(context);
    }

    private static void write(AsyncContext context, long seed) {
        try {
            context.getResponse().getOutputStream().write(Pattern.page(seed));
        } catch (IOException | IllegalStateException e) {
            // The client has gone.
            return;
        }
    }

    /// Runs code on a thread of the application, after a moment. If the client has gone meanwhile,
    /// the calls of the context fail.
    private static void later(long seed, Runnable code) {
        Thread.startVirtualThread(() -> {
            try {
                Thread.sleep(seed % 10);
                code.run();
            } catch (InterruptedException | IllegalStateException e) {
                // The request has ended.
                return;
            }
        });
    }

    /// Two threads complete the same request, or the time is over first.
    private static void race(AsyncContext context, long seed) {
        context.setTimeout(1 + seed % 10);
        context.addListener(new OnTimeout(Watch::complete));
        write(context, seed);
        later(seed, () -> Watch.complete(context));
        later(seed, () -> Watch.complete(context));
    }

    private static void timeout(AsyncContext context, Consumer<AsyncContext> code) {
        context.setTimeout(TIMEOUT_MILLIS);
        context.addListener(new OnTimeout(code));
    }
}
