package dev.serval.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.loop.FakeClock;
import dev.serval.loop.TestLoops;
import dev.serval.net.epoll.EpollNetwork;
import dev.serval.net.nio.NioNetwork;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Connections that a loop opens, and the end of an attempt. The test turns the loop.
@Timeout(60)
final class ConnectTest {
    private final List<String> calls = new ArrayList<>();

    private NetLoop loop(String kind) {
        boolean nio = kind.equals("nio");
        Assumptions.assumeTrue(
                nio || EpollNetwork.unavailable() == null,
                "needs epoll: " + EpollNetwork.unavailable());
        Network network = nio ? new NioNetwork() : new EpollNetwork();
        return new NetLoop(
                new TestLoops(new FakeClock()).parts(0),
                network,
                DiskThreads.NONE,
                1024,
                1024,
                Long.MAX_VALUE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void connectsFromTheGivenAddress(String kind) throws IOException {
        Network network = loop(kind).network();
        try (ServerSocketChannel server = listening()) {
            InetSocketAddress from = new InetSocketAddress("127.0.0.9", 0);
            network.connect(from, server.getLocalAddress(), noted());
            InetSocketAddress absent = new InetSocketAddress("192.0.2.1", 0);
            network.connect(absent, server.getLocalAddress(), noted());
            assertThat(calls).hasSize(1).allMatch(call -> call.startsWith("failed: "));
            while (calls.size() < 2) {
                network.poll(Long.MAX_VALUE);
                network.dispatch(() -> false);
            }
            try (SocketChannel accepted = server.accept()) {
                assertThat(((InetSocketAddress) accepted.getRemoteAddress()).getAddress())
                        .isEqualTo(from.getAddress());
            }
            assertThat(calls.getLast()).isEqualTo("connected from 127.0.0.9");
        } finally {
            network.close();
        }
    }

    /// As an address of IPv6 on a machine without it.
    @Test
    void addressThatTheSystemDoesNotHaveIsAFailureOfTheConnection() {
        Network network = loop("nio").network();
        try {
            network.connect(new SocketAddress() {}, noted());
            assertThat(calls).containsExactly("failed: This system or this JVM has no IPv6");
        } finally {
            network.close();
        }
    }

    private Network.Connecting noted() {
        return new Network.Connecting() {
            @Override
            public void connected(Transport transport) {
                InetSocketAddress local = (InetSocketAddress) transport.local();
                calls.add("connected from " + local.getAddress().getHostAddress());
            }

            @Override
            public void connectFailed(IOException why) {
                calls.add("failed: " + why.getMessage());
            }
        };
    }

    private static ServerSocketChannel listening() throws IOException {
        return ServerSocketChannel.open()
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    /// A Unix-domain socket connects at once, so its result must not come before [NetLoop#connect]
    /// has returned.
    private static ServerSocketChannel listeningByPath(Path folder) throws IOException {
        return ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                .bind(UnixDomainSocketAddress.of(folder.resolve("s")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void connectionAtOnceIsReportedInALaterTurn(String kind, @TempDir Path folder)
            throws IOException {
        NetLoop net = loop(kind);
        try (ServerSocketChannel server = listeningByPath(folder)) {
            Runnable _ = connect(net, server);
            assertThat(calls).isEmpty();
            while (calls.isEmpty()) {
                net.loop().turn(true);
            }
            try (SocketChannel accepted = server.accept()) {
                accepted.write(ByteBuffer.wrap(new byte[5]));
                while (calls.size() < 2) {
                    net.loop().turn(true);
                }
            }
            assertThat(calls).containsExactly("connected", "5 bytes");
        } finally {
            net.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void connectionAtOnceMayStillBeEnded(String kind, @TempDir Path folder) throws IOException {
        NetLoop net = loop(kind);
        try (ServerSocketChannel server = listeningByPath(folder)) {
            Runnable end = connect(net, server);
            end.run();
            net.loop().turn(false);
            net.loop().turn(false);
            assertThat(calls).isEmpty();
            try (SocketChannel accepted = server.accept()) {
                assertThat(accepted.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            }
        } finally {
            net.close();
        }
    }

    @Test
    void endOfTheLoopClosesConnectionsMadeAtOnce(@TempDir Path folder) throws IOException {
        NetLoop net = loop("epoll");
        try (ServerSocketChannel server = listeningByPath(folder)) {
            Runnable _ = connect(net, server);
            net.close();
            try (SocketChannel accepted = server.accept()) {
                assertThat(accepted.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            }
        }
    }

    private Runnable connect(NetLoop net, ServerSocketChannel to) throws IOException {
        return net.connect(to.getLocalAddress(), this::open, _ -> calls.add("failed"));
    }

    private Driver open(Connection connection) {
        calls.add("connected");
        return new Reader(connection);
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void endedAttemptClosesItsSocketAndTellsNothing(String kind) throws IOException {
        NetLoop net = loop(kind);
        try (ServerSocketChannel server = listening()) {
            Runnable end = connect(net, server);
            end.run();
            end.run();
            net.loop().turn(false);
            net.loop().turn(false);
            assertThat(calls).isEmpty();
            assertThat(net.connections()).isZero();
            try (SocketChannel accepted = server.accept()) {
                assertThat(accepted.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            }
        } finally {
            net.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void endAfterTheResultLeavesTheConnection(String kind) throws IOException {
        NetLoop net = loop(kind);
        try (ServerSocketChannel server = listening()) {
            Runnable end = connect(net, server);
            try (SocketChannel accepted = server.accept()) {
                while (calls.isEmpty()) {
                    net.loop().turn(false);
                }
                end.run();
                net.loop().turn(false);
                assertThat(calls).containsExactly("connected");
                assertThat(net.connections()).isEqualTo(1);
                accepted.write(ByteBuffer.wrap(new byte[3]));
                while (calls.size() < 2) {
                    net.loop().turn(false);
                }
                assertThat(calls).containsExactly("connected", "3 bytes");
            }
        } finally {
            net.close();
        }
    }

    private final class Reader implements Driver {
        private final Connection connection;

        Reader(Connection connection) {
            this.connection = connection;
        }

        @Override
        public void readable() {
            int n = connection.in().fill();
            if (n > 0) {
                calls.add(n + " bytes");
                connection.in().consume(n);
            } else if (n < 0) {
                connection.close();
            }
        }

        @Override
        public void blocked() {}

        @Override
        public void drained() {}

        @Override
        public void closed(boolean byPeer) {}

        @Override
        public void drain() {}
    }
}
