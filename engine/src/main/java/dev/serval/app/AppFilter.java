package dev.serval.app;

/// A filter around the handlers of an [App]. It runs before and after them, or answers instead.
@FunctionalInterface
public interface AppFilter {
    /// Calls `next.handle(x)` to let the request through, at most once, or answers the request
    /// itself. After `next` returned, the filter can still change the response, unless the handler
    /// used [AppExchange#stream] or [AppExchange#events].
    ///
    /// Fields that a filter sets are part of every response: also of files, of errors, and of the
    /// responses to methods without a route. If `next` throws, only the fields stay that were set
    /// before the handler began.
    ///
    /// @param next the next filter; for the last filter, the handler
    /// @throws Exception as [AppHandler#handle]; exceptions of `next` reach this filter first
    void filter(AppExchange x, AppHandler next) throws Exception;

    /// Marks a filter that never blocks, so that the requests it covers can be answered on the
    /// event loop. See [AppHandler#onLoop].
    static AppFilter onLoop(AppFilter filter) {
        return filter instanceof OnLoop ? filter : new OnLoop(filter);
    }

    /// A filter that never blocks.
    ///
    /// @param filter the filter it calls
    record OnLoop(AppFilter filter) implements AppFilter {
        @Override
        public void filter(AppExchange x, AppHandler next) throws Exception {
            filter.filter(x, next);
        }
    }
}
