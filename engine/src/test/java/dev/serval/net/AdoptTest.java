package dev.serval.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.loop.FakeClock;
import dev.serval.loop.TestLoops;
import dev.serval.net.epoll.EpollNetwork;
import dev.serval.net.memory.MemoryNetwork;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.net.nio.NioNetwork;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Connections that move from one loop to another. The test turns both.
final class AdoptTest {
    @TempDir private Path folder;
    private final TestLoops loops = new TestLoops(new FakeClock());
    private final List<Echo> echoes = new ArrayList<>();
    private int asked;

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void socketServesOnEachLoopInTurn(String kind) throws IOException {
        Supplier<Network> networks = networks(kind);
        SocketAddress address = UnixDomainSocketAddress.of(folder.resolve("s"));
        NetLoop one = loop(0, networks.get());
        NetLoop two = loop(1, networks.get());
        Listener listener = Listener.open(address, List.of(one), 8, this::open, _ -> {});
        try (SocketChannel client = SocketChannel.open(address)) {
            one.loop().turn(false);
            NetLoop here = one;
            NetLoop there = two;
            for (int i = 0; i < 6; i++) {
                assertThat(asked(client, here)).isEqualTo("echo" + i);
                assertThat(here.connections()).isEqualTo(1);
                move(here, there);
                assertThat(here.connections()).isZero();
                here.loop().turn(false);
                there.loop().turn(false);
                NetLoop last = here;
                here = there;
                there = last;
                asked++;
            }
            assertThat(echoes).allMatch(echo -> echo.closed == 0);
        }
        one.loop().turn(false);
        two.loop().turn(false);
        assertThat(one.connections() + two.connections()).isZero();
        assertThat(echoes.getLast().closed).isEqualTo(1);
        assertThat(one.pool().lent() + two.pool().lent()).isZero();
        listener.close();
        one.close();
        two.close();
    }

    /// The socket comes back before the selector of its first loop has forgotten it.
    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void socketComesBackWithinOneTurn(String kind) throws IOException {
        Supplier<Network> networks = networks(kind);
        SocketAddress address = UnixDomainSocketAddress.of(folder.resolve("s"));
        NetLoop one = loop(0, networks.get());
        NetLoop two = loop(1, networks.get());
        Listener listener = Listener.open(address, List.of(one), 8, this::open, _ -> {});
        try (SocketChannel client = SocketChannel.open(address)) {
            one.loop().turn(false);
            assertThat(asked(client, one)).isEqualTo("echo0");
            move(one, two);
            move(two, one);
            assertThat(asked(client, one)).isEqualTo("echo0");
        }
        one.loop().turn(false);
        assertThat(one.connections()).isZero();
        listener.close();
        one.close();
        two.close();
    }

    @Test
    void connectionInMemoryMoves() {
        Plug plug = new Plug();
        MemoryNetwork other = new MemoryNetwork();
        NetLoop two = loop(1, other);
        MemoryPeer client = plug.client();
        LooseSocket socket = given(plug.connection());
        plug.turn();
        assertThat(plug.calls).as("the old driver hears nothing").isEmpty();
        assertThat(plug.net.connections()).isZero();
        Connection _ = adopted(two, socket);
        client.send("hello");
        two.loop().turn(false);
        two.loop().turn(false);
        assertThat(client.takeText()).isEqualTo("hello");
        client.end();
        two.loop().turn(false);
        two.loop().turn(false);
        assertThat(two.connections()).isZero();
        assertThat(other.open() + plug.network.open()).isZero();
    }

    @Test
    void connectionWithUnusedInputOrUnsentOutputStays() {
        Plug plug = new Plug();
        plug.onReadable = connection -> connection.in().fill();
        MemoryPeer client = plug.client();
        client.window(0);
        plug.connection().out().write(ByteBuffer.wrap(new byte[10]), null);
        assertThat(plug.connection().giveUp()).as("unsent output").isNull();
        client.window(100);
        plug.turns(2);
        client.send("x");
        plug.turns(2);
        assertThat(plug.connection().in().length()).isEqualTo(1);
        assertThat(plug.connection().giveUp()).as("unused input").isNull();
        plug.connection().in().consume(1);
        assertThat(plug.connection().giveUp()).isNotNull();
        assertThat(plug.connection().giveUp()).as("twice").isNull();
    }

    @Test
    void endedLoopClosesTheSocket() {
        Plug plug = new Plug();
        NetLoop two = loop(1, new MemoryNetwork());
        two.close();
        MemoryPeer client = plug.client();
        LooseSocket socket = given(plug.connection());
        assertThat(two.adopt(socket, this::open)).isNull();
        assertThat(client.isClosed()).isTrue();
    }

    @Test
    void findsTheLoopOfAnExecutor() {
        Plug plug = new Plug();
        assertThat(NetLoop.of(plug.net.loop())).isSameAs(plug.net);
        assertThatThrownBy(() -> NetLoop.of(Runnable::run))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private String asked(SocketChannel client, NetLoop net) throws IOException {
        byte[] bytes = ("echo" + asked).getBytes(StandardCharsets.US_ASCII);
        client.write(ByteBuffer.wrap(bytes));
        net.loop().turn(false);
        net.loop().turn(false);
        ByteBuffer answer = ByteBuffer.allocate(64);
        int n = client.read(answer);
        return new String(answer.array(), 0, n, StandardCharsets.US_ASCII);
    }

    private void move(NetLoop from, NetLoop to) {
        List<Connection> all = new ArrayList<>();
        from.forEach(all::add);
        Connection _ = adopted(to, given(all.getFirst()));
    }

    private static LooseSocket given(Connection connection) {
        @Nullable LooseSocket socket = connection.giveUp();
        if (socket == null) {
            throw new AssertionError("The connection cannot move");
        }
        return socket;
    }

    private Connection adopted(NetLoop to, LooseSocket socket) {
        @Nullable Connection made = to.adopt(socket, this::open);
        if (made == null) {
            throw new AssertionError("The loop has ended");
        }
        return made;
    }

    private NetLoop loop(int index, Network network) {
        return new NetLoop(
                loops.parts(index), network, DiskThreads.NONE, 1024, 1024, Long.MAX_VALUE);
    }

    private static Supplier<Network> networks(String kind) {
        if (kind.equals("nio")) {
            return NioNetwork::new;
        }
        Assumptions.assumeTrue(
                EpollNetwork.unavailable() == null, "needs epoll: " + EpollNetwork.unavailable());
        return EpollNetwork::new;
    }

    private Driver open(Connection connection) {
        Echo echo = new Echo(connection);
        echoes.add(echo);
        return echo;
    }

    private static final class Echo implements Driver {
        private final Connection connection;
        private int closed;

        Echo(Connection connection) {
            this.connection = connection;
        }

        @Override
        public void readable() {
            Input in = connection.in();
            int n = in.fill();
            if (n > 0) {
                connection.out().write(ByteBuffer.wrap(in.array(), in.from(), n), null);
                in.consume(n);
            } else if (n == Input.END) {
                connection.close();
            }
        }

        @Override
        public void blocked() {}

        @Override
        public void drained() {}

        @Override
        public void closed(boolean byPeer) {
            closed++;
        }

        @Override
        public void drain() {}
    }
}
