package dev.serval.exchange;

import dev.serval.handler.Body;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The framing of a response in one protocol. Called on the loop. The exchange calls it only in one
/// of these orders:
///
/// - `interim`*, `head`, `content`*, `end`
/// - `upgrade`, `content`*, `end`
/// - `reset` after the head
public interface ResponsePort {
    /// The length of the content, compared with the length in the head.
    enum Ending {
        /// As long as the head says, or the head names no length.
        WHOLE,
        /// Shorter than the head says, or broken off: the client must see that the response is
        /// incomplete.
        SHORT,
        /// Cut because it would have been longer: the connection must not be used for another
        /// response.
        CUT
    }

    /// Sends an interim response, if the client's version supports them.
    ///
    /// @return whether it was sent
    boolean interim(Status status, Fields fields);

    /// Sends the head.
    ///
    /// @param suppressed whether no content follows, for any head (HEAD, 204, 304)
    void head(ResponseHead head, boolean suppressed);

    /// Queues a part of the content of at least one byte, and releases it later.
    void content(Body part);

    /// Returns a direct buffer in which bytes from the position on become the next part of the
    /// content. The caller fills it at once.
    ///
    /// @return null if content needs framing
    @Nullable ByteBuffer direct();

    /// Returns whether content leaves without framing over a socket that sends pipes by itself.
    default boolean takesHeld() {
        return false;
    }

    /// Ends the response.
    ///
    /// @param suppressed as in [#head]
    void end(Fields trailers, Ending ending, boolean suppressed);

    /// Ends the stream or the connection, so that the client sees that the response is incomplete.
    void reset();

    /// Sends the head of an upgrade. After it, bytes go both ways without framing.
    void upgrade(ResponseHead head);

    /// Returns the room left in bytes; 0 or less if the writer should pause, or nothing can be sent
    /// any more.
    long room();

    /// Requests one call of [ServerExchange#writable].
    void wantWritable();
}
