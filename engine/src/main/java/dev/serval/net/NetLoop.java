package dev.serval.net;

import dev.serval.loop.EventLoop;
import dev.serval.loop.LoopParts;
import dev.serval.loop.Poller;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Combines an event loop with its sockets, buffers and connections: everything of net that one
/// thread owns.
public final class NetLoop implements Poller {
    /// Bytes of answers in a turn, past which each connection may serve only one more request.
    /// Otherwise, hundreds of connections with pipelined requests would make the others wait for
    /// all of their answers.
    private static final long ANSWERED_PER_TURN_MAX_BYTES = 1 << 20;

    /// The most connections that are read completely in one turn while they await a head.
    static final int READ_PER_TURN_MAX = 32;

    /// The most records of TLS handshakes that are opened in one turn by an engine which works on the loop.
    /// Each may take some 200 µs.
    public static final int SHAKEN_PER_TURN_MAX = 32;

    private final EventLoop loop;
    private final Network network;
    private final DiskThreads diskThreads;
    private final BufferPool pool = new BufferPool();
    private final SharedBuffers shared;
    private final Conduits conduits;
    private @Nullable RecordBuffers records; // only if a transport needs them
    private @Nullable Connection firstDirty; // a linked list, which grows without memory
    private @Nullable Connection lastDirty;
    private @Nullable Connection newest;
    private final long heldMaxBytes;
    private final Relief relief;
    private int connections;
    private long opened;
    private long answeredInTurn;
    private int readInTurn;
    private int shakenInTurn;
    private boolean exhausted; // an allocation failed since the last relief
    private boolean closed;

    /// Creates a loop that turns when its [#loop] runs.
    ///
    /// @param parts the parts of its event loop
    /// @param diskThreads read what is not in memory of files that a transport cannot send
    /// @param readBytes the most bytes of one read
    /// @param turnBytes bytes of answers gathered before they are sent
    /// @param heldMaxBytes bytes that its connections may hold beyond a turn; past it the
    ///     connections that hold most end
    public NetLoop(
            LoopParts parts,
            Network network,
            DiskThreads diskThreads,
            int readBytes,
            int turnBytes,
            long heldMaxBytes) {
        this.network = network;
        this.conduits = new Conduits(network);
        this.diskThreads = diskThreads;
        this.heldMaxBytes = heldMaxBytes;
        this.relief = new Relief(this, heldMaxBytes);
        this.shared = new SharedBuffers(readBytes, turnBytes);
        this.loop = new EventLoop(parts, this);
    }

    /// Returns the sockets and buffers of an event loop.
    ///
    /// @param loop such as `EngineExchange.loop()`
    /// @throws IllegalArgumentException if it is not the event loop of a NetLoop
    public static NetLoop of(Executor loop) {
        if (loop instanceof EventLoop event && event.poller() instanceof NetLoop net) {
            return net;
        }
        throw new IllegalArgumentException("This loop has no sockets: " + loop);
    }

    /// Returns the event loop.
    public EventLoop loop() {
        return loop;
    }

    /// Returns the sockets.
    public Network network() {
        return network;
    }

    /// Returns the threads that may wait for a disk.
    DiskThreads diskThreads() {
        return diskThreads;
    }

    /// Returns the pool of lent memory.
    public BufferPool pool() {
        return pool;
    }

    /// Returns the buffers for transports that send and receive records.
    public RecordBuffers records() {
        @Nullable RecordBuffers present = records;
        if (present == null) {
            present = new RecordBuffers();
            records = present;
        }
        return present;
    }

    /// Lends an empty conduit for bytes from one of this loop's sockets to another; null if there is
    /// none, so that the bytes must be copied. [#giveBack] must follow.
    public @Nullable Conduit conduit() {
        return conduits.lend();
    }

    /// Returns the conduits that are lent.
    public int conduitsLent() {
        return conduits.lent();
    }

    /// Takes a conduit back, also one that still holds bytes.
    public void giveBack(Conduit conduit) {
        conduits.giveBack(conduit);
    }

    /// Returns whether connections hold so much memory that none should take more than it needs.
    public boolean isShortOfMemory() {
        return pool.held() > heldMaxBytes / 2;
    }

    /// Counts bytes of answers that a connection wrote in this turn.
    public void answered(long bytes) {
        answeredInTurn += bytes;
    }

    /// Counts a connection that is read in this turn while it awaits a head.
    void countRead() {
        readInTurn++;
    }

    /// Counts a record of a TLS handshake that is to be opened on the loop.
    ///
    /// @return whether it may be in this turn; otherwise hundreds of handshakes that begin at once would
    ///     make all other connections wait
    public boolean mayShake() {
        return shakenInTurn++ < SHAKEN_PER_TURN_MAX;
    }

    /// Returns whether so many connections have been read in this turn that the others should be read
    /// briefly.
    boolean isCrowded() {
        return readInTurn >= READ_PER_TURN_MAX;
    }

    /// Returns whether the connections have written so many bytes in this turn that each should be
    /// brief.
    public boolean isTurnFull() {
        return answeredInTurn > ANSWERED_PER_TURN_MAX_BYTES;
    }

    /// Returns the number of open connections on this loop.
    public int connections() {
        return connections;
    }

    /// Calls `visit` for every connection. It may close the connection that is passed to it.
    public void forEach(Consumer<Connection> visit) {
        @Nullable Connection next = newest;
        while (next != null) {
            Connection one = next;
            next = one.older;
            visit.accept(one);
        }
    }

    /// Drains the connections that `drivers` serves.
    void drain(Driver.Factory drivers) {
        forEach(one -> {
            if (one.comesFrom(drivers)) {
                one.drain();
            }
        });
    }

    /// Creates a connection on an open transport, or on what the driver's factory lays over it
    /// ([Driver.Factory#transport]). It reads at once, because a client's first bytes often arrive
    /// before its connection is accepted.
    public Connection open(Transport transport, Driver.Factory drivers) {
        Connection connection = made(transport, drivers);
        connection.older = newest;
        if (newest != null) {
            newest.newer = connection;
        }
        newest = connection;
        connections++;
        connection.start();
        return connection;
    }

    private Connection made(Transport transport, Driver.Factory drivers) {
        try {
            return new Connection(this, drivers.transport(this, transport), drivers, ++opened);
        } catch (RuntimeException | Error e) { // no connection is there to close the socket
            if (e instanceof Error) {
                exhausted();
            }
            transport.reset();
            throw e;
        }
    }

    /// Opens a connection on a socket that another loop gave up ([Connection#giveUp]). It reads at
    /// once, as [#open] does.
    ///
    /// @return null if this loop has ended; then the socket is closed
    public @Nullable Connection adopt(LooseSocket socket, Driver.Factory drivers) {
        if (closed) {
            socket.close();
            return null;
        }
        return open(socket.on(this), drivers);
    }

    /// Connects to `address`. Then `drivers` creates the driver, or `failed` receives the error.
    ///
    /// @return ends the attempt if it has no result yet; then neither is called. On the loop
    public Runnable connect(
            SocketAddress address, Driver.Factory drivers, Consumer<IOException> failed) {
        if (closed) {
            failed.accept(new IOException("The loop has ended"));
            return () -> {};
        }
        return network.connect(
                address,
                new Network.Connecting() {
                    @Override
                    public void connected(Transport transport) {
                        open(transport, drivers);
                    }

                    @Override
                    public void connectFailed(IOException why) {
                        failed.accept(why);
                    }
                });
    }

    @Override
    public void poll(long timeoutNanos) {
        network.poll(timeoutNanos);
    }

    @Override
    public void dispatch(BooleanSupplier enough) {
        network.dispatch(enough);
    }

    @Override
    public void endTurn() {
        flushDirty();
        relieveIfShort();
        while (firstDirty != null) { // what the ended connections had to do with others
            flushDirty();
            relieveIfShort();
        }
        answeredInTurn = 0;
        readInTurn = 0;
        shakenInTurn = 0;
    }

    private void flushDirty() {
        @Nullable Connection one = firstDirty;
        while (one != null) {
            firstDirty = one.nextDirty;
            if (firstDirty == null) {
                lastDirty = null;
            }
            one.nextDirty = null;
            one.isListed = false;
            one.flush();
            one = firstDirty;
        }
    }

    @Override
    public void wakeup() {
        network.wakeup();
    }

    @Override
    public void close() {
        forEach(Connection::endWithLoop);
        endTurn();
        forEach(Connection::abort); // answers that the socket did not take
        endTurn();
        closed = true;
        conduits.close();
        network.close();
    }

    void forget(Connection connection) {
        @Nullable Connection newer = connection.newer;
        @Nullable Connection older = connection.older;
        if (newer != null) {
            newer.older = older;
        } else {
            newest = older;
        }
        if (older != null) {
            older.newer = newer;
        }
        connections--;
    }

    /// Frees memory if connections hold too much. No connection may be in a call.
    void relieveIfShort() {
        if (exhausted) {
            exhausted = false;
            relief.runExhausted();
        }
        if (pool.held() > heldMaxBytes) {
            relief.run();
        }
    }

    /// Notes that an allocation failed.
    void exhausted() {
        exhausted = true;
    }

    /// Returns the connection that was opened last, or null.
    @Nullable Connection newest() {
        return newest;
    }

    /// Adds a connection to the list of those to flush at the end of the turn.
    void addDirty(Connection connection) {
        if (connection.isListed) {
            return;
        }
        connection.isListed = true;
        @Nullable Connection before = lastDirty;
        if (before == null) {
            firstDirty = connection;
        } else {
            before.nextDirty = connection;
        }
        lastDirty = connection;
    }

    /// Returns the buffers that its connections share.
    SharedBuffers shared() {
        return shared;
    }
}
