package dev.serval.net;

import static java.lang.System.Logger.Level.WARNING;

import dev.serval.loop.Deadline;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// Listens at one bound address, for any protocol. It has a listening socket on each of its loops,
/// and the system spreads the connections among them (SO_REUSEPORT). A Unix-domain address has one
/// socket, on the first loop.
///
/// If accepting fails because no file descriptor is left, accepting pauses and resumes by itself.
/// Open connections continue meanwhile. Any thread opens and closes it, but each socket is touched
/// only by its loop, by the [Steps].
public final class Listener {
    private static final System.Logger LOG = System.getLogger(Listener.class.getName());
    private static final long PAUSE_NANOS = 50_000_000;

    /// How long the system's queue stays short after a pause for the load.
    private static final long SHORT_NANOS = 1_000_000_000;

    private static final int SHORT_QUEUE_LEAST = 64;

    /// How long the queue is not shortened after a duplicate was made, because the process that gets it
    /// takes the length for the usual one.
    private static final long HAND_OVER_NANOS = 60_000_000_000L;

    /// Receives the events that are worth counting.
    @FunctionalInterface
    public interface Watcher {
        /// Notes that accepting has failed and pauses on this loop.
        void paused(NetLoop net);

        /// Notes that accepting pauses on this loop because its drivers are overloaded.
        default void pausedForLoad(NetLoop net) {}
    }

    /// What is done on one loop.
    @FunctionalInterface
    public interface Step {
        /// Does it.
        void run() throws IOException;
    }

    /// Carries out steps on loops.
    public interface Steps {
        /// Carries out steps at once, because the loops do not run yet.
        Steps AT_ONCE =
                new Steps() {
                    @Override
                    public void on(NetLoop net, Step step) throws IOException {
                        step.run();
                    }

                    @Override
                    public void later(NetLoop net, Runnable step) {
                        step.run();
                    }
                };

        /// Carries out `step` on a loop and returns after that.
        ///
        /// @throws IOException if the step throws it, or the loop does not answer; then the step may
        ///     still run, but before the steps that follow on that loop
        void on(NetLoop net, Step step) throws IOException;

        /// Carries out `step` on a loop soon.
        void later(NetLoop net, Runnable step);
    }

    private final SocketAddress address;
    private final List<LoopAcceptor> acceptors = new ArrayList<>();
    private final AtomicInteger ended = new AtomicInteger(); // acceptors
    private final boolean takesFile; // of another process, when it begins
    private volatile boolean ownsFile; // of a Unix-domain socket

    private Listener(SocketAddress address, boolean ownsFile, boolean takesFile) {
        this.address = address;
        this.ownsFile = ownsFile;
        this.takesFile = takesFile;
    }

    /// Where to listen.
    ///
    /// @param backlog the number of connections that the system queues until they are accepted
    /// @param ownerOnly whether only the user of this process may connect to a Unix-domain socket
    /// @param beside whether other sockets of this process may have an address that overlaps with this
    ///     one, because this one is to replace them. The system then no longer says whether a process of
    ///     the same user listens there too
    public record Binding(SocketAddress address, int backlog, boolean ownerOnly, boolean beside) {}

    /// Listens at `address` on all of `loops`, which must not run yet.
    ///
    /// @param backlog as in [Binding]
    /// @throws BindException if the address is in use or does not belong to this machine
    public static Listener open(
            SocketAddress address,
            List<NetLoop> loops,
            int backlog,
            Driver.Factory drivers,
            Watcher watcher)
            throws IOException {
        Binding binding = new Binding(address, backlog, false, false);
        Listener listener = bind(binding, loops, drivers, watcher, Steps.AT_ONCE);
        listener.begin(Steps.AT_ONCE);
        return listener;
    }

    /// Binds an address on all of `loops`. Nothing is accepted until [#begin]. If that fails, nothing is
    /// left there.
    ///
    /// @param drivers must equal those of no other listener
    /// @throws BindException if the address is in use or does not belong to this machine
    public static Listener bind(
            Binding binding,
            List<NetLoop> loops,
            Driver.Factory drivers,
            Watcher watcher,
            Steps steps)
            throws IOException {
        SocketAddress address = binding.address;
        if (address instanceof UnixDomainSocketAddress unix) {
            removeStaleSocket(unix.getPath());
            Listener listener = new Listener(address, true, false);
            LoopAcceptor only = listener.acceptor(loops.getFirst(), drivers, watcher);
            listener.onOne(steps, only, () -> only.bind(binding, address, false));
            return listener;
        }
        SocketAddress bound = binding.beside ? address : loops.getFirst().network().probe(address);
        Listener listener = new Listener(bound, false, false);
        for (NetLoop loop : loops) {
            LoopAcceptor acceptor = listener.acceptor(loop, drivers, watcher);
            listener.onOne(steps, acceptor, () -> acceptor.bind(binding, bound, true));
        }
        return listener;
    }

    /// Takes listening sockets that this process did not open. Each loop has a part of them, or shares
    /// one with other loops if there are fewer sockets than loops. Nothing is accepted until [#begin].
    ///
    /// @param socket descriptors of sockets that are bound to one address
    /// @param drivers as for `bind`
    /// @throws IOException if the network has no descriptors, or one of these is of no use
    public static Listener inherit(
            Inherited socket,
            List<NetLoop> loops,
            Driver.Factory drivers,
            Watcher watcher,
            Steps steps)
            throws IOException {
        Listener listener = new Listener(socket.address(), false, socket.ownsFile());
        boolean alone = socket.descriptors().size() >= loops.size();
        for (int i = 0; i < loops.size(); i++) {
            LoopAcceptor acceptor = listener.acceptor(loops.get(i), drivers, watcher);
            List<Integer> part = socket.part(i, loops.size());
            listener.onOne(steps, acceptor, () -> acceptor.inherit(socket.address(), part, alone));
        }
        return listener;
    }

    /// Begins to accept, on each loop. If that fails, nothing is left there.
    public void begin(Steps steps) throws IOException {
        for (LoopAcceptor acceptor : acceptors) {
            onOne(steps, acceptor, acceptor::begin);
        }
        ownsFile = ownsFile || takesFile;
    }

    /// Serves new connections by other drivers, and drains those that the former ones serve. Returns
    /// after each loop does so.
    ///
    /// @param drivers as for `bind`
    /// @param backlog as in [Binding]; a network that cannot change it leaves it
    /// @throws IOException if a loop does not answer in time; each loop still does it
    public void serve(Steps steps, Driver.Factory drivers, int backlog) throws IOException {
        onEach(steps, acceptor -> acceptor.serve(drivers, backlog));
    }

    /// Listening sockets that another process has opened.
    ///
    /// @param address the address that they are bound to
    /// @param descriptors at least one
    /// @param ownsFile whether the listener deletes the file of a Unix-domain socket when it closes
    public record Inherited(SocketAddress address, List<Integer> descriptors, boolean ownsFile) {
        /// Copies the list.
        public Inherited {
            descriptors = List.copyOf(descriptors);
        }

        /// Returns the descriptors for one of `loops` loops, so that each descriptor has one.
        private List<Integer> part(int loop, int loops) {
            int size = descriptors.size();
            if (size < loops) {
                return List.of(descriptors.get(loop % size));
            }
            List<Integer> part = new ArrayList<>();
            for (int i = loop; i < size; i += loops) {
                part.add(descriptors.get(i));
            }
            return part;
        }
    }

    private LoopAcceptor acceptor(NetLoop loop, Driver.Factory drivers, Watcher watcher) {
        LoopAcceptor acceptor = new LoopAcceptor(loop, drivers, watcher);
        acceptors.add(acceptor);
        return acceptor;
    }

    /// Carries out a step on one loop. If that fails, all of them end.
    private void onOne(Steps steps, LoopAcceptor acceptor, Step step) throws IOException {
        boolean done = false;
        try {
            steps.on(acceptor.net, step);
            done = true;
        } finally {
            if (!done) {
                endLater(steps);
            }
        }
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
            acceptor.net.loop().execute(() -> close(acceptor));
        }
    }

    /// Stops accepting as [#close] does, and drains the connections that were accepted. Returns after
    /// each loop has done so.
    ///
    /// @throws IOException if a loop does not answer in time; each loop still ends it
    public void end(Steps steps) throws IOException {
        onEach(steps, this::end);
    }

    /// Ends it as [#end] does, soon.
    public void endLater(Steps steps) {
        acceptors.forEach(one -> steps.later(one.net, () -> end(one)));
    }

    private void onEach(Steps steps, Consumer<LoopAcceptor> step) throws IOException {
        int next = 0;
        try {
            while (next < acceptors.size()) {
                LoopAcceptor acceptor = acceptors.get(next++);
                steps.on(acceptor.net, () -> step.accept(acceptor));
            }
        } finally { // after the first loop that does not answer, no other one is waited for
            for (LoopAcceptor acceptor : acceptors.subList(next, acceptors.size())) {
                steps.later(acceptor.net, () -> step.accept(acceptor));
            }
        }
    }

    /// Stops accepting, and leaves the connections that wait and the file of a Unix-domain socket to
    /// the process that has the duplicates. Returns after each loop has stopped.
    ///
    /// @throws IOException if a loop does not answer in time; each loop still does it
    public void leave(Steps steps) throws IOException {
        ownsFile = false;
        onEach(steps, LoopAcceptor::leave);
    }

    /// Adds duplicates of the descriptors of all its sockets to `into`. The caller closes them, also if
    /// this fails.
    ///
    /// @param into a list that several threads may use
    /// @throws IOException if the network has no descriptors, or none is free
    public void duplicate(Steps steps, List<Integer> into) throws IOException {
        for (LoopAcceptor acceptor : acceptors) {
            steps.on(acceptor.net, () -> acceptor.duplicate(into));
        }
    }

    /// Returns whether it deletes the file of its Unix-domain socket when it closes.
    public boolean ownsFile() {
        return ownsFile;
    }

    /// Returns whether each loop has carried out [#end].
    public boolean hasEnded() {
        return ended.get() == acceptors.size();
    }

    private void end(LoopAcceptor acceptor) {
        close(acceptor);
        acceptor.end();
        ended.incrementAndGet();
    }

    private void close(LoopAcceptor acceptor) {
        boolean bound = !acceptor.sockets.isEmpty();
        acceptor.close();
        boolean first = acceptor.equals(acceptors.getFirst());
        if (first && bound && ownsFile && address instanceof UnixDomainSocketAddress unix) {
            delete(unix.getPath());
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

    /// Returns whether a server answers. Only a refusal says that none does: without that, such as for want
    /// of a descriptor or of rights, the file may be in use.
    private static boolean answers(Path path) throws BindException {
        try {
            SocketChannel.open(UnixDomainSocketAddress.of(path)).close();
            return true;
        } catch (ConnectException refused) {
            return false;
        } catch (IOException e) {
            throw new BindException(
                    "Address already in use: " + path + " (" + e.getMessage() + ")");
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
        private final Watcher watcher;
        private final Deadline resume = new Deadline(this::resume);
        private final Deadline lengthen = new Deadline(this::lengthen);
        private final AcceptRate rate;
        private boolean alone = true; // no other loop accepts from these sockets
        private long mayShortenNanos; // the instant from which the queues may be short
        private final List<Network.Listening> sockets = new ArrayList<>();
        private Driver.Factory drivers;

        LoopAcceptor(NetLoop net, Driver.Factory drivers, Watcher watcher) {
            this.net = net;
            this.drivers = drivers;
            this.watcher = watcher;
            this.rate = new AcceptRate(net.loop().nowNanos());
            this.mayShortenNanos = net.loop().nowNanos();
        }

        /// @param address that of the binding, with its actual port
        void bind(Binding binding, SocketAddress address, boolean shared) throws IOException {
            sockets.add(
                    net.network()
                            .bind(
                                    new Network.Binding(
                                            address, shared, binding.ownerOnly, binding.backlog),
                                    this));
        }

        void begin() throws IOException {
            for (Network.Listening socket : sockets) {
                socket.begin();
            }
        }

        void serve(Driver.Factory next, int backlog) {
            Driver.Factory former = drivers;
            drivers = next;
            sockets.forEach(socket -> socket.backlog(backlog));
            net.drain(former);
        }

        void inherit(SocketAddress address, List<Integer> descriptors, boolean forOneLoop)
                throws IOException {
            alone = forOneLoop;
            for (int descriptor : descriptors) {
                sockets.add(net.network().inherit(descriptor, address, this));
            }
        }

        void duplicate(List<Integer> into) throws IOException {
            lengthen();
            mayShortenNanos = net.loop().nowNanos() + HAND_OVER_NANOS;
            for (Network.Listening one : sockets) {
                into.add(one.duplicate());
            }
        }

        void close() {
            lengthen();
            sockets.forEach(Network.Listening::close);
            forget();
        }

        /// Closes the sockets without accepting what waits.
        void leave() {
            lengthen();
            sockets.forEach(Network.Listening::leave);
            forget();
        }

        private void forget() {
            sockets.clear();
            net.loop().timers().cancel(resume);
            net.loop().timers().cancel(lengthen);
        }

        /// Closes the socket, and drains the connections that were accepted.
        void end() {
            close();
            net.drain(drivers);
        }

        @Override
        public void accepted(Transport transport) {
            rate.count(net.loop().nowNanos());
            net.open(transport, drivers);
        }

        @Override
        public void acceptFailed(IOException why) {
            if (pause(PAUSE_NANOS)) {
                watcher.paused(net);
            }
        }

        @Override
        public boolean mayAccept() {
            long nanos = drivers.acceptPauseNanos(net);
            if (nanos > 0 && pause(nanos)) {
                shorten();
                watcher.pausedForLoad(net);
            }
            return nanos <= 0;
        }

        /// @return false if accepting pauses already
        private boolean pause(long nanos) {
            if (resume.isSet()) {
                return false;
            }
            accepting(false);
            net.loop().timers().set(resume, net.loop().nowNanos() + nanos);
            return true;
        }

        private void resume() {
            accepting(true);
        }

        /// Has the system queue no more connections than the loop has accepted in the last 100 to
        /// 200 ms, or 64. In a longer queue each client would wait until the answer is of no use,
        /// and the server cannot see how long it has waited. The system does not answer the SYN of
        /// other clients, which try again.
        private void shorten() {
            long now = net.loop().nowNanos();
            if (!alone || now - mayShortenNanos < 0) {
                return;
            }
            int queue = Math.max(SHORT_QUEUE_LEAST, rate.lately(now) / sockets.size());
            sockets.forEach(socket -> socket.queueAtMost(queue));
            net.loop().timers().set(lengthen, now + SHORT_NANOS);
        }

        /// Gives the queues their usual length, also before another process has the sockets alone.
        private void lengthen() {
            sockets.forEach(socket -> socket.queueAtMost(Integer.MAX_VALUE));
        }

        private void accepting(boolean on) {
            sockets.forEach(one -> one.accepting(on));
        }
    }
}
