package dev.serval.gateway.output;

import dev.serval.http.ProtocolError;
import org.jspecify.annotations.Nullable;

/// Decodes the bytes of a peer into the output of its application. It copies no content: an event
/// names a range of the caller's buffer. Order of calls for each answer: [#reset], and [#next]
/// until [OutputEvent#END] or [OutputEvent#WRONG]. Owned by one loop.
public interface OutputCodec {
    /// How an answer ended.
    enum Outcome {
        /// The output is complete.
        COMPLETE,
        /// The application server has no room for the request.
        OVERLOADED,
        /// The application server cannot serve the request.
        REFUSED
    }

    /// Starts another answer.
    void reset();

    /// Reads the next event from `buffer[from, to)`. [#consumed] tells how many bytes it took; the
    /// caller continues after these.
    ///
    /// @param contentMax the most bytes of content in one event, at least 1
    OutputEvent next(byte[] buffer, int from, int to, int contentMax);

    /// Returns the number of bytes that the last [#next] took.
    int consumed();

    /// Returns the start of the event's content in the buffer.
    int contentFrom();

    /// Returns the end of the event's content, exclusive.
    int contentTo();

    /// Returns how the answer ended, after [OutputEvent#END].
    Outcome outcome();

    /// Returns whether an answer that ends with the connection is complete.
    boolean endsWithConnection();

    /// Returns the broken rule, or null.
    @Nullable ProtocolError error();
}
