package dev.serval.net;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.loop.TestLoops;
import dev.serval.net.memory.MemoryNetwork;
import dev.serval.net.memory.MemoryPeer;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests that a driver's requests take effect when the turn flushes, and that each end is notified
/// once.
final class ConnectionTest {
    private final Plug plug = new Plug();

    @Test
    void closesAfterEverythingWasSent() {
        MemoryPeer client = plug.client();
        client.window(3);
        plug.connection().out().room(10).put("0123456789".getBytes(US_ASCII));
        plug.connection().close();
        plug.turns(3);
        assertThat(client.isClosed()).isFalse();
        assertThat(plug.connection().isOpen()).isFalse();
        client.window(100);
        plug.turns(2);
        assertThat(client.takeText()).isEqualTo("0123456789");
        assertThat(client.isClosed()).isTrue();
        assertThat(client.sawReset()).isFalse();
        assertThat(plug.calls).containsExactly("blocked", "closed");
        assertThat(plug.net.connections()).isZero();
    }

    @Test
    void abortLosesUnsentBytes() {
        MemoryPeer client = plug.client();
        plug.connection().out().room(3).put("abc".getBytes(US_ASCII));
        plug.connection().abort();
        plug.turn();
        assertThat(client.length()).isZero();
        assertThat(client.sawReset()).isTrue();
        assertThat(plug.calls).containsExactly("closed");
    }

    @Test
    void readsBrieflyAfterManyOthersInATurn() {
        int clients = NetLoop.READ_PER_TURN_MAX + 2;
        String sent = "x".repeat(20_000);
        List<MemoryPeer> peers = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            peers.add(plug.client());
        }
        List<Integer> read = new ArrayList<>();
        plug.onReadable =
                connection -> {
                    int n = connection.in().fillBriefly();
                    connection.in().consume(n);
                    read.add(n);
                };
        peers.forEach(peer -> peer.send(sent));
        plug.turn();
        assertThat(read.subList(0, NetLoop.READ_PER_TURN_MAX)).containsOnly(20_000);
        assertThat(read.subList(NetLoop.READ_PER_TURN_MAX, clients)).containsOnly(8192);
        plug.turn();
        assertThat(read.stream().mapToInt(n -> n).sum()).isEqualTo(clients * 20_000);
    }

    @Test
    void continuesReadingAfterItEndedItsHalf() {
        MemoryPeer client = plug.client();
        plug.onReadable = connection -> connection.in().fill();
        client.window(2);
        plug.connection().out().room(3).put("abc".getBytes(US_ASCII));
        plug.connection().endOutput();
        plug.turn();
        assertThat(client.sawEnd()).isFalse();
        client.window(10);
        plug.turn();
        assertThat(client.takeText()).isEqualTo("abc");
        assertThat(client.sawEnd()).isTrue();
        assertThat(client.isClosed()).isFalse();
        client.send("still here");
        plug.turn();
        assertThat(plug.connection().in().length()).isEqualTo(10);
    }

    @Test
    void noticesLostPeerWhileNotReading() {
        MemoryPeer client = plug.client();
        plug.connection().wantRead(false);
        plug.turn();
        client.reset();
        plug.turn();
        assertThat(plug.calls).containsExactly("lost");
    }

    @Test
    void pausedDriverThatAsksReadsWhatArrivedBeforeAReset() {
        List<String> read = new ArrayList<>();
        plug.readsAfterBreak = true;
        plug.onReadable = connection -> read.add(takeInput(connection));
        MemoryPeer client = plug.client();
        read.clear();
        plug.connection().wantRead(false);
        client.send("last words");
        client.closeUnread();
        plug.turns(3);
        assertThat(plug.calls).isEmpty();
        plug.connection().wantRead(true);
        plug.turns(3);
        assertThat(read).containsExactly("last words", "");
        assertThat(plug.calls).containsExactly("readable", "readable", "lost");
        assertThat(plug.net.connections()).isZero();
    }

    @Test
    void pausedDriverThatNeedsNoMoreLosesTheConnectionAtTheNextBreak() {
        plug.readsAfterBreak = true;
        MemoryPeer client = plug.client();
        plug.connection().wantRead(false);
        client.closeUnread();
        plug.turn();
        plug.connection().out().room(1).put((byte) 'x');
        plug.turn();
        assertThat(plug.calls).as("still needed").isEmpty();
        plug.readsAfterBreak = false;
        plug.connection().markDirty();
        plug.turn();
        assertThat(plug.calls).containsExactly("lost");
        assertThat(plug.net.pool().lent()).isZero();
    }

    @Test
    void pausedDriverReadsWhatArrivedBeforeAFailedWrite() {
        List<String> read = new ArrayList<>();
        plug.readsAfterBreak = true;
        plug.onReadable = connection -> read.add(takeInput(connection));
        MemoryPeer client = plug.client();
        read.clear();
        client.window(1);
        plug.connection().out().room(3).put("abc".getBytes(US_ASCII));
        plug.connection().wantRead(false);
        plug.turn();
        client.send("last words");
        client.closeUnread();
        plug.turns(3);
        assertThat(plug.calls).containsExactly("blocked");
        plug.connection().endOutput();
        plug.connection().wantRead(true);
        plug.turns(3);
        assertThat(read).containsExactly("last words", "");
        assertThat(plug.calls).containsExactly("blocked", "readable", "readable", "lost");
        assertThat(plug.net.pool().lent()).isZero();
    }

    @Test
    void readsWhatArrivedBeforeItSendsToPeerThatIsGone() {
        List<String> read = new ArrayList<>();
        plug.onReadable = connection -> read.add(takeInput(connection));
        MemoryPeer client = plug.client();
        client.window(1);
        plug.connection().out().room(3).put("abc".getBytes(US_ASCII));
        plug.turn();
        read.clear();
        client.send("last words");
        client.closeUnread();
        plug.turn();
        assertThat(read).containsExactly("last words");
        assertThat(plug.calls).containsExactly("blocked", "readable", "lost");
    }

    @Test
    void failedWriteLetsDriverThatAsksReadWhatArrived() {
        plug.readsAfterBreak = true;
        assertThat(readAfterFailedWrite())
                .containsExactly("last words, open: false", ", open: false");
        assertThat(plug.calls).containsExactly("readable", "readable", "lost");
    }

    @Test
    void failedWriteEndsTheConnectionOfOtherDrivers() {
        assertThat(readAfterFailedWrite()).isEmpty();
        assertThat(plug.calls).containsExactly("lost");
    }

    @Test
    void driverMayAbortAfterFailedWrite() {
        plug.readsAfterBreak = true;
        MemoryPeer client = plug.client();
        plug.onReadable = Connection::abort;
        plug.connection().out().room(3).put("abc".getBytes(US_ASCII));
        client.closeUnread();
        plug.connection().flush();
        plug.turn();
        assertThat(plug.calls).containsExactly("readable", "closed");
        assertThat(plug.net.connections()).isZero();
        assertThat(plug.net.pool().lent()).isZero();
    }

    private List<String> readAfterFailedWrite() {
        List<String> read = new ArrayList<>();
        MemoryPeer client = plug.client();
        plug.onReadable =
                connection -> {
                    connection.out().room(1).put((byte) 'x'); // without effect
                    read.add(takeInput(connection) + ", open: " + connection.isOpen());
                };
        plug.connection().out().room(3).put("abc".getBytes(US_ASCII));
        client.send("last words");
        client.closeUnread();
        plug.connection().flush(); // before an event tells of the bytes
        plug.turns(2);
        assertThat(client.length()).isZero();
        assertThat(plug.net.connections()).isZero();
        assertThat(plug.net.pool().lent()).isZero();
        return read;
    }

    private static String takeInput(Connection connection) {
        Input in = connection.in();
        in.fill();
        String text = new String(in.array(), in.from(), in.length(), US_ASCII);
        in.consume(in.length());
        return text;
    }

    @Test
    void callsReadableOnlyWhileDriverWantsToRead() {
        MemoryPeer client = plug.client();
        plug.connection().wantRead(false);
        plug.turn();
        client.send("x");
        plug.turns(3);
        assertThat(plug.calls).isEmpty();
        plug.connection().wantRead(true);
        plug.turns(2);
        assertThat(plug.calls).contains("readable");
    }

    @Test
    void reportsEndOfPeerOnlyOnce() {
        MemoryPeer client = plug.client();
        plug.onReadable = connection -> connection.in().fill();
        client.end();
        plug.turn();
        assertThat(plug.calls).containsExactly("readable");
        plug.turns(5);
        assertThat(plug.calls).as("calls for a half-closed connection").hasSize(1);
        assertThat(plug.connection().isOpen()).isTrue();
    }

    @Test
    void drainedFollowsEveryBlocked() {
        MemoryPeer client = plug.client();
        plug.onReadable = connection -> connection.in().fill();
        for (int i = 0; i < 3; i++) {
            client.window(1);
            plug.connection().out().room(3).put("abc".getBytes(US_ASCII));
            plug.turn();
            client.window(10);
            client.send("x"); // readable in the turn that sends the rest
            plug.turns(3);
        }
        plug.calls.removeIf("readable"::equals);
        assertThat(plug.calls)
                .containsExactly("blocked", "drained", "blocked", "drained", "blocked", "drained");
    }

    @Test
    void callsDrainedAlsoIfFlushSentTheRest(@TempDir Path folder) throws IOException {
        MemoryPeer client = plug.client();
        int length = 2 * Output.SENT_PER_TURN_MAX + Output.SENT_PER_TURN_MAX / 2;
        Path file = Files.write(folder.resolve("f"), new byte[length]);
        try (FileChannel channel = FileChannel.open(file)) {
            plug.connection().out().write(channel, 0, length, null, null);
            plug.turn(); // sends its quota of the turn
            assertThat(plug.calls).containsExactly("blocked");
            plug.net.loop().execute(plug.connection()::markDirty);
            plug.turn(); // the event sends a quota; the flush sends the rest
            assertThat(client.length()).isEqualTo(length);
            plug.turn();
            assertThat(plug.calls).containsExactly("blocked", "drained");
        }
    }

    @Test
    void callsDrainedOnceIfRequested() {
        plug.client();
        plug.connection().wantDrained();
        plug.turns(3);
        assertThat(plug.calls).containsExactly("drained");
    }

    @Test
    void failingDriverEndsOnlyItsConnection() {
        MemoryPeer good = plug.client();
        plug.onReadable = connection -> connection.in().fill();
        MemoryPeer bad = plug.client();
        plug.onReadable =
                connection -> {
                    connection.in().fill();
                    if (connection.in().length() == 3) {
                        throw new IllegalStateException("meant: a driver that fails");
                    }
                };
        bad.send("bad");
        plug.turn();
        assertThat(bad.sawReset()).isTrue();
        assertThat(good.isClosed()).isFalse();
        assertThat(plug.net.connections()).isEqualTo(1);
        assertThat(plug.net.pool().lent()).isZero();
    }

    @Test
    void failingFactoryEndsOnlyItsConnection() throws IOException {
        MemoryNetwork network = new MemoryNetwork();
        NetLoop net =
                new NetLoop(
                        new TestLoops(plug.clock).parts(0),
                        network,
                        DiskThreads.NONE,
                        1024,
                        1024,
                        Long.MAX_VALUE);
        List<Connection> made = new ArrayList<>();
        Listener.open(
                Plug.ADDRESS,
                List.of(net),
                8,
                connection -> {
                    if (made.isEmpty()) {
                        made.add(connection);
                        throw new IllegalStateException("meant: a factory that fails");
                    }
                    return plug.plug(connection);
                },
                _ -> {});
        MemoryPeer first = network.client(Plug.ADDRESS);
        MemoryPeer second = network.client(Plug.ADDRESS);
        net.loop().turn(false);
        assertThat(first.sawReset()).isTrue();
        assertThat(second.isClosed()).isFalse();
        assertThat(net.connections()).isEqualTo(1);
    }

    @Test
    void connectsToOtherServers() {
        List<String> failures = new ArrayList<>();
        plug.net.connect(Plug.ADDRESS, plug::plug, e -> failures.add(e.toString()));
        plug.net.connect(Plug.ADDRESS, plug::plug, e -> failures.add(e.toString()));
        MemoryPeer far = plug.network.dialled().accept();
        plug.network.dialled().refuse();
        plug.turn();
        assertThat(failures).hasSize(1).first().asString().contains("refused");
        assertThat(plug.net.connections()).isEqualTo(1);
        plug.calls.clear();
        far.end();
        plug.turn();
        assertThat(plug.calls).containsExactly("readable");
    }

    @Test
    void closingTheLoopAbortsOpenConnections() {
        MemoryPeer client = plug.client();
        MemoryPeer other = plug.client();
        plug.net.close();
        assertThat(client.sawReset()).isTrue();
        assertThat(other.sawReset()).isTrue();
        assertThat(plug.net.connections()).isZero();
        assertThat(plug.network.open()).isZero();
    }
}
