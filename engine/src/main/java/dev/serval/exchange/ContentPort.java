package dev.serval.exchange;

import dev.serval.http.Fields;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHead;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// How a protocol frames the content of a request. Called on the loop.
public interface ContentPort {
    /// Returned by [#read]: the connection is lost, and the exchange will be told so.
    int LOST = -3;

    /// Starts with a request whose head was read.
    ///
    /// @return what is seen to be wrong with its content already, or null
    @Nullable ProtocolError begin(RequestHead head);

    /// Moves bytes that are here into `into`.
    ///
    /// @return bytes moved, 0 if none are here, [dev.serval.handler.Source#END], [dev.serval.handler.Source#FAILED] (see [#error]), or
    ///     [#LOST]
    int read(ByteBuffer into);

    /// What broke the content; null if nothing did, or if it just ended too early.
    @Nullable ProtocolError error();

    /// Whether [#read] would not return 0.
    boolean ready();

    /// Whether the content has ended as its framing says, and was read or dropped.
    boolean finished();

    /// Asks for one call of [ServerExchange#readable].
    void wantReadable();

    /// From here on [#read] moves bytes as they are: the exchange became a tunnel.
    void tunnel();

    /// Drops up to `maxBytes` of what is left.
    void discard(long maxBytes);

    /// Fields after the content; empty before its end.
    Fields trailers();
}
