package dev.serval.handler;

import dev.serval.http.Fields;
import java.nio.ByteBuffer;

/// The content of a request, as it arrives. Owned by the loop; pulled, never pushed: what is not
/// read stays in the peer's hands (TCP and HTTP/2 windows follow consumption only).
public interface Source {
    /// Returned by [#read]: the content ended as its framing said.
    int END = -1;

    /// Returned by [#read]: the content will never be complete (peer gone, framing broken, over
    /// its limit, too slow). Never mistake it for the end.
    int FAILED = -2;

    /// Moves bytes that are here into `into`.
    ///
    /// The first call of this or of [#onReadable] sends `100 Continue` where the client waits for it.
    ///
    /// @return bytes moved, 0 where none are here (or `into` is full), [#END] or [#FAILED]
    int read(ByteBuffer into);

    /// Runs `once`, on the loop, when a read would not return 0. One waits at a time.
    void onReadable(Runnable once);

    /// Takes no more interest in the content: up to `maxBytes` of it are read and dropped so that
    /// the connection can go on; if more is to come, the connection ends after the response.
    void discard(long maxBytes);

    /// Fields after chunked content; empty before [#END].
    Fields trailers();
}
