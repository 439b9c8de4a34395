package dev.serval.exchange;

import dev.serval.handler.Body;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;

/// How a protocol frames a response. The exchange calls it in a legal order only: `interim`*, `head`,
/// `content`*, `end`; or `upgrade`, `content`*, `end`; or `reset` after the head. Called on the loop.
public interface ResponsePort {
    /// How the content compares with the length that the head promised.
    enum Ending {
        /// As long as promised, or nothing was promised.
        WHOLE,
        /// Shorter: the client must see that the response is not whole.
        SHORT,
        /// Cut where it would have been longer: the connection must not be trusted with another.
        CUT
    }

    /// Sends an interim response, if the client's version knows them.
    ///
    /// @return whether it does
    boolean interim(Status status, Fields fields);

    /// Sends the head.
    ///
    /// @param suppressed whether no content follows, whatever the head says (HEAD, 204, 304)
    void head(ResponseHead head, boolean suppressed);

    /// Queues a piece of content of one byte or more, and releases it later.
    void content(Body part);

    /// Ends the response.
    ///
    /// @param suppressed as in [#head]
    void end(Fields trailers, Ending ending, boolean suppressed);

    /// Ends the stream, or the connection, so that the client sees that the response is not whole.
    void reset();

    /// Sends the head after which content goes both ways as it is.
    void upgrade(ResponseHead head);

    /// Bytes of room left; 0 or less if the writer should pause, or nothing can be sent any more.
    long room();

    /// Asks for one call of [ServerExchange#writable].
    void wantWritable();
}
