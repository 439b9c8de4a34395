package dev.serval.servlet.async;

import dev.serval.servlet.dispatch.PathDispatcher;
import dev.serval.servlet.request.View;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/// One asynchronous processing of a request, from `startAsync` to `complete` or `dispatch`. Any
/// thread.
public final class AsyncHandle implements AsyncContext {
    private final AsyncCycle cycle;
    private final ServletRequest request;
    private final ServletResponse response;
    private final boolean original; // neither of them is wrapped
    private final View view; // at the start
    private final AsyncReturn back; // for dispatch()

    /// Creates the handle.
    ///
    /// @param given whether the application passed request and response
    /// @param view how the request looks
    /// @param first how it looked when the container dispatched it last
    AsyncHandle(
            AsyncCycle cycle,
            ServletRequest request,
            ServletResponse response,
            boolean given,
            View view,
            View first) {
        this.cycle = cycle;
        this.request = request;
        this.response = response;
        this.original =
                request.equals(cycle.exchange().request())
                        && response.equals(cycle.exchange().response());
        this.view = view;
        // The parameters of the query are those of the request already.
        this.back =
                given && request instanceof HttpServletRequest http
                        ? AsyncReturn.of(view, http.getRequestURI(), http.getContextPath())
                        : AsyncReturn.of(first);
    }

    View view() {
        return view;
    }

    @Override
    public ServletRequest getRequest() {
        cycle.requireNotEnded(this);
        return request;
    }

    @Override
    public ServletResponse getResponse() {
        cycle.requireNotEnded(this);
        return response;
    }

    public ServletRequest request() {
        return request;
    }

    public ServletResponse response() {
        return response;
    }

    @Override
    public boolean hasOriginalRequestAndResponse() {
        return original;
    }

    @Override
    public void dispatch() {
        cycle.dispatch(
                this, target(back.context(), back.path()).backTo(back.uri(), back.byClient()));
    }

    @Override
    public void dispatch(String path) {
        dispatch(view.app().context(), path);
    }

    @Override
    public void dispatch(ServletContext context, String path) {
        cycle.dispatch(this, target(context, path));
    }

    private static PathDispatcher target(ServletContext context, String path) {
        @Nullable RequestDispatcher target = context.getRequestDispatcher(path);
        if (!(target instanceof PathDispatcher dispatcher)) {
            throw new IllegalArgumentException(
                    "No servlet of the application \""
                            + context.getContextPath()
                            + "\" takes the path "
                            + path);
        }
        return dispatcher;
    }

    @Override
    public void complete() {
        cycle.complete(this);
    }

    @Override
    public void start(Runnable run) {
        cycle.start(run);
    }

    @Override
    public void addListener(AsyncListener listener) {
        cycle.addListener(this, new Listening(listener, null, null));
    }

    @Override
    public void addListener(
            AsyncListener listener, ServletRequest forRequest, ServletResponse forResponse) {
        cycle.addListener(this, new Listening(listener, forRequest, forResponse));
    }

    @Override
    public <T extends AsyncListener> T createListener(Class<T> type) throws ServletException {
        return view.app().create(type);
    }

    @Override
    public void setTimeout(long timeout) {
        cycle.timeoutMillis(this, timeout);
    }

    @Override
    public long getTimeout() {
        return cycle.timeoutMillis();
    }
}
