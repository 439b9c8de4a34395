package dev.serval.tls;

import dev.serval.loop.Command;
import dev.serval.net.Encryption;
import dev.serval.net.NetLoop;
import dev.serval.net.Network;
import dev.serval.net.RecordBuffers;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/// Seals and opens the records of a connection by the engine of a [TlsProvider], and knows what the
/// engine waits for. Every fault of the peer is an IOException. Owned by the connection's loop, but
/// for the methods of [Encryption].
///
/// Legal order: [#begin] first. While [#isBusy], no method that uses the engine.
final class TlsEngine implements Encryption {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final NetLoop net;
    private final TlsHost host;
    private final Runnable continued;
    private final Parts parts;
    private final Command worked = new Command(this::worked);
    private final SocketAddress peer;
    private @Nullable SSLEngine engine;
    private HandshakeStatus status = HandshakeStatus.NOT_HANDSHAKING;
    private boolean onHeap; // the engine is faster on buffers of the heap
    private boolean busy;
    private boolean refused;
    private boolean agreed;
    private boolean inputEnded;
    private int recordMaxBytes;
    private volatile @Nullable SSLSession session;
    private volatile String applicationProtocol = "";

    /// @param continued runs on the loop after another thread has done what [#work] gave to it
    TlsEngine(NetLoop net, SocketAddress peer, TlsHost host, Runnable continued) {
        this.net = net;
        this.peer = peer;
        this.host = host;
        this.continued = continued;
        this.parts = new Parts(net);
    }

    /// Continues on another loop with an engine that is agreed, and that no method uses any more.
    ///
    /// @param continued as above
    TlsEngine(NetLoop net, TlsEngine former, Runnable continued) {
        this(net, former.peer, former.host, continued);
        this.engine = former.engine;
        this.onHeap = former.onHeap;
        this.status = former.status;
        this.agreed = former.agreed;
        this.recordMaxBytes = former.recordMaxBytes;
        this.session = former.session;
        this.applicationProtocol = former.applicationProtocol;
    }

    /// Begins the handshake.
    void begin() throws IOException {
        SSLEngine made = host.engine(peer);
        engine = made;
        onHeap = !(made instanceof TlsProvider.Held);
        made.beginHandshake();
        recordMaxBytes = made.getSession().getPacketBufferSize();
        if (recordMaxBytes > RecordBuffers.RECORD_MAX_BYTES) {
            throw new IllegalStateException(
                    "The engine makes records that are longer than the loop's buffers: "
                            + recordMaxBytes);
        }
        status = made.getHandshakeStatus();
    }

    /// Frees what the engine holds outside of the heap. Only the methods of [Encryption] may follow.
    void free() {
        if (engine instanceof TlsProvider.Held held) {
            held.free();
        }
        engine = null;
    }

    /// Returns the address of the peer, as the header of a balancer states it if there is one.
    SocketAddress peer() {
        return peer;
    }

    // What it waits for

    /// Returns whether another thread uses the engine.
    boolean isBusy() {
        return busy;
    }

    /// Returns whether [#work] must be called next.
    boolean mustWork() {
        return status == HandshakeStatus.NEED_TASK;
    }

    /// Returns whether [#sealOwn] must be called next.
    boolean mustSend() {
        return status == HandshakeStatus.NEED_WRAP;
    }

    /// Returns whether both sides have agreed, so that the connection can carry content.
    boolean isAgreed() {
        return agreed;
    }

    /// Returns whether too much work of other handshakes waited.
    boolean isRefused() {
        return refused;
    }

    /// Returns whether the peer has sent its last record.
    boolean inputEnded() {
        return inputEnded;
    }

    // Work of the handshake

    /// Gives work to another thread. Afterwards `continued` runs on the loop.
    ///
    /// @throws IOException if the peer asks for another handshake, or too much work waits
    void work() throws IOException {
        if (agreed) { // a client could keep the server busy with that (RFC 5746 §5)
            throw new TlsFault("The peer asks for another handshake, which is refused");
        }
        SSLEngine used = used();
        List<Runnable> tasks = new ArrayList<>(1);
        Runnable task = used.getDelegatedTask();
        while (task != null) {
            tasks.add(task);
            task = used.getDelegatedTask();
        }
        busy = true;
        if (!host.submit(peer, () -> run(tasks))) {
            busy = false;
            refused = true;
            status = HandshakeStatus.NOT_HANDSHAKING; // no alert: it would need the work
            throw new Network.NoMeans("Too many TLS handshakes are in progress");
        }
    }

    private void run(List<Runnable> tasks) {
        try {
            tasks.forEach(Runnable::run);
        } finally {
            net.loop().submit(worked);
        }
    }

    private void worked() {
        busy = false;
        SSLEngine present = engine;
        if (present != null) { // it was not freed meanwhile
            status = present.getHandshakeStatus();
            continued.run();
        }
    }

    // Records

    /// Returns whether the next record may be opened in this turn of the loop.
    boolean mayOpen() {
        return agreed || onHeap || net.mayShake();
    }

    /// Opens the record at the buffer's position.
    ///
    /// @param length the record's
    /// @param into has room for it
    void open(ByteBuffer records, int length, ByteBuffer into) throws IOException {
        SSLEngine used = used();
        SSLEngineResult result;
        try {
            result = onHeap ? openOnHeap(records, length, into) : used.unwrap(records, into);
        } catch (IOException | RuntimeException e) { // also what a provider throws for bad content
            throw refused(used, e);
        }
        if (result.getStatus() == Status.CLOSED) {
            inputEnded = true;
        } else if (result.getStatus() != Status.OK) {
            throw new TlsFault("The engine cannot open a record: " + result.getStatus());
        }
        note(used, result);
    }

    private SSLEngineResult openOnHeap(ByteBuffer records, int length, ByteBuffer into)
            throws IOException {
        int from = records.position();
        ByteBuffer record = net.records().onHeap().clear();
        record.put(0, records, from, length).limit(length);
        SSLEngineResult result = used().unwrap(record, into);
        records.position(from + record.position());
        return result;
    }

    /// Returns the fault. The engine may have an alert for the peer now.
    private IOException refused(SSLEngine used, Exception why) {
        status = used.getHandshakeStatus();
        return new TlsFault("The TLS connection ends: " + why.getMessage(), why);
    }

    /// Seals the records that the engine itself has to send: of a handshake, an alert, or an answer to
    /// an update of keys.
    ///
    /// @return the loop's buffer with them
    ByteBuffer sealOwn() throws IOException {
        ByteBuffer into = target();
        SSLEngine used = used();
        boolean more = true;
        while (more && mustSend() && into.remaining() >= recordMaxBytes) {
            SSLEngineResult result;
            try {
                result = used.wrap(NOTHING, into);
            } catch (IOException | RuntimeException e) { // a fault that the work has found
                throw refused(used, e);
            }
            note(used, result);
            if (result.getStatus() == Status.CLOSED && mustSend()) {
                status = HandshakeStatus.NOT_HANDSHAKING; // it has nothing left to send
            }
            more = result.bytesProduced() > 0;
        }
        return sendable(into);
    }

    /// Returns what to seal into. The engine of the JDK encrypts an array at once, but other buffers in
    /// pieces of 512 bytes, each of which it copies twice.
    private ByteBuffer target() {
        RecordBuffers buffers = net.records();
        return (onHeap ? buffers.onHeap() : buffers.outgoing()).clear();
    }

    /// Returns the loop's buffer with what was sealed.
    private ByteBuffer sendable(ByteBuffer sealed) {
        sealed.flip();
        return onHeap ? net.records().outgoing().clear().put(sealed).flip() : sealed;
    }

    /// Seals the last record, after which it sends nothing more.
    ///
    /// @return the loop's buffer with it
    ByteBuffer sealEnd() throws IOException {
        SSLEngine used = used();
        used.closeOutbound();
        status = used.getHandshakeStatus();
        return sealOwn();
    }

    /// Returns the buffers of the present write.
    Parts parts() {
        return parts;
    }

    /// Seals some records of the present write and sends them in one call.
    ///
    /// @return the content of those that the socket has taken whole, which count as taken
    int sealAndSend(RecordOutput output, RecordSizes sizes) throws IOException {
        RecordBuffers buffers = net.records();
        ByteBuffer into = target();
        int[] contents = buffers.contents();
        int[] lengths = buffers.lengths();
        int from = parts.first();
        parts.mark();
        int count = 0;
        do {
            SSLEngineResult result = wrap(sizes.next(), into);
            contents[count] = result.bytesConsumed();
            lengths[count] = result.bytesProduced();
            sizes.sealed(contents[count]);
            count++;
        } while (parts.remaining() > 0
                && count < RecordBuffers.RECORDS_MAX
                && into.remaining() >= recordMaxBytes);
        int content = output.send(sendable(into), contents, lengths, count);
        if (!output.isEmpty()) {
            parts.reset(from);
            parts.skip(content);
        }
        return content;
    }

    private SSLEngineResult wrap(int most, ByteBuffer into) throws IOException {
        SSLEngine used = used();
        SSLEngineResult result = parts.wrap(used, most, into);
        note(used, result);
        if (result.getStatus() != Status.OK
                || (result.bytesProduced() == 0 && result.bytesConsumed() == 0)) {
            throw new IOException("The peer takes no more content: " + result.getStatus());
        }
        return result;
    }

    private void note(SSLEngine used, SSLEngineResult result) {
        HandshakeStatus next = result.getHandshakeStatus();
        if (next == HandshakeStatus.FINISHED) {
            next = used.getHandshakeStatus();
            if (!agreed) {
                session = used.getSession();
                applicationProtocol = nameOf(used.getApplicationProtocol());
                agreed = true;
            }
        }
        status = next;
    }

    private static String nameOf(@Nullable String protocol) {
        return protocol == null ? "" : protocol;
    }

    private SSLEngine used() {
        SSLEngine present = engine;
        if (present == null) {
            throw new IllegalStateException("The handshake has not begun");
        }
        return present;
    }

    @Override
    public @Nullable SSLSession session() {
        return session;
    }

    @Override
    public String applicationProtocol() {
        return applicationProtocol;
    }
}
