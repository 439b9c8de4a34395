package dev.serval.app;

/// Answers requests whose handler or filter threw an exception of one type.
///
/// @param <E> the type of exception
@FunctionalInterface
public interface ExceptionHandler<E extends Exception> {
    /// Answers the request. What the handler set before it threw is forgotten. Runs on the thread
    /// that the handler ran on; an exception that it throws is logged and answered 500.
    void handle(E thrown, AppExchange x) throws Exception;
}
