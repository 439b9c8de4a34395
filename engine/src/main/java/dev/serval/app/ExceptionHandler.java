package dev.serval.app;

/// Answers requests whose handler or filter threw an exception of one type.
///
/// @param <E> the type of exception
@FunctionalInterface
public interface ExceptionHandler<E extends Exception> {
    /// Answers the request. The response that the handler set before it threw is discarded. Runs on
    /// the thread of that handler. If this method throws too, the exception is logged and answered
    /// with 500.
    void handle(E thrown, AppExchange x) throws Exception;
}
