package dev.serval.net;

import static java.lang.System.Logger.Level.WARNING;

import dev.serval.loop.Deadline;
import java.io.IOException;
import java.net.BindException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/// Listens at one bound address, for any protocol. It has a listening socket on each of its loops,
/// and the system spreads the connections among them (SO_REUSEPORT). A Unix-domain address has one
/// socket, on the first loop.
///
/// If accepting fails because no file descriptor is left, accepting pauses and resumes by itself.
/// Open connections continue meanwhile. Opened by the thread that starts the server; closed by any
/// thread.
public final class Listener {
    private static final System.Logger LOG = System.getLogger(Listener.class.getName());
    private static final long PAUSE_NANOS = 50_000_000;

    /// Receives the events that are worth counting.
    @FunctionalInterface
    public interface Watcher {
        /// Notes that accepting pauses on this loop.
        void paused(NetLoop net);
    }

    private final SocketAddress address;
    private final List<LoopAcceptor> acceptors;

    private Listener(SocketAddress address, List<LoopAcceptor> acceptors) {
        this.address = address;
        this.acceptors = acceptors;
    }

    /// Listens at `address` on all of `loops`, which must not run yet.
    ///
    /// @param backlog the number of connections that the system queues until they are accepted
    /// @throws BindException if the address is in use or does not belong to this machine
    public static Listener open(
            SocketAddress address,
            List<NetLoop> loops,
            int backlog,
            Driver.Factory drivers,
            Watcher watcher)
            throws IOException {
        List<LoopAcceptor> acceptors = new ArrayList<>();
        if (address instanceof UnixDomainSocketAddress unix) {
            removeStaleSocket(unix.getPath());
            LoopAcceptor acceptor = new LoopAcceptor(loops.getFirst(), drivers, watcher);
            acceptor.listen(address, false, backlog);
            acceptors.add(acceptor);
            return new Listener(address, acceptors);
        }
        SocketAddress bound = loops.getFirst().network().probe(address);
        try {
            for (NetLoop loop : loops) {
                LoopAcceptor acceptor = new LoopAcceptor(loop, drivers, watcher);
                acceptor.listen(bound, true, backlog);
                acceptors.add(acceptor);
            }
        } catch (IOException e) {
            acceptors.forEach(LoopAcceptor::close);
            throw e;
        }
        return new Listener(bound, acceptors);
    }

    /// Returns the bound address.
    public SocketAddress address() {
        return address;
    }

    /// Stops accepting. Connections that the system has already accepted are still handed over. Any
    /// thread. Takes effect in each loop's next turn. The file of a Unix-domain socket is deleted
    /// there too, on the first loop. That loop waits for the file system, once, while it stops
    /// accepting.
    public void close() {
        for (LoopAcceptor acceptor : acceptors) {
            acceptor.net.loop().execute(acceptor::close);
        }
        if (address instanceof UnixDomainSocketAddress unix) {
            acceptors.getFirst().net.loop().execute(() -> delete(unix.getPath()));
        }
    }

    /// Removes a socket file at which no server answers: a killed server left it.
    private static void removeStaleSocket(Path path) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        boolean socket =
                Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                        .isOther();
        if (!socket) {
            throw new BindException(path + " exists and is not a socket");
        }
        if (answers(path)) {
            throw new BindException("Address already in use: " + path);
        }
        Files.delete(path);
    }

    private static boolean answers(Path path) {
        try {
            SocketChannel.open(UnixDomainSocketAddress.of(path)).close();
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    private static void delete(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            LOG.log(WARNING, "Cannot remove the socket file " + path, e);
        }
    }

    /// The listening socket of one loop.
    private static final class LoopAcceptor implements Network.Acceptor {
        private final NetLoop net;
        private final Driver.Factory drivers;
        private final Watcher watcher;
        private final Deadline resume = new Deadline(this::resume);
        private Network.Listening listening = Network.Listening.NONE;

        LoopAcceptor(NetLoop net, Driver.Factory drivers, Watcher watcher) {
            this.net = net;
            this.drivers = drivers;
            this.watcher = watcher;
        }

        void listen(SocketAddress address, boolean shared, int backlog) throws IOException {
            listening = net.network().listen(address, shared, backlog, this);
        }

        void close() {
            listening.close();
            listening = Network.Listening.NONE;
            net.loop().timers().cancel(resume);
        }

        @Override
        public void accepted(Transport transport) {
            net.open(transport, drivers);
        }

        @Override
        public void acceptFailed(IOException why) {
            if (!resume.isSet()) {
                listening.accepting(false);
                net.loop().timers().set(resume, net.loop().nowNanos() + PAUSE_NANOS);
                watcher.paused(net);
            }
        }

        private void resume() {
            listening.accepting(true);
        }
    }
}
