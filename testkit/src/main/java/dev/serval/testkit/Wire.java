package dev.serval.testkit;

/// The client's end of a connection, over a socket or in memory, for a [Caller]. Only [#advance]
/// may block, for a moment. Owned by the thread of its test.
public interface Wire extends AutoCloseable {
    /// Returned by [#read]: the server has finished sending.
    int END = -1;

    /// Returned by [#read]: the connection was reset.
    int RESET = -2;

    /// Returns the number of bytes worth writing now. If it is 0 or less, written bytes wait until
    /// the server accepts them.
    int room();

    /// Writes all of `bytes[from, from + length)`, even if there is no room.
    void write(byte[] bytes, int from, int length);

    /// Reads the available bytes.
    ///
    /// @return number of bytes; 0 if none are available; [#END] or [#RESET]
    int read(byte[] into);

    /// Lets the server continue: turns its loop, or waits a moment for the socket.
    ///
    /// @param reads whether the caller would read more bytes
    /// @return whether anything can still happen without the client
    boolean advance(boolean reads);

    /// Finishes sending.
    void end();

    /// Resets the connection.
    void reset();

    /// Closes the connection.
    @Override
    void close();
}
