package dev.serval.net.epoll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.net.Connection;
import dev.serval.net.Driver;
import dev.serval.net.Listener;
import dev.serval.net.NetLoop;
import dev.serval.net.Network;
import dev.serval.net.Transport;
import dev.serval.net.nio.NioNetwork;
import dev.serval.testkit.Await;
import java.io.IOException;
import java.lang.reflect.Field;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests the faults that only epoll can have, with real sockets and a loop that the test turns by
/// hand.
final class EpollNetworkTest {
    /// Probably more than there are free file descriptors below the one that matters.
    private static final int CLIENTS = 32;

    private static final SocketAddress LOOPBACK =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    @TempDir private Path folder;
    private final List<Connection> opened = new ArrayList<>();
    private final List<String> calls = new ArrayList<>();
    private boolean readsAfterBreak;

    @BeforeEach
    void needsEpoll() {
        Assumptions.assumeTrue(
                EpollNetwork.unavailable() == null, "needs epoll: " + EpollNetwork.unavailable());
    }

    /// The system reuses a closed file descriptor at once. An event noted for the old connection,
    /// here the end of its peer, must not reach the new one.
    @Test
    void eventOfClosedConnectionDoesNotReachSuccessorOfItsDescriptor() throws IOException {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("s"));
        NetLoop net = newLoop();
        List<SocketChannel> clients = new ArrayList<>();
        try {
            Network.Listening listening =
                    listening(net.network(), address, 2 * CLIENTS, new Accepting(net));
            SocketChannel gone = SocketChannel.open(address);
            net.loop().turn(false);
            Connection old = opened.removeFirst();
            gone.close();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(SocketChannel.open(address));
            }
            net.poll(0);
            old.abort();
            net.endTurn(); // closes the descriptor
            listening.close(); // accepts waiting clients: one gets that descriptor
            assertThat(opened).hasSize(CLIENTS);
            calls.clear();
            net.dispatch(() -> false);
            net.endTurn();
            assertThat(calls).isEmpty();
            assertThat(opened).allMatch(Connection::isOpen);

            clients.getLast().write(ByteBuffer.wrap(new byte[1]));
            opened.getLast().wantRead(true);
            net.endTurn();
            net.loop().turn(false);
            assertThat(calls).as("its own event").containsExactly("readable");
        } finally {
            for (SocketChannel client : clients) {
                client.close();
            }
            net.close();
        }
    }

    /// After both sides have ended their direction, epoll reports a hang-up. That is no loss: what
    /// the peer sent before can still be read.
    @Test
    void endOfBothDirectionsIsNoLossAndReportedOnce() throws IOException {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("s"));
        NetLoop net = newLoop();
        try (SocketChannel client = connectThrough(net, address)) {
            Connection server = opened.getFirst();
            server.endOutput();
            net.endTurn();
            client.write(ByteBuffer.wrap(new byte[5]));
            client.shutdownOutput();
            for (int i = 0; i < 3; i++) {
                net.loop().turn(false);
            }
            assertThat(calls).isEmpty();
            server.wantRead(true);
            net.endTurn();
            net.loop().turn(false);
            assertThat(calls).containsExactly("readable");
        } finally {
            net.close();
        }
    }

    @Test
    void readsOfAFileWhatTheSystemHasInMemory() throws IOException {
        NetLoop net = newLoop();
        byte[] bytes = new byte[40_000];
        new Random(7).nextBytes(bytes);
        Path path = Files.write(folder.resolve("file"), bytes); // so it is in memory now
        ByteBuffer[] into = {ByteBuffer.allocateDirect(10_000), ByteBuffer.allocateDirect(50_000)};
        try (FileChannel file = FileChannel.open(path);
                FileChannel never = FileChannel.open(Path.of("/proc/self/status"))) {
            into[0].position(1000);
            long read = net.network().readNow(file, 5000, into, 2);
            Assumptions.assumeTrue(read != 0, "This file system cannot say what is in memory.");
            assertThat(read).isEqualTo(35_000);
            assertThat(into[0].position()).isEqualTo(10_000);
            assertThat(into[1].position()).isEqualTo(26_000);
            byte[] rest = new byte[26_000];
            into[1].get(0, rest);
            assertThat(rest).isEqualTo(Arrays.copyOfRange(bytes, 14_000, 40_000));
            into[0].clear();
            assertThat(net.network().readNow(file, 40_000, into, 1)).isZero();
            assertThat(net.network().readNow(never, 0, into, 1)).isZero();
            assertThat(into[0].position()).isZero();
            ByteBuffer[] many = new ByteBuffer[65]; // one more than fit in a call
            Arrays.setAll(many, _ -> ByteBuffer.allocateDirect(1));
            assertThat(net.network().readNow(file, 0, many, many.length)).isEqualTo(64);
            assertThat(many[63].position()).isOne();
            assertThat(many[64].position()).isZero();
        } finally {
            net.close();
        }
    }

    @Test
    void socketThatOthersUsePausesAndResumes() throws IOException {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("s"));
        NetLoop net = newLoop();
        Network.Listening own = listening(net.network(), address, 8, new Accepting(net));
        int duplicate = own.duplicate();
        Network.Listening shared =
                begun(net.network().inherit(duplicate, address, new Accepting(net)));
        own.leave();
        shared.accepting(false);
        shared.accepting(false);
        try (SocketChannel _ = SocketChannel.open(address)) {
            net.loop().turn(false);
            assertThat(opened).isEmpty();
            shared.accepting(true);
            net.loop().turn(false);
            assertThat(opened).hasSize(1);
            shared.accepting(false); // the network closes it nevertheless
        } finally {
            net.close();
            ListeningDescriptors.close(List.of(duplicate));
        }
        assertThatThrownBy(() -> SocketChannel.open(address)).isInstanceOf(ConnectException.class);
    }

    @Test
    void queueOfAListeningSocketIsShortForAWhile() throws IOException {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        NetLoop net = newLoop();
        EpollNetwork network = (EpollNetwork) net.network();
        Network.Listening own = listening(network, any, 40, new Accepting(net));
        int fd = own.duplicate();
        try {
            own.queueAtMost(3);
            assertThat(network.options().backlog(fd)).isEqualTo(3);
            own.queueAtMost(50);
            assertThat(network.options().backlog(fd)).as("no longer than it was").isEqualTo(40);
            own.backlog(30);
            own.queueAtMost(50);
            assertThat(network.options().backlog(fd)).as("as it was set last").isEqualTo(30);
            Network.Listening shared = begun(network.inherit(fd, any, new Accepting(net)));
            own.leave();
            shared.queueAtMost(3);
            assertThat(network.options().backlog(fd)).isEqualTo(3);
            shared.backlog(20);
            shared.queueAtMost(50);
            assertThat(network.options().backlog(fd))
                    .as("as the other process has set it")
                    .isEqualTo(30);
        } finally {
            net.close();
            ListeningDescriptors.close(List.of(fd));
        }
    }

    /// The system does not tell how many connections it queues for it.
    @Test
    void queueOfAUnixDomainSocketThatOthersUseStays() throws IOException {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("s"));
        NetLoop net = newLoop();
        Network.Listening own = listening(net.network(), address, 3, new Accepting(net));
        int fd = own.duplicate();
        try (SocketChannel one = SocketChannel.open(StandardProtocolFamily.UNIX);
                SocketChannel other = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            begun(net.network().inherit(fd, address, new Accepting(net))).queueAtMost(1);
            for (SocketChannel client : List.of(one, other)) {
                client.configureBlocking(false); // so that a full queue is an error at once
                assertThat(client.connect(address)).isTrue();
            }
        } finally {
            net.close();
            ListeningDescriptors.close(List.of(fd));
        }
    }

    @Test
    void pausedSocketThatOthersUseCanBeLeft() throws IOException {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("s"));
        NetLoop net = newLoop();
        Network.Listening own = listening(net.network(), address, 8, new Accepting(net));
        int duplicate = own.duplicate();
        try {
            Network.Listening shared =
                    begun(net.network().inherit(duplicate, address, new Accepting(net)));
            shared.accepting(false);
            shared.leave();
            own.leave();
            assertThat(opened).isEmpty();
        } finally {
            net.close();
            ListeningDescriptors.close(List.of(duplicate));
        }
    }

    /// A service manager may pass a socket whose accept waits; a loop must never wait there.
    @Test
    void inheritedSocketNeverWaits() throws Exception {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("s"));
        NetLoop net = newLoop();
        try (ServerSocketChannel waiting = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            waiting.bind(address);
            Field number = waiting.getClass().getDeclaredField("fdVal");
            number.setAccessible(true);
            int fd = number.getInt(waiting);
            assertThat(flags(fd) & Syscalls.NONBLOCK).isZero();
            Network.Listening _ = begun(net.network().inherit(fd, address, new Accepting(net)));
            assertThat(flags(fd) & Syscalls.NONBLOCK).isEqualTo(Syscalls.NONBLOCK);
        } finally {
            net.close();
        }
    }

    private static int flags(int fd) throws IOException {
        String text = Files.readString(Path.of("/proc/self/fdinfo/" + fd));
        String octal = text.lines().filter(line -> line.startsWith("flags:")).findFirst().get();
        return Integer.parseInt(octal.substring(6).strip(), 8);
    }

    @Test
    void connectionsThatWaitAreLeftToOthers() throws IOException {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("s"));
        NetLoop net = newLoop();
        Network.Listening own = listening(net.network(), address, 8, new Accepting(net));
        int duplicate = own.duplicate();
        try (SocketChannel _ = SocketChannel.open(address)) {
            own.leave();
            assertThat(opened).isEmpty();
            Network.Listening _ =
                    begun(net.network().inherit(duplicate, address, new Accepting(net)));
            net.loop().turn(false);
            assertThat(opened).hasSize(1);
        } finally {
            net.close();
            ListeningDescriptors.close(List.of(duplicate));
        }
    }

    @Test
    void knowsWhatTheSystemOfItsPeerHasAcknowledged() throws IOException {
        NetLoop net = newLoop();
        Listener listener =
                Listener.open(
                        LOOPBACK,
                        List.of(net),
                        64,
                        connection -> {
                            opened.add(connection);
                            return new Noting();
                        },
                        _ -> {});
        try (SocketChannel client = SocketChannel.open(listener.address())) {
            client.write(ByteBuffer.wrap(new byte[1])); // it is accepted with its first byte
            Await.until(
                    "it is accepted",
                    () -> {
                        net.loop().turn(false);
                        return !opened.isEmpty();
                    });
            Connection server = opened.getFirst();
            long before = server.acknowledged();
            server.out().write(ByteBuffer.wrap(new byte[500]), null);
            net.endTurn();
            Await.until("it is acknowledged", () -> server.acknowledged() - before == 500);
        } finally {
            net.close();
        }
    }

    /// What is left after a dispatch that had enough is not lost, and is not polled again.
    @Test
    void dispatchThatHadEnoughContinuesInTheNextTurn() throws IOException {
        continuesInTheNextTurn(new EpollNetwork());
        continuesInTheNextTurn(new NioNetwork());
    }

    private void continuesInTheNextTurn(Network network) throws IOException {
        opened.clear();
        calls.clear();
        UnixDomainSocketAddress address =
                UnixDomainSocketAddress.of(folder.resolve(network.getClass().getSimpleName()));
        NetLoop net = newLoop(network);
        List<SocketChannel> clients = new ArrayList<>();
        try {
            Network.Listening _ = listening(network, address, 3, new Accepting(net));
            for (int i = 0; i < 3; i++) {
                clients.add(SocketChannel.open(address));
                net.loop().turn(false);
                opened.get(i).wantRead(true);
                clients.get(i).write(ByteBuffer.wrap(new byte[1]));
            }
            net.endTurn();
            net.poll(0);
            for (int n = 1; n <= 3; n++) {
                int most = n;
                net.dispatch(() -> calls.size() >= most);
                assertThat(calls).hasSize(n);
                net.poll(Long.MAX_VALUE); // does not wait: some are left, or none has been read
            }
        } finally {
            for (SocketChannel client : clients) {
                client.close();
            }
            net.close();
        }
    }

    /// A peer that closes, or resets a connection, while the driver does not want to read: epoll
    /// reports it without being asked. What the peer sent before can still be read.
    @ParameterizedTest
    @ValueSource(strings = {"closed, unix", "closed unread, unix", "reset, tcp"})
    void pausedDriverReadsWhatArrivedBeforeItsPeerLeft(String how) throws IOException {
        boolean unix = how.endsWith("unix");
        readsAfterBreak = true;
        NetLoop net = newLoop();
        try {
            SocketChannel client = upstream(net, unix ? unixAddress() : LOOPBACK);
            Connection server = opened.getFirst();
            if (how.startsWith("closed unread")) {
                server.out().room(1).put((byte) 1);
                net.endTurn();
            }
            client.write(ByteBuffer.wrap(new byte[5]));
            if (!unix) {
                client.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
            client.close();
            for (int i = 0; i < 3; i++) {
                net.loop().turn(false);
            }
            assertThat(calls).isEmpty();
            server.wantRead(true);
            net.endTurn();
            net.loop().turn(false);
            assertThat(calls).containsExactly("readable");
            assertThat(server.in().fill()).isEqualTo(5);
            assertThat(server.in().fill()).isNegative();
        } finally {
            net.close();
        }
    }

    /// As a connection of a client, whose answer nothing needs any more.
    @ParameterizedTest
    @ValueSource(strings = {"closed, unix", "reset, tcp"})
    void pausedDriverThatDoesNotAskLosesTheConnectionAtOnce(String how) throws IOException {
        boolean unix = how.endsWith("unix");
        NetLoop net = newLoop();
        try {
            SocketChannel client = upstream(net, unix ? unixAddress() : LOOPBACK);
            client.write(ByteBuffer.wrap(new byte[5]));
            if (!unix) {
                client.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
            client.close();
            net.loop().turn(false);
            assertThat(calls).containsExactly("lost");
            assertThat(net.connections()).isZero();
        } finally {
            net.close();
        }
    }

    /// A request must not be sent on a kept connection on which something has arrived.
    @Test
    void connectionMayHaveInputUntilAPollHasShownThatItHasNone() throws IOException {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("s"));
        NetLoop net = newLoop();
        try (SocketChannel client = connectThrough(net, address)) {
            Connection server = opened.getFirst();
            server.wantRead(true);
            net.loop().turn(false);
            assertThat(server.mayHaveInput()).as("never read").isTrue();
            client.write(ByteBuffer.wrap(new byte[3]));
            assertThat(server.in().fill()).isEqualTo(3);
            server.in().consume(2);
            net.loop().turn(false);
            assertThat(server.mayHaveInput()).as("a byte is not used").isTrue();
            server.in().consume(1);
            assertThat(server.mayHaveInput()).isFalse();

            client.write(ByteBuffer.wrap(new byte[1]));
            net.poll(0);
            assertThat(server.mayHaveInput()).as("reported").isTrue();
            net.dispatch(() -> false);
            assertThat(server.mayHaveInput()).as("dispatched, but not read").isTrue();
            assertThat(server.in().fill()).isEqualTo(1);
            server.in().consume(1);
            assertThat(server.mayHaveInput()).as("the end may follow the byte").isTrue();
            net.endTurn();
            net.loop().turn(false);
            assertThat(server.mayHaveInput()).isFalse();

            server.wantRead(false);
            net.endTurn();
            assertThat(server.mayHaveInput()).as("not polled").isTrue();
            server.wantRead(true);
            net.endTurn();
            assertThat(server.in().fill()).isZero();
            net.loop().turn(false);
            assertThat(server.mayHaveInput()).isFalse();
            client.shutdownOutput();
            net.poll(0);
            assertThat(server.mayHaveInput()).as("its end").isTrue();
        } finally {
            net.close();
        }
    }

    private UnixDomainSocketAddress unixAddress() {
        return UnixDomainSocketAddress.of(folder.resolve("s"));
    }

    private static NetLoop newLoop() {
        return newLoop(new EpollNetwork());
    }

    private static NetLoop newLoop(Network network) {
        return EpollLoops.make(network, 1024, 1024);
    }

    /// Connects the loop to a peer, and returns the peer's end.
    private SocketChannel upstream(NetLoop net, SocketAddress address) throws IOException {
        try (ServerSocketChannel server =
                address instanceof UnixDomainSocketAddress
                        ? ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                        : ServerSocketChannel.open()) {
            server.bind(address);
            Runnable _ = net.connect(server.getLocalAddress(), this::paused, this::noConnection);
            SocketChannel peer = server.accept();
            while (opened.isEmpty()) {
                net.loop().turn(false);
            }
            return peer;
        }
    }

    private Driver paused(Connection connection) {
        opened.add(connection);
        connection.wantRead(false); // as while an answer is being produced
        return new Noting();
    }

    private void noConnection(IOException why) {
        throw new AssertionError(why);
    }

    private SocketChannel connectThrough(NetLoop net, UnixDomainSocketAddress address)
            throws IOException {
        Network.Listening _ = listening(net.network(), address, 1, new Accepting(net));
        SocketChannel client = SocketChannel.open(address);
        net.loop().turn(false);
        assertThat(opened).hasSize(1);
        return client;
    }

    private static Network.Listening listening(
            Network network, SocketAddress address, int backlog, Network.Acceptor acceptor)
            throws IOException {
        return begun(network.bind(new Network.Binding(address, false, false, backlog), acceptor));
    }

    private static Network.Listening begun(Network.Listening socket) throws IOException {
        socket.begin();
        return socket;
    }

    private final class Accepting implements Network.Acceptor {
        private final NetLoop net;

        Accepting(NetLoop net) {
            this.net = net;
        }

        @Override
        public void accepted(Transport transport) {
            net.open(transport, EpollNetworkTest.this::paused);
        }

        @Override
        public void acceptFailed(IOException why) {
            throw new AssertionError(why);
        }
    }

    private final class Noting implements Driver {
        @Override
        public void readable() {
            calls.add("readable");
        }

        @Override
        public void blocked() {}

        @Override
        public void drained() {}

        @Override
        public void closed(boolean byPeer) {
            calls.add(byPeer ? "lost" : "closed");
        }

        @Override
        public void drain() {}

        @Override
        public boolean readsAfterBreak() {
            return readsAfterBreak;
        }
    }
}
