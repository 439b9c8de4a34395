package dev.serval.exchange;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The content of a response that is put into buffers of its connection, which saves copying it.
/// Owned by the loop.
public interface DirectContent {
    /// Returns a direct buffer for the next piece. The caller puts bytes between its position and
    /// its limit and calls [#filled] at once, before it uses the exchange in another way.
    ///
    /// @param most the most bytes that follow; more than the rest of the head's Content-Length is
    ///     no error
    /// @return null if the content cannot be put there, because it needs framing or is not sent;
    ///     then it must be written as a [dev.serval.handler.Body]
    @Nullable ByteBuffer room(long most);

    /// Queues what is in the buffer now, perhaps nothing.
    ///
    /// @return the room left, as [dev.serval.handler.Sink#write]
    long filled();

    /// Returns whether a [dev.serval.handler.Body.Held] reaches the client without being copied into
    /// this process.
    boolean takesHeld();
}
