package dev.serval.app;

/// Answers requests of an [App]. One AppHandler serves all requests of its route, many
/// concurrently.
@FunctionalInterface
public interface AppHandler {
    /// Answers the request. It may block, because it runs on a Worker, a separate virtual thread,
    /// unless it was marked by [#onLoop]. If it sets nothing, the response is 200 without content.
    ///
    /// @throws Exception answered by the handler that [App.Builder#exception] registered for its
    ///     type. If there is none, an [HttpException] is answered with its status. Any other
    ///     exception is logged and answered with 500
    void handle(AppExchange x) throws Exception;

    /// Marks a handler that never blocks, so that it runs on the event loop itself. That saves the
    /// cost of a Worker. While the handler runs, every other connection of its loop waits.
    ///
    /// Calls that block ([AppExchange#body], [AppExchange#form], [AppExchange#file],
    /// [AppExchange#stream], [AppExchange#events]) throw an IllegalStateException there. If a
    /// filter that may block covers the request, the handler runs on a Worker.
    static AppHandler onLoop(AppHandler handler) {
        return handler instanceof OnLoop ? handler : new OnLoop(handler);
    }

    /// A handler that never blocks.
    ///
    /// @param handler the handler it calls
    record OnLoop(AppHandler handler) implements AppHandler {
        @Override
        public void handle(AppExchange x) throws Exception {
            handler.handle(x);
        }
    }
}
