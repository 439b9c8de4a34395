package dev.serval.app;

/// Code around the handlers of an [App]: it runs before and after them, or answers instead.
@FunctionalInterface
public interface AppFilter {
    /// Calls `next.handle(x)` to let the request through, at most once, or answers by itself. What
    /// the handler set can still be changed afterwards, unless it used [AppExchange#stream] or
    /// [AppExchange#events].
    ///
    /// @param next the next filter, or the handler after the last
    /// @throws Exception as [AppHandler#handle]; exceptions of `next` pass through here first
    void filter(AppExchange x, AppHandler next) throws Exception;

    /// Marks a filter that never blocks, so that requests it covers may be answered on the event
    /// loop. See [AppHandler#onLoop].
    static AppFilter onLoop(AppFilter filter) {
        return filter instanceof OnLoop ? filter : new OnLoop(filter);
    }

    /// A filter that never blocks.
    ///
    /// @param filter what it calls
    record OnLoop(AppFilter filter) implements AppFilter {
        @Override
        public void filter(AppExchange x, AppHandler next) throws Exception {
            filter.filter(x, next);
        }
    }
}
