package dev.serval.net.epoll;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.net.LooseSocket;
import dev.serval.net.Network;
import dev.serval.net.Transport;
import dev.serval.net.nio.NioNetwork;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Acknowledgements that the system would delay. The segments that a socket has sent are counted by
/// the system (TCP_INFO), so that no time is measured.
@Timeout(60)
final class AcknowledgeTest {
    /// The offset of tcpi_segs_out in struct tcp_info (linux/tcp.h, since Linux 4.2).
    private static final int SEGMENTS_OUT_AT = 136;

    private static final int ROUNDS = 50;

    private final Arena arena = Arena.ofConfined();
    private final Syscalls calls = new Syscalls(arena);
    private final MemorySegment value = arena.allocate(256, 8);

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void firstPieceOfAMessageIsAcknowledgedAtOnce(String kind) throws Exception {
        Assumptions.assumeTrue(
                EpollNetwork.unavailable() == null, "needs epoll: " + EpollNetwork.unavailable());
        Network network = kind.equals("nio") ? new NioNetwork() : new EpollNetwork();
        try (ServerSocketChannel server =
                        ServerSocketChannel.open()
                                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                arena) {
            Transport connected = connected(network, server);
            SocketChannel peer = server.accept();
            LooseSocket loose = connected.release();
            int fd = descriptor(loose);
            Transport transport = network.adopt(loose);
            int delayed = 0;
            for (int i = 0; i < ROUNDS && delayed == 0; i++) { // a round may last too long
                delayed = acknowledgedAtOnce(transport, fd, peer);
            }
            assertThat(delayed).as("segments sent to acknowledge a piece").isEqualTo(1);
            peer.close();
            transport.close();
        } finally {
            network.close();
        }
    }

    /// Receives a piece on a connection whose acknowledgements the system delays.
    ///
    /// @return the segments that were sent meanwhile for [Transport#acknowledgeNow]
    private int acknowledgedAtOnce(Transport transport, int fd, SocketChannel peer)
            throws IOException {
        value.set(ValueLayout.JAVA_INT, 0, 0);
        calls.setOption(fd, Syscalls.IPPROTO_TCP, Syscalls.TCP_QUICKACK, value.address(), 4);
        peer.write(ByteBuffer.wrap(new byte[9]));
        ByteBuffer in = ByteBuffer.allocateDirect(64);
        while (in.position() < 9) {
            assertThat(transport.read(in)).isNotNegative();
        }
        int before = segmentsOut(fd);
        transport.acknowledgeNow();
        int sent = segmentsOut(fd) - before;
        transport.acknowledgeNow(); // nothing is left to acknowledge
        assertThat(segmentsOut(fd) - before).isEqualTo(sent);
        return sent;
    }

    private int segmentsOut(int fd) {
        value.set(ValueLayout.JAVA_INT, 0, 200);
        int result =
                calls.getOption(
                        fd,
                        Syscalls.IPPROTO_TCP,
                        Syscalls.TCP_INFO,
                        value.address() + 8,
                        value.address());
        assertThat(result).isZero();
        return value.get(ValueLayout.JAVA_INT, 8 + SEGMENTS_OUT_AT);
    }

    private static Transport connected(Network network, ServerSocketChannel server)
            throws IOException {
        Taken taken = new Taken();
        Runnable _ = network.connect(server.getLocalAddress(), taken);
        @Nullable Transport made = null;
        while (made == null) {
            network.poll(1_000_000_000L);
            network.dispatch(() -> false);
            made = taken.transport;
        }
        return made;
    }

    private static int descriptor(LooseSocket loose) throws ReflectiveOperationException {
        if (loose instanceof EpollNetwork.LooseDescriptor epoll) {
            return epoll.fd();
        }
        Method channel = loose.getClass().getDeclaredMethod("channel"); // of the record of java.nio
        channel.setAccessible(true);
        Object socket = channel.invoke(loose);
        Method number = socket.getClass().getDeclaredMethod("getFDVal");
        number.setAccessible(true); // java.base/sun.nio.ch is open for EpollNetwork
        return (int) number.invoke(socket);
    }

    private static final class Taken implements Network.Connecting {
        private @Nullable Transport transport;

        @Override
        public void connected(Transport made) {
            transport = made;
        }

        @Override
        public void connectFailed(IOException why) {
            throw new AssertionError(why);
        }
    }
}
