package dev.serval.net.epoll;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.net.Conduit;
import dev.serval.net.Connection;
import dev.serval.net.Driver;
import dev.serval.net.Input;
import dev.serval.net.NetLoop;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Bytes that pass from one socket to another inside the system. The test turns the loop, which has
/// two connections: one that receives and one that sends.
@Timeout(60)
final class ConduitTest {
    private static final int LENGTH = 3 << 20;
    private static final int SMALL_BUFFER_BYTES = 8 << 10;

    private final byte[] content = new byte[LENGTH];
    private final List<Connection> opened = new ArrayList<>();
    private @Nullable NetLoop loop;

    @BeforeEach
    void needsEpoll() {
        Assumptions.assumeTrue(
                EpollNetwork.unavailable() == null, "needs epoll: " + EpollNetwork.unavailable());
        new Random(7).nextBytes(content);
        loop = EpollLoops.make();
    }

    @AfterEach
    void leavesNothing() {
        if (loop != null) {
            loop.close();
            assertThat(loop.conduitsLent()).isZero();
        }
    }

    @Test
    void allBytesPassInTheirOrder() throws Exception {
        try (Pair from = new Pair(0);
                Pair to = new Pair(0)) {
            Relay relay = relay(from, to);
            Thread sender = Thread.ofVirtual().start(() -> from.send(content));
            ByteArrayOutputStream got = new ByteArrayOutputStream();
            while (got.size() < LENGTH) {
                loop().loop().turn(false);
                to.readInto(got);
            }
            sender.join();
            assertThat(got.toByteArray()).isEqualTo(content);
            assertThat(relay.moved).isEqualTo(LENGTH);
            assertThat(opened.get(1).out().sent()).isEqualTo(LENGTH);
            assertThat(loop().conduitsLent()).isZero();
        }
    }

    @Test
    void bytesWrittenBeforeAndAfterKeepTheirPlace() throws Exception {
        try (Pair from = new Pair(0);
                Pair to = new Pair(0)) {
            open(from, new Relay());
            open(to, new Relay());
            from.send(Arrays.copyOf(content, 100_000));
            Conduit conduit = conduit();
            Connection in = opened.get(0);
            Connection out = opened.get(1);
            while (conduit.length() == 0) {
                int _ = in.in().fill(conduit, 70_000);
                loop().loop().turn(false);
            }
            int held = conduit.length();
            out.out().write(ByteBuffer.wrap(new byte[] {1, 2, 3}), null);
            out.out().write(conduit, held, () -> loop().giveBack(conduit));
            out.out().write(ByteBuffer.wrap(new byte[] {4}), null);
            assertThat(out.out().unsent()).isEqualTo(held + 4L);
            ByteArrayOutputStream got = new ByteArrayOutputStream();
            while (got.size() < held + 4) {
                loop().loop().turn(false);
                to.readInto(got);
            }
            byte[] all = got.toByteArray();
            assertThat(Arrays.copyOf(all, 3)).containsExactly(1, 2, 3);
            assertThat(Arrays.copyOfRange(all, 3, held + 3))
                    .isEqualTo(Arrays.copyOf(content, held));
            assertThat(all[held + 3]).isEqualTo((byte) 4);
        }
    }

    @Test
    void receiverThatDoesNotReadKeepsOneConduitUntilItLeaves() throws Exception {
        try (Pair from = new Pair(0);
                Pair to = new Pair(SMALL_BUFFER_BYTES)) {
            Relay _ = relay(from, to);
            Thread sender = Thread.ofVirtual().start(() -> from.send(new byte[8 * LENGTH]));
            while (opened.get(1).out().unsent() == 0) { // until the system takes no more
                loop().loop().turn(false);
            }
            assertThat(loop().conduitsLent()).isEqualTo(1);
            to.leave();
            while (opened.get(1).isOpen()) {
                loop().loop().turn(false);
            }
            assertThat(loop().conduitsLent()).isZero();
            from.leave();
            sender.join();
        }
    }

    @Test
    void numberOfConduitsIsBounded() {
        List<Conduit> lent = new ArrayList<>();
        for (@Nullable Conduit one = loop().conduit(); one != null; one = loop().conduit()) {
            lent.add(one);
        }
        assertThat(lent).hasSize(16);
        loop().giveBack(lent.removeLast());
        lent.add(conduit());
        assertThat(loop().conduit()).isNull();
        lent.forEach(loop()::giveBack);
    }

    @Test
    void conduitThatStillHoldsBytesIsClosedAndNotLentAgain() throws Exception {
        try (Pair from = new Pair(0)) {
            open(from, new Relay());
            from.send(new byte[] {1, 2, 3});
            Conduit conduit = conduit();
            while (conduit.length() == 0) {
                int _ = opened.get(0).in().fill(conduit, 64);
                loop().loop().turn(false);
            }
            loop().giveBack(conduit);
            assertThat(conduit.isOpen()).isFalse();
            Conduit next = conduit();
            assertThat(next).isNotSameAs(conduit);
            assertThat(next.length()).isZero();
            loop().giveBack(next);
            assertThat(next.isOpen()).isTrue();
        }
    }

    @Test
    void bytesCanAlsoBeTakenOut() throws Exception {
        try (Pair from = new Pair(0)) {
            open(from, new Relay());
            from.send(new byte[] {5, 6, 7, 8, 9});
            Conduit conduit = conduit();
            while (conduit.length() == 0) {
                int _ = opened.get(0).in().fill(conduit, 64);
                loop().loop().turn(false);
            }
            ByteBuffer direct = ByteBuffer.allocateDirect(2);
            ByteBuffer heap = ByteBuffer.allocate(8);
            assertThat(conduit.read(direct)).isEqualTo(2);
            assertThat(conduit.read(heap)).isEqualTo(3);
            assertThat(conduit.read(heap)).isEqualTo(-1);
            assertThat(direct.get(1)).isEqualTo((byte) 6);
            assertThat(heap.flip().get(2)).isEqualTo((byte) 9);
            loop().giveBack(conduit);
        }
    }

    private NetLoop loop() {
        return Objects.requireNonNull(loop);
    }

    private Conduit conduit() {
        return Objects.requireNonNull(loop().conduit());
    }

    private Relay relay(Pair from, Pair to) throws IOException {
        Relay relay = new Relay();
        open(from, relay);
        open(to, relay);
        relay.to = opened.get(1);
        return relay;
    }

    private void open(Pair pair, Driver driver) throws IOException {
        int before = opened.size();
        Runnable _ =
                loop().connect(
                                pair.address(),
                                connection -> {
                                    opened.add(connection);
                                    return driver;
                                },
                                why -> {
                                    throw new AssertionError(why);
                                });
        while (opened.size() == before) {
            loop().loop().turn(false);
        }
        pair.accept();
    }

    /// Moves what the first connection receives to the second one.
    private final class Relay implements Driver {
        private @Nullable Connection to;
        private long moved;

        @Override
        public void readable() {
            Connection target = to;
            if (target == null || !target.out().isEmpty()) {
                return;
            }
            Conduit conduit = conduit();
            int n = opened.get(0).in().fill(conduit, 256 << 10);
            if (n <= 0) {
                loop().giveBack(conduit);
                if (n == Input.END) {
                    opened.get(0).close();
                }
                return;
            }
            moved += n;
            target.out().write(conduit, n, () -> loop().giveBack(conduit));
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

    /// The other end of a connection of the loop.
    private static final class Pair implements AutoCloseable {
        private final ServerSocketChannel listening = ServerSocketChannel.open();
        private @Nullable SocketChannel socket;
        private final ByteBuffer buffer = ByteBuffer.allocate(64 << 10);

        Pair(int receiveBufferBytes) throws IOException {
            if (receiveBufferBytes > 0) {
                listening.setOption(StandardSocketOptions.SO_RCVBUF, receiveBufferBytes);
            }
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        }

        InetSocketAddress address() throws IOException {
            return (InetSocketAddress) listening.getLocalAddress();
        }

        void accept() throws IOException {
            socket = listening.accept();
        }

        private SocketChannel socket() {
            return Objects.requireNonNull(socket);
        }

        /// Sends all, unless the connection ends before.
        void send(byte[] bytes) {
            ByteBuffer left = ByteBuffer.wrap(bytes);
            try {
                while (left.hasRemaining()) {
                    socket().write(left);
                }
            } catch (IOException e) {
                assertThat(e).isNotNull(); // the test closed it
            }
        }

        void readInto(ByteArrayOutputStream all) throws IOException {
            socket().configureBlocking(false);
            buffer.clear();
            int n = socket().read(buffer);
            if (n > 0) {
                all.write(buffer.array(), 0, n);
            }
        }

        void leave() throws IOException {
            listening.close();
            if (socket != null) {
                socket.close();
            }
        }

        @Override
        public void close() throws IOException {
            leave();
        }
    }
}
