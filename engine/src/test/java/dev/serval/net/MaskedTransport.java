package dev.serval.net;

import dev.serval.loop.Command;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/// A toy transport that transforms bytes in both directions into the records of [Masking], over the
/// transport of a socket or of memory. It stands for TLS in tests of the seam.
///
/// It also checks that its connection keeps the contract: bytes that a write did not take must come
/// first in the next write.
public final class MaskedTransport implements Transport, Readiness {
    private final NetLoop net;
    private final Transport socket;
    private final Masking outgoing = new Masking();
    private final Masking incoming = new Masking();
    private final Command again = new Command(this::readAgain);
    private @Nullable Readiness told;
    private @Nullable ByteBuffer record; // the outgoing record that the socket has not taken whole
    private int owed; // content bytes of that record or the last one, not reported as written yet
    private int owedSum;
    private @Nullable ByteBuffer input; // received: [rawFrom, rawTo)
    private int rawFrom;
    private int rawTo;
    private int plainAt; // unmasked content of the record at rawFrom
    private int plainTo;
    private boolean inputEnded;
    private boolean endReported;
    private boolean ending; // the last outgoing record waits
    private boolean outputEnded;
    private boolean wantsRead;
    private boolean wantsWrite;
    private boolean closed;
    private long readyCalls;

    /// Lies over the transport of a socket.
    public MaskedTransport(NetLoop net, Transport socket) {
        this.net = net;
        this.socket = socket;
    }

    /// Returns a factory that lays this transport over each socket.
    public static Driver.Factory over(Driver.Factory drivers) {
        return new Driver.Factory() {
            @Override
            public Transport transport(NetLoop net, Transport socket) {
                return new MaskedTransport(net, socket);
            }

            @Override
            public Driver open(Connection connection) {
                return drivers.open(connection);
            }
        };
    }

    @Override
    public SocketAddress local() {
        return socket.local();
    }

    @Override
    public SocketAddress peer() {
        return socket.peer();
    }

    // Readiness

    @Override
    public void attach(Readiness readiness) {
        told = readiness;
        socket.attach(this);
    }

    /// Returns how often the socket was ready.
    long readyCalls() {
        return readyCalls;
    }

    @Override
    public void ready(boolean readable, boolean writable) {
        readyCalls++;
        if (writable && ending) {
            try {
                sendEnd();
            } catch (IOException e) {
                broken();
                return;
            }
        }
        tell(readable, writable);
    }

    @Override
    public void broken() {
        @Nullable Readiness present = told;
        if (present != null) {
            present.broken();
        }
    }

    @Override
    public void interest(boolean read, boolean write) {
        wantsRead = read;
        wantsWrite = write;
        socket.interest(read, write || ending);
        if (read && holdsInput()) {
            net.loop().submit(again); // the socket may have no more bytes, and reports nothing
        }
    }

    private void readAgain() {
        if (!closed && wantsRead && holdsInput()) {
            tell(true, false);
        }
    }

    private void tell(boolean readable, boolean writable) {
        @Nullable Readiness present = told;
        if (present != null) {
            present.ready(readable, writable);
        }
    }

    // Reading

    @Override
    public int read(ByteBuffer into) throws IOException {
        while (true) {
            ByteBuffer from = input;
            if (from != null && plainAt < plainTo) {
                int n = Math.min(into.remaining(), plainTo - plainAt);
                into.put(into.position(), from, plainAt, n);
                into.position(into.position() + n);
                plainAt += n;
                freeInput();
                return n;
            }
            if (inputEnded) {
                endReported = true;
                freeInput();
                return -1;
            }
            if (!unmask() && !fill()) {
                freeInput();
                return 0;
            }
        }
    }

    @Override
    public boolean mayHaveInput() {
        return holdsInput() || (!inputEnded && socket.mayHaveInput());
    }

    /// Returns whether a read finds bytes or the end without the socket.
    private boolean holdsInput() {
        return plainAt < plainTo || (inputEnded && !endReported) || hasRecord();
    }

    private boolean hasRecord() {
        ByteBuffer from = input;
        if (from == null) {
            return false;
        }
        int length = Masking.length(from, rawFrom, rawTo);
        return length > 0 && length <= rawTo - rawFrom;
    }

    /// @return whether there was a whole record
    private boolean unmask() throws IOException {
        ByteBuffer from = input;
        if (from == null || !hasRecord()) {
            return false;
        }
        int length = Masking.length(from, rawFrom, rawTo);
        try {
            incoming.unmask(from, rawFrom, length);
        } catch (IllegalStateException e) {
            throw new IOException(e); // the peer's fault
        }
        inputEnded = from.get(rawFrom) == Masking.END;
        plainAt = rawFrom + Masking.HEADER;
        plainTo = rawFrom + length - 1;
        rawFrom += length;
        return true;
    }

    /// @return whether bytes have arrived
    private boolean fill() throws IOException {
        ByteBuffer into = input;
        if (into == null) {
            into = net.pool().direct();
            input = into;
        }
        into.limit(rawTo).position(rawFrom).compact();
        rawTo -= rawFrom;
        rawFrom = 0;
        plainAt = 0;
        plainTo = 0;
        if (Masking.length(into, 0, rawTo) > into.capacity()) {
            throw new IOException("A record is longer than the limit");
        }
        int n = socket.read(into.position(rawTo));
        if (n < 0) {
            throw new IOException("The peer's stream ended without its last record");
        }
        rawTo += n;
        return n > 0;
    }

    private void freeInput() {
        ByteBuffer from = input;
        if (from != null && plainAt == plainTo && rawFrom == rawTo) {
            net.pool().giveBack(from);
            input = null;
            rawFrom = 0;
            rawTo = 0;
            plainAt = 0;
            plainTo = 0;
        }
    }

    // Writing

    @Override
    public int write(ByteBuffer part) throws IOException {
        return (int) write(new ByteBuffer[] {part}, 1);
    }

    @Override
    public long write(ByteBuffer[] parts, int count) throws IOException {
        long written = 0;
        while (sendRecord()) {
            written += settle(parts, count);
            int content = 0;
            for (int i = 0; i < count; i++) {
                content = Math.min(Masking.CONTENT_MAX, content + parts[i].remaining());
            }
            if (content == 0 || owed > 0) {
                return written;
            }
            mask(parts, content);
        }
        return written;
    }

    /// Sends the rest of the record.
    ///
    /// @return whether the socket has taken all of it
    private boolean sendRecord() throws IOException {
        ByteBuffer rest = record;
        if (rest == null) {
            return true;
        }
        socket.write(rest);
        if (rest.hasRemaining()) {
            return false;
        }
        net.pool().giveBack(rest);
        record = null;
        return true;
    }

    /// Marks the bytes of the record that was sent as written.
    private int settle(ByteBuffer[] parts, int count) {
        int before = owed;
        for (int i = 0; i < count && owed > 0; i++) {
            for (; owed > 0 && parts[i].hasRemaining(); owed--) {
                owedSum -= (parts[i].get() & 0xff) * owed;
            }
        }
        if (owed == 0 && owedSum != 0) {
            throw new IllegalStateException("A write does not begin with the bytes left before");
        }
        return before - owed;
    }

    private void mask(ByteBuffer[] parts, int content) {
        ByteBuffer into = net.pool().direct();
        outgoing.begin(Masking.CONTENT, content, into);
        owed = content;
        int left = content;
        for (int i = 0; left > 0; i++) {
            int n = Math.min(left, parts[i].remaining());
            int from = parts[i].position();
            outgoing.put(parts[i], from, n, into);
            for (int at = from; at < from + n; at++) {
                owedSum += (parts[i].get(at) & 0xff) * left--;
            }
        }
        outgoing.end(into);
        record = into.flip();
    }

    @Override
    public boolean sendsFiles() {
        return false;
    }

    @Override
    public int writeBeforeFile(ByteBuffer part) {
        throw new IllegalStateException("This transport sends no files");
    }

    @Override
    public long transfer(FileChannel file, long position, long count) {
        throw new IllegalStateException("This transport sends no files");
    }

    // The end

    @Override
    public void shutdownOutput() throws IOException {
        if (record != null || owed > 0) {
            throw new IllegalStateException("The output ends before its bytes are written");
        }
        maskEnd();
        ending = true;
        sendEnd();
    }

    private void maskEnd() {
        ByteBuffer into = net.pool().direct();
        outgoing.begin(Masking.END, 0, into);
        outgoing.end(into);
        record = into.flip();
        outputEnded = true;
    }

    private void sendEnd() throws IOException {
        if (sendRecord()) {
            ending = false;
            socket.shutdownOutput();
            socket.interest(wantsRead, wantsWrite);
        }
    }

    @Override
    public void close() {
        try {
            if (!outputEnded && record == null) {
                maskEnd();
                sendRecord(); // the socket has taken all before, and takes this if it can
            }
        } catch (IOException e) {
            // The peer has left.
        }
        free();
        socket.close();
    }

    @Override
    public void reset() {
        free();
        socket.reset();
    }

    private void free() {
        closed = true;
        ByteBuffer out = record;
        record = null;
        if (out != null) {
            net.pool().giveBack(out);
        }
        rawFrom = rawTo;
        plainAt = plainTo;
        freeInput();
    }

    // The rest

    @Override
    public long acknowledged() {
        return socket.acknowledged();
    }

    @Override
    public void acknowledgeNow() {
        socket.acknowledgeNow();
    }

    @Override
    public long held() {
        int buffers = (record == null ? 0 : 1) + (input == null ? 0 : 1);
        return (long) buffers * BufferPool.DIRECT_BYTES;
    }

    @Override
    public boolean isMovable() {
        return false;
    }

    @Override
    public LooseSocket release() {
        throw new IllegalStateException("This transport is not movable");
    }
}
