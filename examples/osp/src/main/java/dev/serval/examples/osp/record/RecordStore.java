package dev.serval.examples.osp.record;

import java.io.IOException;
import java.util.List;

/// Where records go. Used only by the thread of the [RecordWriter].
public interface RecordStore extends AutoCloseable {
    /// Stores records. After it returns, they are as durable as the store's policy says.
    ///
    /// @throws IOException if none of them is certain to be stored; the clients get 503 and repeat
    void append(List<CallRecord> records) throws IOException;

    /// Does what the store does each second.
    void tick() throws IOException;

    /// Returns where the records go, for people.
    String place();

    @Override
    void close() throws IOException;
}
