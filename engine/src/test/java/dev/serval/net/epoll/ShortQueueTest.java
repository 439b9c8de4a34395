package dev.serval.net.epoll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.serval.net.Connection;
import dev.serval.net.Driver;
import dev.serval.net.Listener;
import dev.serval.net.NetLoop;
import dev.serval.net.Network;
import dev.serval.net.Transport;
import dev.serval.testkit.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The queue of a socket that another process has opened, while accepting pauses for the load.
final class ShortQueueTest {
    private static final int BACKLOG = 100;
    private static final int SHORT = 64;

    private final List<NetLoop> loops = new ArrayList<>();
    private final List<Integer> descriptors = new ArrayList<>();
    private int pauses;

    /// Serves nobody, because it is always overloaded.
    private static final class Overloaded implements Driver.Factory {
        @Override
        public Driver open(Connection opened) {
            throw new AssertionError("accepting pauses");
        }

        @Override
        public long acceptPauseNanos(NetLoop net) {
            return 1;
        }
    }

    @BeforeEach
    void needsEpoll() {
        assumeTrue(EpollNetwork.unavailable() == null, "needs Linux");
    }

    @AfterEach
    void close() {
        ListeningDescriptors.close(descriptors);
        loops.forEach(NetLoop::close);
    }

    @Test
    void ofASocketForOneLoopIsShort() throws IOException {
        pauseWith(1);
        assertThat(backlog()).isEqualTo(SHORT);
    }

    /// Each loop knows only what it accepts itself.
    @Test
    void ofASocketForSeveralLoopsKeepsItsLength() throws IOException {
        pauseWith(2);
        assertThat(backlog()).isEqualTo(BACKLOG);
    }

    private void pauseWith(int number) throws IOException {
        SocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        NetLoop first = newLoop();
        Network.Listening former =
                first.network()
                        .bind(new Network.Binding(address, false, false, BACKLOG), new Nobody());
        former.begin();
        descriptors.add(former.duplicate());
        former.leave();
        SocketAddress bound = ListeningDescriptors.address(descriptors.getFirst());
        while (loops.size() < number) {
            newLoop();
        }
        Listener listener =
                Listener.inherit(
                        new Listener.Inherited(bound, descriptors, false),
                        loops,
                        new Overloaded(),
                        new Listener.Watcher() {
                            @Override
                            public void paused(NetLoop net) {}

                            @Override
                            public void pausedForLoad(NetLoop net) {
                                pauses++;
                            }
                        },
                        Listener.Steps.AT_ONCE);
        listener.begin(Listener.Steps.AT_ONCE);
        try (SocketChannel client = SocketChannel.open(bound)) {
            client.write(
                    ByteBuffer.wrap(new byte[1])); // a connection is accepted with its first bytes
            Await.until(
                    "accepting pauses",
                    () -> {
                        loops.forEach(net -> net.loop().turn(false));
                        return pauses > 0;
                    });
        }
    }

    private int backlog() {
        return ((EpollNetwork) loops.getFirst().network())
                .options()
                .backlog(descriptors.getFirst());
    }

    private NetLoop newLoop() {
        NetLoop made = EpollLoops.make();
        loops.add(made);
        return made;
    }

    /// Accepts for the process that opened the socket.
    private static final class Nobody implements Network.Acceptor {
        @Override
        public void accepted(Transport transport) {
            transport.reset();
        }

        @Override
        public void acceptFailed(IOException why) {
            throw new AssertionError(why);
        }
    }
}
