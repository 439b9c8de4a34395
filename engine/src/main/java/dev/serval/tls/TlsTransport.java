package dev.serval.tls;

import dev.serval.loop.Command;
import dev.serval.loop.Deadline;
import dev.serval.net.ClearHeader;
import dev.serval.net.Encryption;
import dev.serval.net.LooseSocket;
import dev.serval.net.NetLoop;
import dev.serval.net.Readiness;
import dev.serval.net.Transport;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/// Encrypts the bytes of a connection by TLS, over the transport of its socket. It opens records from
/// the loop's buffer into the reader's, and seals records from the writer's buffers into the loop's.
/// So bytes are copied only if the socket or the reader does not take all of them, or if the engine
/// copies them or works on the heap ([TlsEngine]).
///
/// ```
///          first byte              both agree
///   NEW ────────────────▶ SHAKING ────────────▶ OPEN
///    │                       │                   │
///    │ plain HTTP            └──────┬────────────┘
///    ▼                              │ fault of the peer, too late, closed
///   PLAIN ────────────────▶ ENDED ◀─┘
/// ```
///
/// The first [#read] begins the handshake, and later ones continue it. While another thread does work
/// of it, nothing is read or written, because the engine locks itself for that long. There is no such
/// work after both agree. On the client's side ([TlsHost#isClient]) the first read begins it without a
/// byte of the peer. Owned by the connection's loop, but for its addresses and [Encryption].
@SuppressWarnings("exports") // only the engine and its modules lay it over a socket
public final class TlsTransport implements Transport, Readiness {
    /// The most reads of the socket in one call that bring no content.
    private static final int FILLS_MAX = 4;

    /// What is dropped of a client of plain HTTP at most: as much as the content of a request may have by
    /// default. The time for a handshake bounds it, too.
    private static final int DROP_MAX_BYTES = 10 << 20;

    /// The content that one write encrypts at most, or some records more. A peer that reads as fast as that
    /// could otherwise keep the loop from others with one long array.
    private static final int WRITE_MAX_BYTES = 256 << 10;

    /// The states of the diagram above.
    private enum State {
        NEW,
        SHAKING,
        OPEN,
        PLAIN,
        ENDED
    }

    /// What a step of reading has found.
    private enum Step {
        /// Another step may find more.
        GO_ON,
        /// No complete record is left.
        NEEDS_BYTES,
        /// The reader has no room, or the peer has ended its stream, or something has to happen first.
        STOP
    }

    private final NetLoop net;
    private final Transport socket;
    private final TlsHost host;
    private final RecordInput input;
    private final RecordOutput output;
    private final RecordSizes sizes = new RecordSizes();
    private final RecordQuota quota;
    private final Deadline handshakeEnd = new Deadline(this::late);
    private final Command again = new Command(this::readAgain);
    private final TlsEngine engine;
    private final long acceptedNanos;
    private Readiness told = Readiness.NONE;
    private State state = State.NEW;
    private @Nullable IOException fault; // of the next read
    private boolean endReported;
    private boolean ending; // the last record waits for the socket
    private boolean wantsRead;
    private boolean wantsWrite;
    private int dropped; // bytes of plain HTTP

    /// Lies over the transport of a socket.
    public TlsTransport(NetLoop net, Transport socket, TlsHost host) {
        this(net, socket, host, socket.peer(), net.loop().nowNanos());
    }

    /// Lies over the transport of a socket after a header in clear. The header gives the client no more
    /// time for its handshake.
    public TlsTransport(NetLoop net, Transport socket, TlsHost host, ClearHeader header) {
        this(net, socket, host, header.client(), header.acceptedNanos());
        input.save(header.rest());
    }

    private TlsTransport(
            NetLoop net, Transport socket, TlsHost host, SocketAddress peer, long acceptedNanos) {
        this.net = net;
        this.socket = socket;
        this.host = host;
        this.acceptedNanos = acceptedNanos;
        this.input = new RecordInput(net);
        this.output = new RecordOutput(net, socket);
        this.quota = new RecordQuota(net, host.isClient());
        this.engine = new TlsEngine(net, peer, host, this::continued);
    }

    /// Continues on another loop.
    private TlsTransport(NetLoop net, Transport socket, TlsHost host, TlsEngine former) {
        this.net = net;
        this.socket = socket;
        this.host = host;
        this.acceptedNanos = net.loop().nowNanos(); // its handshake has ended
        this.input = new RecordInput(net);
        this.output = new RecordOutput(net, socket);
        this.quota = new RecordQuota(net, host.isClient());
        this.engine = new TlsEngine(net, former, this::continued);
        this.state = State.OPEN;
    }

    @Override
    public SocketAddress local() {
        return socket.local();
    }

    @Override
    public SocketAddress peer() {
        return socket.peer();
    }

    @Override
    public Encryption encryption() {
        return engine;
    }

    // Readiness

    @Override
    public void attach(Readiness readiness) {
        told = readiness;
        socket.attach(this);
        if (state == State.OPEN) {
            return; // it comes from another loop
        }
        net.loop().timers().set(handshakeEnd, acceptedNanos + host.handshakeNanos());
    }

    @Override
    public void ready(boolean readable, boolean writable) {
        if (writable && (ending || output.waitsForItself())) {
            try {
                sendOwn();
            } catch (IOException e) {
                broken();
                return;
            }
        }
        told.ready(readable, writable);
    }

    private void sendOwn() throws IOException {
        output.resume();
        if (ending) {
            end();
        }
        ask();
    }

    @Override
    public void broken() {
        told.broken();
    }

    @Override
    public void interest(boolean read, boolean write) {
        wantsRead = read;
        wantsWrite = write;
        ask();
        if (mayRead() && holdsInput()) {
            net.loop().submit(again); // the socket may have no more bytes, and reports nothing
        }
    }

    /// Asks the socket for the events that the connection waits for, if they can be of use to it, and
    /// for those that the transport itself waits for.
    private void ask() {
        boolean writes = wantsWrite && state == State.OPEN;
        socket.interest(
                mayRead() && !engine.inputEnded(), writes || ending || output.waitsForItself());
    }

    private boolean mayRead() {
        return wantsRead && !engine.isBusy() && !(engine.mustSend() && !output.isEmpty());
    }

    private void readAgain() {
        if (state != State.ENDED && mayRead() && holdsInput()) {
            told.ready(true, false);
        }
    }

    // The handshake

    /// Goes on after another thread has done work of the handshake.
    private void continued() {
        if (state != State.ENDED) {
            told.ready(true, false);
        }
    }

    private void late() {
        if (state != State.ENDED) {
            if (state != State.PLAIN) { // which was counted
                host.ended(TlsHost.End.LATE);
            }
            fault = new IOException("The TLS handshake was not complete in time");
            state = State.ENDED;
            told.broken();
        }
    }

    /// Notes that both sides have agreed, after the first step for which that is so.
    private void noteHandshake() {
        if (state == State.SHAKING && engine.isAgreed()) {
            state = State.OPEN;
            net.loop().timers().cancel(handshakeEnd);
            quota.free();
            host.ended(TlsHost.End.DONE);
        }
    }

    // Reading

    @Override
    public int read(ByteBuffer into) throws IOException {
        if (input.hasContent()) {
            return input.deliver(into);
        }
        @Nullable IOException before = fault;
        if (before != null) {
            throw before;
        }
        if (engine.isBusy()) {
            return 0;
        }
        if (state == State.PLAIN) {
            return dropPlain();
        }
        ByteBuffer records = input.load();
        try {
            return read(records, into);
        } catch (IOException e) {
            throw failed(e);
        } finally {
            if (state != State.ENDED) {
                input.save(records);
            }
        }
    }

    private int read(ByteBuffer records, ByteBuffer into) throws IOException {
        int start = into.position();
        int fills = 0;
        boolean found = true;
        quota.begin();
        while (found) {
            Step step = step(records, into, start);
            if (step == Step.NEEDS_BYTES && into.position() == start && fills < FILLS_MAX) {
                fills++;
                int n = input.fill(records, socket, into.remaining());
                if (n < 0 && state == State.NEW) {
                    return -1; // such as a balancer that only asks whether the port is open
                }
                if (n < 0) {
                    throw new IOException("The peer's stream ended without its last record");
                }
                found = n > 0;
            } else {
                found = step == Step.GO_ON;
            }
        }
        int n = into.position() - start;
        if (n > 0) {
            return n;
        }
        if (engine.inputEnded() && !engine.mustSend()) {
            endReported = true;
            return -1;
        }
        return 0;
    }

    private Step step(ByteBuffer records, ByteBuffer into, int start) throws IOException {
        if (state == State.NEW && !begin(records)) {
            return state == State.PLAIN ? Step.STOP : Step.NEEDS_BYTES;
        }
        if (engine.mustWork()) {
            engine.work();
            return Step.STOP;
        }
        if (engine.mustSend()) {
            return sendOwnRecords();
        }
        if (engine.inputEnded() || !quota.allows()) {
            return Step.STOP;
        }
        return open(records, into, start);
    }

    /// Begins the handshake if the first byte is that of one, or if this side sends it.
    private boolean begin(ByteBuffer records) throws IOException {
        if (host.isClient()) {
            return beginHandshake();
        }
        if (!records.hasRemaining()) {
            return false;
        }
        byte first = records.get(records.position());
        if (TlsRecord.beginsHandshake(first)) {
            return beginHandshake();
        }
        if (!TlsRecord.beginsHttp(first)) {
            throw new TlsFault("The first byte is not that of a TLS handshake: " + first);
        }
        state = State.PLAIN;
        host.ended(TlsHost.End.PLAIN_HTTP);
        answerPlain(records);
        return false;
    }

    private boolean beginHandshake() throws IOException {
        state = State.SHAKING;
        engine.begin();
        quota.beginHandshake();
        return true;
    }

    /// Answers plain HTTP without encryption.
    private void answerPlain(ByteBuffer records) throws IOException {
        ByteBuffer answer = net.records().outgoing();
        socket.write(PlainAnswer.bytes(answer, net.loop().epochSeconds()));
        socket.shutdownOutput();
        records.position(records.limit());
    }

    /// Drops what a client of plain HTTP still sends: many read an answer only after that. Without it,
    /// closing the socket would reset the connection, and take the answer from it (RFC 9112 §9.6).
    private int dropPlain() throws IOException {
        int n = socket.read(net.records().incoming().clear());
        dropped += Math.max(0, n);
        return n < 0 || dropped > DROP_MAX_BYTES ? -1 : 0;
    }

    private Step sendOwnRecords() throws IOException {
        if (!output.isEmpty()) {
            return Step.STOP; // what waits there was sealed before
        }
        output.send(engine.sealOwn());
        noteHandshake();
        return Step.GO_ON;
    }

    private Step open(ByteBuffer records, ByteBuffer into, int start) throws IOException {
        int length = TlsRecord.complete(records);
        if (length == 0) {
            return Step.NEEDS_BYTES;
        }
        if (!engine.mayOpen()) {
            return Step.STOP; // it is saved, and a later turn goes on
        }
        boolean direct = into.remaining() >= length;
        if (!direct && into.position() > start) {
            return Step.STOP; // the rest waits for the next read
        }
        ByteBuffer opened = direct ? into : net.records().plain().clear();
        int before = opened.position();
        engine.open(records, length, opened);
        if (state == State.OPEN) {
            quota.opened(opened.position() - before, length);
        } else {
            quota.openedInHandshake(length);
        }
        noteHandshake();
        if (!direct) {
            input.deliver(opened.flip(), into);
        }
        return input.hasContent() ? Step.STOP : Step.GO_ON;
    }

    /// Ends after a fault of the peer, or after the loss of the socket. The peer's system may still tell
    /// it the reason. A connection that is lost before its first byte has begun no handshake.
    private IOException failed(IOException why) {
        if (state == State.SHAKING || (state == State.NEW && why instanceof TlsFault)) {
            host.broken(why);
            if (!engine.isRefused()) {
                host.failed(engine.peer(), TlsHost.Trouble.of(why));
            }
            host.ended(engine.isRefused() ? TlsHost.End.REFUSED : TlsHost.End.FAILED);
        } else if (why instanceof TlsFault broken) {
            host.broken(why);
            host.faulted(broken.isFlood());
        }
        if (state != State.ENDED) {
            state = State.ENDED;
            fault = why;
            sendAlert();
        }
        return why;
    }

    private void sendAlert() {
        try {
            if (output.isEmpty() && engine.mustSend()) {
                output.send(engine.sealOwn());
            }
        } catch (IOException e) {
            // The peer has left.
        }
    }

    @Override
    public boolean mayHaveInput() {
        return holdsInput() || (!engine.inputEnded() && socket.mayHaveInput());
    }

    /// Returns whether a read finds bytes or the end without the socket.
    private boolean holdsInput() {
        return input.hasContent() || input.hasRecord() || (engine.inputEnded() && !endReported);
    }

    // Writing

    @Override
    public int write(ByteBuffer part) throws IOException {
        return (int) write(net.records().one(part), 1);
    }

    @Override
    public long write(ByteBuffer[] parts, int count) throws IOException {
        @Nullable IOException before = fault;
        if (before != null) {
            throw before;
        }
        if (state != State.OPEN) {
            return 0;
        }
        sizes.begin(net.loop().nowNanos());
        Parts rest = engine.parts().over(parts, count);
        long written = output.resume();
        rest.skip((int) written);
        while (output.isEmpty() && rest.remaining() > 0 && written < WRITE_MAX_BYTES) {
            written += engine.sealAndSend(output, sizes);
        }
        return written;
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
        if (state == State.PLAIN) {
            return; // it was ended after the answer
        }
        if (state != State.OPEN) {
            socket.shutdownOutput(); // no content was promised
            return;
        }
        output.resume(); // records of its own may wait
        ending = true;
        end();
    }

    /// Sends close_notify and then the end, as far as the socket takes what comes before.
    private void end() throws IOException {
        if (output.isEmpty()) {
            output.send(engine.sealEnd()); // nothing, the second time
        }
        if (output.isEmpty()) {
            ending = false;
            socket.shutdownOutput();
        }
    }

    @Override
    public void close() {
        try {
            if (state == State.OPEN && output.isEmpty()) {
                output.send(engine.sealEnd()); // the socket has taken all before, and takes this if
                // it can
            }
        } catch (IOException e) {
            // The peer has left.
        } finally { // also if no memory was left
            freeAnd(socket::close);
        }
    }

    @Override
    public void reset() {
        freeAnd(socket::reset);
    }

    /// A socket that stayed open would be reported again and again.
    private void freeAnd(Runnable end) {
        try {
            free();
        } finally {
            end.run();
        }
    }

    private void free() {
        if (state == State.SHAKING) {
            host.ended(TlsHost.End.FAILED);
        }
        state = State.ENDED;
        net.loop().timers().cancel(handshakeEnd);
        quota.free();
        input.free();
        output.free();
        engine.free();
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
    public void keepAlive() {
        socket.keepAlive();
    }

    @Override
    public long held() {
        return input.held() + output.held() + quota.held();
    }

    @Override
    public boolean isMovable() {
        return state == State.OPEN
                && fault == null
                && output.isEmpty()
                && !input.hasContent()
                && input.held() == 0
                && !ending
                && !engine.mustSend()
                && !engine.inputEnded();
    }

    @Override
    public LooseSocket release() {
        if (!isMovable()) {
            throw new IllegalStateException("This transport is not movable now");
        }
        return new Loose(socket.release(), host, engine);
    }

    /// An open connection between two loops.
    private record Loose(LooseSocket socket, TlsHost host, TlsEngine engine)
            implements LooseSocket {
        @Override
        public Transport on(NetLoop net) {
            return new TlsTransport(net, socket.on(net), host, engine);
        }

        @Override
        public void close() {
            engine.free();
            socket.close();
        }
    }
}
