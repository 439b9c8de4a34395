package dev.serval.testkit;

/// The client's end of a connection, over a socket or in memory, for a [Caller]. Owned by the thread
/// of its test. Nothing blocks but [#advance], for a moment.
public interface Wire extends AutoCloseable {
    /// Returned by [#read]: the server has finished sending.
    int END = -1;

    /// Returned by [#read]: the connection was reset.
    int RESET = -2;

    /// Bytes worth writing now; 0 or less: what was written waits until the server takes it.
    int room();

    /// Writes `bytes[from, from + length)`, all of them, whatever the room.
    void write(byte[] bytes, int from, int length);

    /// Reads what is here.
    ///
    /// @return bytes, 0 for none, [#END] or [#RESET]
    int read(byte[] into);

    /// Lets the server go on: turns its loop, or waits a moment for the socket.
    ///
    /// @param reads whether what comes would be read
    /// @return whether anything may still happen without us
    boolean advance(boolean reads);

    /// Finishes sending.
    void end();

    /// Resets the connection.
    void reset();

    /// Closes the connection.
    @Override
    void close();
}
