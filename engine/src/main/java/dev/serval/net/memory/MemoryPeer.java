package dev.serval.net.memory;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The far end of a connection in memory. A test or benchmark uses it to send bytes, to read what
/// was received, and to limit how much it takes. Its actions reach the loop in the next turn. Owned
/// by the thread that runs the loop's turns. After its two arrays have grown, it allocates only the
/// values that it returns.
public final class MemoryPeer {
    private static final int FIRST_BYTES = 4 << 10;

    private byte[] sent = new byte[FIRST_BYTES];
    private int sentFrom;
    private int sentTo;
    private byte[] received = new byte[FIRST_BYTES];
    private int receivedBytes;
    private long window = Long.MAX_VALUE;
    private int pieceBytes = Integer.MAX_VALUE;
    private long writes;
    private long beforeFile;
    private long acknowledgements;
    private boolean probed;
    private boolean ended;
    private boolean reset;
    private boolean sawEnd;
    private boolean sawClose;
    private boolean sawReset;

    MemoryPeer() {}

    // Actions of this end

    /// Sends bytes.
    public void send(byte[] bytes) {
        send(bytes, 0, bytes.length);
    }

    /// Sends `bytes[from, from + length)`. If the other end has closed the connection, it answers
    /// with a reset.
    public void send(byte[] bytes, int from, int length) {
        if (ended || reset) {
            throw new IllegalStateException("This end has already ended or reset the connection");
        }
        if (sawClose) {
            sawReset = true;
            return;
        }
        if (sentFrom >= sentTo - sentFrom) { // moves no more bytes than were read
            System.arraycopy(sent, sentFrom, sent, 0, sentTo - sentFrom);
            sentTo -= sentFrom;
            sentFrom = 0;
        }
        sent = withRoom(sent, sentTo, length);
        System.arraycopy(bytes, from, sent, sentTo, length);
        sentTo += length;
    }

    /// Sends the bytes of a text (ISO-8859-1).
    public void send(String text) {
        send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /// Ends the outgoing stream. Receiving continues.
    public void end() {
        ended = true;
    }

    /// Resets the connection. Bytes that were sent but not read yet are lost.
    public void reset() {
        reset = true;
        sentFrom = sentTo;
    }

    /// Closes without having read all bytes, which resets the connection. As with a socket, the other
    /// end can still read what was sent before, but writes fail (RFC 9112 §9.6).
    public void closeUnread() {
        reset = true;
    }

    /// Takes `bytes` more bytes, then none until the next call.
    public void window(long bytes) {
        window = bytes;
    }

    /// Limits each read of the other end to `bytes` from now on.
    public void pieces(int bytes) {
        pieceBytes = bytes;
    }

    // Observations of this end

    /// Returns the number of bytes received since the last [#take] or [#clear].
    public int length() {
        return receivedBytes;
    }

    /// Returns a copy of the received bytes.
    public byte[] received() {
        return Arrays.copyOf(received, receivedBytes);
    }

    /// Returns the received bytes as a text (ISO-8859-1).
    public String text() {
        return new String(received, 0, receivedBytes, StandardCharsets.ISO_8859_1);
    }

    /// Returns the received bytes and discards them.
    public byte[] take() {
        byte[] bytes = received();
        clear();
        return bytes;
    }

    /// Returns the received bytes as a text (ISO-8859-1) and discards them.
    public String takeText() {
        String text = text();
        clear();
        return text;
    }

    /// Discards the received bytes.
    public void clear() {
        receivedBytes = 0;
    }

    /// Returns the number of bytes that were sent and that the other end has not read.
    public int unread() {
        return sentTo - sentFrom;
    }

    /// Returns how many of [#writes] announced a file.
    public long writesBeforeFile() {
        return beforeFile;
    }

    /// Returns whether the other end lets its system probe this one while it is silent.
    public boolean isProbed() {
        return probed;
    }

    /// Returns how often the other end has asked its system to acknowledge at once.
    public long acknowledgements() {
        return acknowledgements;
    }

    /// Returns how many system calls the other end would have made to send: writes, gathering
    /// writes and file transfers.
    public long writes() {
        return writes;
    }

    /// Returns whether the other end has ended its stream or closed without a reset.
    public boolean sawEnd() {
        return sawEnd || (sawClose && !sawReset);
    }

    /// Returns whether the other end has closed the connection, with or without a reset.
    public boolean isClosed() {
        return sawClose;
    }

    /// Returns whether the other end has reset the connection.
    public boolean sawReset() {
        return sawReset;
    }

    // Methods for the transport

    boolean isReadable() {
        return sentFrom < sentTo || ended;
    }

    boolean wasReset() {
        return reset;
    }

    /// Returns the number of bytes that this end takes now.
    long room() {
        return window;
    }

    /// Moves sent bytes into the buffer.
    ///
    /// @return bytes moved, 0 if there are none, -1 at the end of the stream
    int giveTo(ByteBuffer into) {
        int n = Math.min(Math.min(pieceBytes, into.remaining()), sentTo - sentFrom);
        if (n == 0) {
            return ended && sentFrom == sentTo ? -1 : 0;
        }
        into.put(sent, sentFrom, n);
        sentFrom += n;
        return n;
    }

    /// Receives as many bytes as the window allows.
    ///
    /// @return bytes received
    int take(ByteBuffer from) {
        int n = (int) Math.min(window, from.remaining());
        received = withRoom(received, receivedBytes, n);
        from.get(received, receivedBytes, n);
        receivedBytes += n;
        window -= window == Long.MAX_VALUE ? 0 : n;
        return n;
    }

    void countAcknowledgement() {
        acknowledgements++;
    }

    void noteProbes() {
        probed = true;
    }

    void countBeforeFile() {
        beforeFile++;
    }

    void countWrite() {
        writes++;
    }

    void seeEnd() {
        sawEnd = true;
    }

    void seeClose() {
        sawClose = true;
    }

    void seeReset() {
        sawReset = true;
    }

    private static byte[] withRoom(byte[] array, int used, int more) {
        int needed = Math.addExact(used, more);
        return needed <= array.length
                ? array
                : Arrays.copyOf(array, Math.max(needed, (int) Math.min(2L * used, 1 << 30)));
    }
}
