package dev.serval.net;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The far end of a connection in memory: sends, sees what came, and decides how much it takes. What
/// it does shows on the loop's side in the next turn. Owned by the thread that turns the loop; once
/// its two arrays have grown, it allocates nothing but what it is asked to return.
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
    private boolean ended;
    private boolean reset;
    private boolean sawEnd;
    private boolean sawClose;
    private boolean sawReset;

    MemoryPeer() {}

    // What this end does

    /// Sends bytes.
    public void send(byte[] bytes) {
        send(bytes, 0, bytes.length);
    }

    /// Sends `bytes[from, from + length)`. A connection that the other end has closed answers with
    /// a reset.
    public void send(byte[] bytes, int from, int length) {
        if (ended || reset) {
            throw new IllegalStateException("This end has finished sending");
        }
        if (sawClose) {
            sawReset = true;
            return;
        }
        if (sentFrom >= sentTo - sentFrom) { // no more than what was read is moved
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

    /// Finishes sending; receiving goes on.
    public void end() {
        ended = true;
    }

    /// Resets the connection: what was sent and not read yet is lost, too.
    public void reset() {
        reset = true;
        sentFrom = sentTo;
    }

    /// From now on takes `bytes` more and then none, until it is told again.
    public void window(long bytes) {
        window = bytes;
    }

    /// From now on lets one read of the other end have `bytes` at most.
    public void pieces(int bytes) {
        pieceBytes = bytes;
    }

    // What this end sees

    /// Bytes received since the last [#take] or [#clear].
    public int length() {
        return receivedBytes;
    }

    /// A copy of what was received.
    public byte[] received() {
        return Arrays.copyOf(received, receivedBytes);
    }

    /// What was received, as a text (ISO-8859-1).
    public String text() {
        return new String(received, 0, receivedBytes, StandardCharsets.ISO_8859_1);
    }

    /// As [#received]; from then on it was not.
    public byte[] take() {
        byte[] bytes = received();
        clear();
        return bytes;
    }

    /// As [#text]; from then on it was not received.
    public String takeText() {
        String text = text();
        clear();
        return text;
    }

    /// Forgets what was received.
    public void clear() {
        receivedBytes = 0;
    }

    /// Bytes sent that the other end has not read.
    public int unread() {
        return sentTo - sentFrom;
    }

    /// Returns how many of [#writes] announced a file.
    public long writesBeforeFile() {
        return beforeFile;
    }

    /// How many calls to the system sending would have taken: writes, gathering writes, file
    /// transfers.
    public long writes() {
        return writes;
    }

    /// Whether the other end has finished sending, or closed.
    public boolean sawEnd() {
        return sawEnd || (sawClose && !sawReset);
    }

    /// Whether the other end closed, with a reset or without.
    public boolean isClosed() {
        return sawClose;
    }

    /// Whether the other end closed with a reset.
    public boolean sawReset() {
        return sawReset;
    }

    // What the transport calls

    boolean isReadable() {
        return sentFrom < sentTo || ended;
    }

    boolean wasReset() {
        return reset;
    }

    /// Bytes this end takes now.
    long room() {
        return window;
    }

    /// Moves what was sent.
    ///
    /// @return bytes, 0 for none, -1 for the end
    int giveTo(ByteBuffer into) {
        int n = Math.min(Math.min(pieceBytes, into.remaining()), sentTo - sentFrom);
        if (n == 0) {
            return ended && sentFrom == sentTo ? -1 : 0;
        }
        into.put(sent, sentFrom, n);
        sentFrom += n;
        return n;
    }

    /// Receives what the window lets in.
    int take(ByteBuffer from) {
        int n = (int) Math.min(window, from.remaining());
        received = withRoom(received, receivedBytes, n);
        from.get(received, receivedBytes, n);
        receivedBytes += n;
        window -= window == Long.MAX_VALUE ? 0 : n;
        return n;
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
