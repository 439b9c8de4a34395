package dev.serval.servlet.request;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpUpgradeHandler;

/// The asynchronous side of a request, and its upgrade.
public interface AsyncControl {
    /// Starts asynchronous processing.
    ///
    /// @param given whether the application passed the request and the response
    AsyncContext start(ServletRequest request, ServletResponse response, boolean given);

    /// Returns whether asynchronous processing was started and not yet dispatched or completed.
    boolean isStarted();

    /// Returns the context of the processing that was started last.
    ///
    /// @throws IllegalStateException if none was started
    AsyncContext context();

    /// Calls `listener` when content can be read without waiting.
    void read(ReadListener listener);

    /// Returns whether a read would not wait; if not, the listener is called later.
    boolean mayRead();

    /// Records that the application has found the end of the content, perhaps on a thread of its own.
    /// The listener then learns of the end.
    void readEndFound();

    /// Calls `listener` when the response can be written without waiting.
    void write(WriteListener listener);

    /// Returns whether a write would not wait; if not, the listener is called later.
    boolean isReadyToWrite();

    /// Returns whether the application may write: not from when it was told that a write would wait
    /// until it is told otherwise.
    boolean mayWrite();

    /// Hands the connection to `handler` after this request.
    void upgrade(HttpUpgradeHandler handler);
}
