package dev.serval.handler;

import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;

/// The response of an exchange. Order of calls: `inform`*, `head`, `write`*, `end`; or `abort` at
/// any time. Owned by the loop. Nothing is sent before the turn ends: the answers of one turn leave
/// in one gathering write.
public interface Sink {
    /// Sends an interim response (RFC 9110 §15.2) other than 101; dropped for HTTP/1.0 clients.
    void inform(Status interim, Fields fields);

    /// Starts the final response. For HEAD, 204 and 304 the content written later is counted and
    /// dropped.
    void head(ResponseHead head);

    /// Queues a piece of content; the piece is accepted whole, whatever the room.
    ///
    /// A piece past the head's Content-Length ends the connection, since the client could not tell
    /// where the response ends.
    ///
    /// @return bytes of room left before writing should pause for [#onWritable]; 0 or less: pause
    long write(Body part);

    /// Runs `once`, on the loop, when there is room again. One waits at a time.
    void onWritable(Runnable once);

    /// Ends the response; fewer bytes than the head's Content-Length end the connection.
    ///
    /// @param trailers sent after chunked content, dropped where the framing has no place for them
    void end(Fields trailers);

    /// Gives up: before the head was sent the client gets an error answer, after it the connection
    /// (or stream) is ended so that the client sees the response is not whole.
    void abort(Fault why);

    /// A whole response in one call.
    default void send(ResponseHead head, Body content) {
        head(head);
        write(content);
        end(Fields.EMPTY);
    }
}
