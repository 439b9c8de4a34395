package dev.serval.handler;

import dev.serval.http.Fields;
import java.nio.ByteBuffer;

/// The content of a request, as it arrives. The handler pulls it: content that is not read stays
/// with the peer, because TCP and HTTP/2 windows grow only as the handler reads. Owned by the loop.
public interface Source {
    /// Returned by [#read]: the content is complete.
    int END = -1;

    /// Returned by [#read]: the content will never be complete. The peer closed the connection,
    /// sent too slowly, or broke the framing or a limit. A handler must not treat it as [#END].
    int FAILED = -2;

    /// Moves available bytes to `into`. The first call of this method or of [#onReadable] sends
    /// `100 Continue` if the client waits for it.
    ///
    /// @return number of bytes moved; 0 if none are available or `into` is full; [#END] or
    ///     [#FAILED]
    int read(ByteBuffer into);

    /// Returns how many bytes are known to have arrived, framing included, so that the caller can choose
    /// a buffer. 0 if it is not known.
    default int available() {
        return 0;
    }

    /// Runs `once`, on the loop, when a read would not return 0. Only one callback can wait.
    void onReadable(Runnable once);

    /// Returns whether all content has arrived, so that no read has to wait for the client. It may
    /// return false although the end has arrived.
    default boolean isWhole() {
        return false;
    }

    /// Discards the rest of the content. Up to `maxBytes` are read and dropped, so that the
    /// connection stays usable. If there is more content, the connection ends after the response.
    void discard(long maxBytes);

    /// Returns the fields after chunked content; empty before [#END].
    Fields trailers();
}
