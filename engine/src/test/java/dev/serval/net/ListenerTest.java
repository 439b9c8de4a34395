package dev.serval.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.net.epoll.DescriptorChannel;
import dev.serval.net.epoll.EpollNetwork;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.net.nio.NioNetwork;
import dev.serval.testkit.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests that accepting continues, or pauses and resumes by itself.
final class ListenerTest {
    private final Plug plug = new Plug();

    @Test
    void pausesWhenAcceptingFailsAndResumes() {
        MemoryPeer old = plug.client();
        plug.network.failAccepts(new IOException("Too many open files"));
        plug.network.client(Plug.ADDRESS);
        plug.turn();
        assertThat(plug.pauses).isEqualTo(1);
        plug.turns(5);
        assertThat(plug.pauses).as("while it pauses").isEqualTo(1);

        plug.clock.advance(Duration.ofMillis(100));
        plug.turns(2);
        assertThat(plug.pauses).as("after the pause").isEqualTo(2);
        assertThat(plug.net.connections()).isEqualTo(1);

        plug.network.failAccepts(null);
        plug.clock.advance(Duration.ofMillis(100));
        plug.turns(2);
        assertThat(plug.net.connections()).isEqualTo(2);
        assertThat(plug.pauses).isEqualTo(2);
        assertThat(old.isClosed()).isFalse();
        assertThat(plug.net.loop().timers().armed()).isZero();
    }

    @Test
    void pauseForLoadKeepsTheSystemsQueueShort() {
        for (int i = 0; i < 100; i++) {
            MemoryPeer _ = plug.client();
        }
        pauseForLoad();
        assertThat(plug.network.queueMax(Plug.ADDRESS)).isEqualTo(100);

        plug.clock.advance(Duration.ofMillis(600));
        pauseForLoad();
        assertThat(plug.network.queueMax(Plug.ADDRESS)).as("at least").isEqualTo(64);

        plug.clock.advance(Duration.ofMillis(600));
        plug.turns(2);
        assertThat(plug.network.queueMax(Plug.ADDRESS)).as("1 s from the last").isEqualTo(64);
        plug.clock.advance(Duration.ofMillis(450));
        plug.turns(2);
        assertThat(plug.network.queueMax(Plug.ADDRESS)).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void processThatTakesTheSocketGetsItsWholeQueue() throws IOException {
        pauseForLoad();
        plug.listener.leave(Listener.Steps.AT_ONCE);
        assertThat(plug.network.queueMax(Plug.ADDRESS)).isEqualTo(Integer.MAX_VALUE);
        assertThat(plug.net.loop().timers().armed()).isZero();
    }

    @Test
    void queueKeepsItsLengthWhileAnotherProcessTakesTheSocket() throws IOException {
        pauseForLoad();
        assertThatThrownBy(() -> plug.listener.duplicate(Listener.Steps.AT_ONCE, new ArrayList<>()))
                .hasMessageContaining("pass between processes");
        assertThat(plug.network.queueMax(Plug.ADDRESS)).isEqualTo(Integer.MAX_VALUE);
        plug.clock.advance(Duration.ofSeconds(59));
        pauseForLoad();
        assertThat(plug.network.queueMax(Plug.ADDRESS)).isEqualTo(Integer.MAX_VALUE);
        plug.clock.advance(Duration.ofSeconds(2));
        pauseForLoad();
        assertThat(plug.network.queueMax(Plug.ADDRESS)).isEqualTo(64);
    }

    @Test
    void failedAcceptLeavesTheQueueLong() {
        plug.network.failAccepts(new IOException("Too many open files"));
        plug.network.client(Plug.ADDRESS);
        plug.turn();
        assertThat(plug.network.queueMax(Plug.ADDRESS)).isEqualTo(Integer.MAX_VALUE);
    }

    private void pauseForLoad() {
        plug.acceptPauseNanos = 1;
        plug.network.client(Plug.ADDRESS);
        plug.turns(2); // the first may still have to resume
        plug.acceptPauseNanos = 0;
    }

    @Test
    void handsOverWaitingConnectionsWhenItCloses() {
        plug.network.client(Plug.ADDRESS);
        plug.listener.close();
        plug.turn();
        assertThat(plug.net.connections()).isEqualTo(1);
        assertThatThrownBy(() -> plug.network.client(Plug.ADDRESS))
                .isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void leavesNoDeadlineWhenItClosesDuringAPause() {
        plug.network.failAccepts(new IOException("Too many open files"));
        plug.network.client(Plug.ADDRESS);
        plug.turn();
        plug.listener.close();
        plug.turn();
        assertThat(plug.net.loop().timers().armed()).isZero();
    }

    @Test
    void refusesAddressInUse() {
        assertThatThrownBy(() ->
                        Listener.open(Plug.ADDRESS, List.of(plug.net), 1, plug::plug, _ -> {}))
                .isInstanceOf(BindException.class);
    }

    @Test
    void closedChannelFreesItsAddressAtOnce() throws IOException {
        NioNetwork network = new NioNetwork();
        SocketAddress address =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.find());
        Network.Acceptor nobody =
                new Network.Acceptor() {
                    @Override
                    public void accepted(Transport transport) {
                        transport.reset();
                    }

                    @Override
                    public void acceptFailed(IOException why) {}
                };
        try {
            Network.Listening socket =
                    network.bind(new Network.Binding(address, false, false, 1), nobody);
            socket.begin();
            socket.close();
            assertThatThrownBy(() -> SocketChannel.open(address))
                    .isInstanceOf(ConnectException.class);
        } finally {
            network.close();
        }
    }

    /// A loop that accepted for as long as clients come would never end, nor serve anybody else.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void closeAcceptsNoMoreThanMayHaveWaited(boolean nio, @TempDir Path folder) throws IOException {
        Assumptions.assumeTrue(nio || EpollNetwork.unavailable() == null, "needs epoll");
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("s"));
        List<SocketChannel> clients = new ArrayList<>();
        Network network = nio ? new NioNetwork() : new EpollNetwork();
        try {
            Crowd crowd = new Crowd(address, clients);
            Network.Listening socket =
                    network.bind(new Network.Binding(address, false, false, 4), crowd);
            socket.begin();
            clients.add(SocketChannel.open(address));
            clients.add(SocketChannel.open(address));
            socket.close();
            assertThat(clients).as("those that waited, and one for each").hasSizeBetween(4, 7);
        } finally {
            network.close();
            for (SocketChannel client : clients) {
                client.close();
            }
        }
    }

    /// Connects another client for each that is accepted.
    private record Crowd(SocketAddress address, List<SocketChannel> clients)
            implements Network.Acceptor {
        private static final int MOST = 200;

        @Override
        public void accepted(Transport transport) {
            transport.close();
            if (clients.size() < MOST) {
                try {
                    clients.add(SocketChannel.open(address));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }

        @Override
        public void acceptFailed(IOException why) {
            throw new UncheckedIOException(why);
        }
    }

    @Test
    void reportsTheChosenPort() throws IOException {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        Listener listener = Listener.open(any, List.of(plug.net), 1, plug::plug, _ -> {});
        assertThat(((InetSocketAddress) listener.address()).getPort()).isPositive();
    }

    @Test
    void doesNotRemoveAFileThatIsNoSocket(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("s"), "precious");
        assertThatThrownBy(() ->
                        Listener.open(
                                UnixDomainSocketAddress.of(file),
                                List.of(plug.net),
                                1,
                                plug::plug,
                                _ -> {}))
                .isInstanceOf(BindException.class)
                .hasMessageContaining("not a socket");
        assertThat(file).hasContent("precious");
    }

    /// Only a refusal says that no program has the socket. One of another type answers otherwise.
    @Test
    void doesNotRemoveASocketThatItCannotAsk(@TempDir Path folder) throws IOException {
        Assumptions.assumeTrue(EpollNetwork.unavailable() == null, "needs epoll");
        Path file = folder.resolve("s");
        try (DescriptorChannel _ = DescriptorChannel.listen(file)) {
            assertThatThrownBy(() ->
                            Listener.open(
                                    UnixDomainSocketAddress.of(file),
                                    List.of(plug.net),
                                    1,
                                    plug::plug,
                                    _ -> {}))
                    .isInstanceOf(BindException.class)
                    .hasMessageContaining("already in use: " + file);
            assertThat(file).exists();
        }
    }
}
