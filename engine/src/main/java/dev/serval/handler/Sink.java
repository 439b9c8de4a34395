package dev.serval.handler;

import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;

/// The response of an exchange. Order of calls: `inform`*, `head`, `write`*, `end`, or `abort` at
/// any time. Nothing is sent before the loop's turn ends. Then one gathering write sends all
/// answers of the turn. Owned by the loop.
public interface Sink {
    /// Sends an interim response (RFC 9110 §15.2) other than 101; dropped for HTTP/1.0 clients.
    void inform(Status interim, Fields fields);

    /// Starts the final response. For HEAD, 204 and 304, content that is written later is counted
    /// and dropped.
    void head(ResponseHead head);

    /// Queues a piece of content. The whole piece is accepted, even if there is no room for it. A
    /// piece beyond the head's Content-Length ends the connection, because the client could not
    /// find the end of the response.
    ///
    /// @return room left in bytes; if it is 0 or less, wait for [#onWritable] before writing more
    long write(Body part);

    /// Runs `once`, on the loop, when there is room again. Only one callback can wait.
    void onWritable(Runnable once);

    /// Ends the response. Fewer bytes than the head's Content-Length end the connection.
    ///
    /// @param trailers sent after chunked content; dropped if the framing does not allow them. Received
    ///     fields are copied, so the caller's next message may reuse their memory
    void end(Fields trailers);

    /// Aborts the response. Before the head is sent, the client gets an error answer. After that,
    /// the connection or stream ends, so that the client detects an incomplete response.
    void abort(Fault why);

    /// Ends a response whose content has failed: what was written is sent first, and the client then
    /// detects that the response is incomplete. Before the head, this is [#abort].
    void cut(Fault why);

    /// Sends a whole response.
    default void send(ResponseHead head, Body content) {
        head(head);
        write(content);
        end(Fields.EMPTY);
    }
}
