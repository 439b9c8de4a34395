package dev.serval.bench.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// What one connection of a load says: it chooses the requests and checks the answers. The engine's
/// thread calls it. An exception of `received` or `sent` ends the connection.
public interface Conversation {

    /// The connection is open.
    void connected(LoadConnection connection) throws IOException;

    /// Bytes have come. They are valid during the call.
    void received(ByteBuffer in) throws IOException;

    /// All bytes of the last request were written.
    default void sent() throws IOException {}

    /// The connection has ended or was never made, but not by a call of this conversation.
    ///
    /// @param cause null if the server closed it
    void ended(@Nullable IOException cause);
}
