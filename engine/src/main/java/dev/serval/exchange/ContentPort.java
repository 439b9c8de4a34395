package dev.serval.exchange;

import dev.serval.http.Fields;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHead;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The framing of a request's content in one protocol. Called on the loop.
public interface ContentPort {
    /// Returned by [#read] if the connection is lost; [ServerExchange#lost] follows.
    int LOST = -3;

    /// Starts the content of a request whose head was read.
    ///
    /// @return an error of the content that the head shows already, or null
    @Nullable ProtocolError begin(RequestHead head);

    /// Moves available bytes into `into`.
    ///
    /// @return the number of bytes moved, 0 if none are available, [dev.serval.handler.Source#END],
    ///     [dev.serval.handler.Source#FAILED] (see [#error]), or [#LOST]
    int read(ByteBuffer into);

    /// Returns how many bytes have arrived and were not read, framing included.
    int available();

    /// Returns the error that broke the content; null if there is none, or if the content only
    /// ended early.
    @Nullable ProtocolError error();

    /// Returns whether [#read] would return anything but 0.
    boolean ready();

    /// Returns whether all content is known to have arrived, whether or not it was read.
    boolean whole();

    /// Returns whether the content has ended as its framing says, and was read or dropped.
    boolean finished();

    /// Requests one call of [ServerExchange#readable].
    void wantReadable();

    /// Makes [#read] move bytes without framing from here on, because the exchange became a tunnel.
    void tunnel();

    /// Drops up to `maxBytes` of the unread content.
    void discard(long maxBytes);

    /// Returns the fields after the content; empty before its end.
    Fields trailers();
}
