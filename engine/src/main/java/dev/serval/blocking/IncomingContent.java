package dev.serval.blocking;

import dev.serval.http.Fields;
import java.io.IOException;
import java.io.InputStream;

/// The content of a request, as its [BlockingExchange] uses it. Threads call the methods of the first
/// part, and the loop those of the second.
sealed interface IncomingContent permits ContentInput, NoContent {
    /// Returns the stream for the application.
    InputStream stream(BlockingExchange exchange);

    /// Returns the trailers; empty before the end of the stream.
    Fields trailers();

    /// Returns whether a read would not wait.
    boolean isReady() throws IOException;

    /// Returns whether all content was read.
    boolean hasEnded() throws IOException;

    /// Runs `then` on the loop when a read would not wait.
    void whenReady(BlockingExchange exchange, Runnable then) throws IOException;

    /// Ends the stream: no thread can read any more.
    void expire();

    // For the loop

    /// Reads the content that has arrived.
    void begin();

    /// Wakes the thread that waits for content, because the exchange has ended.
    void lost();

    /// Takes the buffer back. No thread reads any more.
    void settle();
}
