package dev.serval.net;

import dev.serval.loop.EventLoop;
import dev.serval.loop.LoopParts;
import dev.serval.loop.Poller;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// An event loop with its sockets, its buffers and its connections: all of net that one thread owns.
///
/// One buffer for reading and one for answers serve every connection of the loop in turn, so that
/// both stay in the processor's cache. Whoever used one last is asked to save what it left there
/// before the next takes it, and at the end of the turn.
public final class NetLoop implements Poller {
    /// Bytes of answers in a turn, past which each connection has one more request served: else
    /// hundreds of connections that pipeline requests would make the others wait for all their shares.
    private static final long ANSWERED_PER_TURN_MAX_BYTES = 4 << 20;

    private final EventLoop loop;
    private final Network network;
    private final BufferPool pool = new BufferPool();
    private final ByteBuffer readBuffer;
    private final byte[] sharedRead;
    private final ByteBuffer turnBuffer;
    private final ByteBuffer[] gather = new ByteBuffer[Output.GATHER_MAX];
    private @Nullable Connection firstTouched; // a list that takes no memory to grow
    private @Nullable Connection lastTouched;
    private @Nullable Input sharedReadOwner;
    private @Nullable Output turnOwner;
    private @Nullable Connection newest;
    private final long heldMaxBytes;
    private final Relief relief;
    private int connections;
    private long opened;
    private long answeredInTurn;
    private boolean exhausted; // an allocation failed since the last relief

    /// A loop that turns when its [#loop] is run.
    ///
    /// @param parts what its event loop is made with
    /// @param readBytes most bytes of one read
    /// @param turnBytes bytes of answers gathered before they are sent
    /// @param heldMaxBytes what its connections may hold beyond a turn; past it those end that hold
    ///     most
    public NetLoop(
            LoopParts parts, Network network, int readBytes, int turnBytes, long heldMaxBytes) {
        this.network = network;
        this.heldMaxBytes = heldMaxBytes;
        this.relief = new Relief(this, heldMaxBytes);
        this.readBuffer = ByteBuffer.allocateDirect(readBytes);
        this.sharedRead = new byte[readBytes];
        this.turnBuffer = ByteBuffer.allocateDirect(turnBytes);
        this.loop = new EventLoop(parts, this);
    }

    /// The loop itself.
    public EventLoop loop() {
        return loop;
    }

    /// The sockets.
    public Network network() {
        return network;
    }

    /// The lent memory.
    public BufferPool pool() {
        return pool;
    }

    /// Whether connections hold so much that none should take more without need.
    public boolean isShortOfMemory() {
        return pool.held() > heldMaxBytes / 2;
    }

    /// A connection was given answers of so many bytes.
    public void answered(long bytes) {
        answeredInTurn += bytes;
    }

    /// Whether the connections have got so much in this turn that the rest should be brief.
    public boolean isTurnFull() {
        return answeredInTurn > ANSWERED_PER_TURN_MAX_BYTES;
    }

    /// Connections open on this loop.
    public int connections() {
        return connections;
    }

    /// Calls `visit` for every connection; it may close the one it is called for.
    public void forEach(Consumer<Connection> visit) {
        @Nullable Connection next = newest;
        while (next != null) {
            Connection one = next;
            next = one.older;
            visit.accept(one);
        }
    }

    /// Makes a connection of an open transport. Reads at once, since a client's first bytes are
    /// often here before its connection is.
    public Connection open(Transport transport, Driver.Factory drivers) {
        Connection connection = made(transport);
        connection.older = newest;
        if (newest != null) {
            newest.newer = connection;
        }
        newest = connection;
        connections++;
        connection.start(drivers);
        return connection;
    }

    private Connection made(Transport transport) {
        try {
            return new Connection(this, transport, ++opened);
        } catch (Error e) { // no memory: without a connection the socket would never be closed
            exhausted();
            transport.reset();
            throw e;
        }
    }

    /// Connects to `address`; `drivers` makes the driver once it is open, `failed` hears if not.
    public void connect(
            SocketAddress address, Driver.Factory drivers, Consumer<IOException> failed) {
        network.connect(
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
    public void dispatch() {
        network.dispatch();
    }

    @Override
    public void endTurn() {
        @Nullable Connection one = firstTouched;
        while (one != null) {
            firstTouched = one.nextTouched;
            if (firstTouched == null) {
                lastTouched = null;
            }
            one.nextTouched = null;
            one.isListed = false;
            one.flush();
            one = firstTouched;
        }
        relieveIfShort();
        answeredInTurn = 0;
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

    /// Frees memory if connections hold too much. Called while no connection is in a call.
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

    /// The connection that was opened last, or null.
    @Nullable Connection newest() {
        return newest;
    }

    /// To be settled when the turn ends.
    void addDirty(Connection connection) {
        if (connection.isListed) {
            return;
        }
        connection.isListed = true;
        @Nullable Connection before = lastTouched;
        if (before == null) {
            firstTouched = connection;
        } else {
            before.nextTouched = connection;
        }
        lastTouched = connection;
    }

    /// Scratch for one gathering write.
    ByteBuffer[] gather() {
        return gather;
    }

    ByteBuffer readBuffer() {
        return readBuffer;
    }

    /// The shared array for reading; whoever had it saves what it left there.
    byte[] takeSharedReadBuffer(Input owner) {
        @Nullable Input last = sharedReadOwner;
        if (last != null && !last.equals(owner)) {
            last.save();
        }
        sharedReadOwner = owner;
        return sharedRead;
    }

    void leaveSharedReadBuffer() {
        sharedReadOwner = null;
    }

    /// The shared buffer for answers; what another left there is sent first.
    ByteBuffer takeTurnBuffer(Output owner) {
        @Nullable Output last = turnOwner;
        if (!owner.equals(last)) {
            if (last != null) {
                last.flush();
            }
            turnOwner = owner;
            turnBuffer.clear();
        }
        return turnBuffer;
    }

    void leaveTurnBuffer() {
        turnOwner = null;
    }
}
