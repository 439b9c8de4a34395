package dev.serval.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.net.Connection;
import dev.serval.net.NetLoop;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.testkit.TlsClient;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests clients that send more than they need to: records without content, handshakes in tiny records,
/// handshakes that they never finish.
final class TlsFloodTest {
    private static final byte[] REQUEST = "request".getBytes(StandardCharsets.US_ASCII);
    private static final byte HANDSHAKE = 22;
    private static final int HEADER = 5;

    /// More than fits into a connection's share below, less than a record.
    private static final int LONG_HELLO = 15_000;

    private TlsPlug plug = new TlsPlug();

    @AfterEach
    void nothingIsLeft() {
        plug.turns(2);
        plug.net.forEach(Connection::abort);
        plug.turns(2);
        assertThat(plug.net.connections()).isZero();
        assertThat(plug.net.pool().lent()).isZero();
        assertThat(plug.net.pool().held()).isZero();
    }

    /// The engine copies all of a message for each of its records, so a message in thousands of them
    /// would take the loop a long time. The client's last flight has two more records.
    @ParameterizedTest
    @ValueSource(ints = {RecordQuota.HANDSHAKE_MAX - 2, RecordQuota.HANDSHAKE_MAX - 1})
    void handshakeInTinyRecordsIsBounded(int records) throws SSLException {
        MemoryPeer peer = plug.connect();
        TlsClient client = TlsClient.of(plug.keys.trusting()).begin();
        client.send(REQUEST, 0, REQUEST.length);
        peer.send(cut(client.toSend(), records));
        boolean fits = records == RecordQuota.HANDSHAKE_MAX - 2;
        if (fits) {
            plug.turns(RecordQuota.HANDSHAKE_MAX / NetLoop.SHAKEN_PER_TURN_MAX);
            plug.exchange(client);
        } else {
            plug.turns(5);
            byte[] flight = peer.take();
            client.receive(flight, 0, flight.length);
            peer.send(client.toSend());
            plug.turns(5);
        }
        assertThat(plug.ends).containsExactly(fits ? TlsHost.End.DONE : TlsHost.End.FAILED);
        assertThat(plug.calls.contains("lost")).isNotEqualTo(fits);
        assertThat(plug.read.size()).isEqualTo(fits ? REQUEST.length : 0);
    }

    @Test
    void memoryOfAHandshakeIsCountedUntilItsEnd() throws SSLException {
        MemoryPeer peer = plug.connect();
        TlsClient client = TlsClient.of(plug.keys.trusting()).begin();
        byte[] flight = client.toSend();
        byte[] cut = cut(flight, 2);
        int first = HEADER + (flight.length - HEADER) / 2;
        peer.send(cut, 0, first);
        plug.turns(2);
        assertThat(plug.net.pool().held()).isEqualTo(RecordQuota.ENGINE_BYTES + first);
        peer.send(cut, first, cut.length - first);
        plug.exchange(client);
        assertThat(client.isAgreed()).isTrue();
        assertThat(plug.net.pool().held()).isZero();
    }

    /// Otherwise hundreds of clients that begin at once would hold up all others of the loop.
    @Test
    void onlySomeHandshakesBeginInOneTurn() throws SSLException {
        TestLibrary.needsWorkOnTheLoop();
        List<MemoryPeer> peers = new ArrayList<>();
        for (int i = 0; i < NetLoop.SHAKEN_PER_TURN_MAX + 2; i++) {
            peers.add(plug.connect());
        }
        byte[] hello = TlsClient.of(plug.keys.trusting()).begin().toSend();
        peers.forEach(peer -> peer.send(hello));
        plug.turns(1);
        assertThat(peers)
                .filteredOn(peer -> peer.length() > 0)
                .hasSize(NetLoop.SHAKEN_PER_TURN_MAX);
        plug.turns(2);
        assertThat(peers).allMatch(peer -> peer.length() > 0);
    }

    @Test
    void handshakesThatHoldTooMuchEnd() {
        int max = 4 * LONG_HELLO;
        plug = new TlsPlug(max);
        byte[] record = new byte[HEADER + LONG_HELLO];
        byte[] head = {HANDSHAKE, 3, 1, LONG_HELLO >> 8, (byte) LONG_HELLO, 1, 0, 0x7f, 0};
        System.arraycopy(head, 0, record, 0, head.length); // a message of 32,512 bytes
        for (int i = 0; i < 12; i++) {
            plug.connect().send(record);
            plug.turns(2);
            assertThat(plug.net.pool().held()).isLessThanOrEqualTo(max);
        }
        // Others refuse a message of that length at once.
        assertThat(plug.net.connections()).isBetween(TestLibrary.isJdk() ? 1 : 0, 4);
        assertThat(plug.ends).contains(TlsHost.End.FAILED);
    }

    /// The engine keeps more for each than its client has sent.
    @Test
    void handshakesThatAreNeverFinishedEnd() throws SSLException {
        int max = 10 * RecordQuota.ENGINE_BYTES;
        plug = new TlsPlug(max);
        for (int i = 0; i < 30; i++) {
            plug.connect().send(TlsClient.of(plug.keys.trusting()).begin().toSend());
            plug.turns(3);
            assertThat(plug.net.pool().held()).isLessThanOrEqualTo(max);
        }
        assertThat(plug.net.connections()).isBetween(1, 10);
        assertThat(plug.client().isAgreed()).as("another client").isTrue();
    }

    /// Each is answered before the connection has another turn.
    @Test
    void recordWithoutContentEndsARead() throws SSLException {
        TlsClient client = plug.client("TLSv1.3");
        List<Integer> reads = notedReads();
        for (int i = 0; i < 3; i++) {
            client.begin();
        }
        client.send(REQUEST, 0, REQUEST.length);
        plug.peer().send(client.toSend());
        plug.turns(6);
        assertThat(reads).startsWith(0, 0, 0, REQUEST.length);
        // Others answer with their next content.
        assertThat(plug.peer().length() > 0).isEqualTo(TestLibrary.isJdk());
    }

    @Test
    void readOpensABoundedNumberOfRecords() throws SSLException {
        TlsClient client = plug.client();
        List<Integer> reads = notedReads();
        ByteArrayOutputStream records = new ByteArrayOutputStream();
        for (int i = 0; i < 2 * RecordQuota.READ_MAX + 1; i++) {
            client.send(REQUEST, 0, 1);
            records.writeBytes(client.toSend());
        }
        plug.peer().send(records.toByteArray());
        plug.turns(6);
        assertThat(reads).startsWith(RecordQuota.READ_MAX, RecordQuota.READ_MAX, 1);
    }

    @Test
    void onlyFaultsAreCountedAsFaults() throws SSLException {
        plug.client();
        plug.peer().reset();
        plug.turns(2);
        assertThat(plug.calls).endsWith("lost");
        plug.client();
        plug.peer().end();
        plug.turns(2);
        assertThat(plug.calls).endsWith("lost");
        assertThat(plug.faults).isZero();
        plug.client();
        plug.peer().send(new byte[] {HANDSHAKE, 9, 9, 0, 1, 0});
        plug.turns(2);
        assertThat(plug.faults).isEqualTo(1);
    }

    /// The last record fits into no memory.
    @Test
    void socketIsClosedAlsoIfTheLastRecordCannotBeSent() throws SSLException {
        plug.client();
        plug.failsToWrite = true;
        plug.connection().close();
        plug.turns(2);
        assertThat(plug.peer().isClosed()).isTrue();
    }

    /// The socket would report at once that it takes bytes, again and again.
    @Test
    void asksForNoWritesDuringTheHandshake() throws SSLException {
        plug.onOpen = open -> open.out().room(5).put(REQUEST, 0, 5);
        plug.connect();
        plug.turns(2);
        assertThat(plug.connection().out().isEmpty()).isFalse();
        assertThat(plug.asksForWrites).isFalse();
        TlsClient client = TlsClient.of(plug.keys.trusting()).begin();
        plug.exchange(client);
        assertThat(client.take()).hasSize(5);
    }

    /// The engine must not be used while a thread works.
    @Test
    void readWhileAThreadWorksFindsNothing() throws SSLException {
        TestLibrary.needsJdk("needs a thread for a signature by ECDSA");
        plug.worksByItself = false;
        plug.onReadable =
                open -> {
                    assertThat(open.in().fill()).isZero();
                    assertThat(open.in().fill()).isZero();
                };
        plug.connect().send(TlsClient.of(plug.keys.trusting()).begin().toSend());
        plug.turns(2);
        assertThat(plug.work).hasSize(1);
        plug.work();
    }

    @Test
    void readCallsTheSocketABoundedNumberOfTimes() throws SSLException {
        TlsClient client = plug.client();
        List<Integer> reads = notedReads();
        client.send(REQUEST, 0, REQUEST.length);
        byte[] record = client.toSend();
        plug.peer().pieces(1);
        plug.peer().send(record);
        plug.net.loop().turn(false);
        assertThat(reads).containsExactly(0);
        assertThat(plug.peer().unread()).isEqualTo(record.length - 4);
        plug.turns(record.length);
        assertThat(reads).contains(REQUEST.length);
    }

    @Test
    void plainRequestIsDroppedUpToABound() {
        byte[] request = new byte[400_000];
        Arrays.fill(request, (byte) 'G');
        MemoryPeer peer = plug.connect();
        peer.send(request);
        plug.turns(3);
        assertThat(peer.text()).startsWith("HTTP/1.1 400 ");
        assertThat(peer.unread()).isBetween(100_000, 300_000);
    }

    /// RFC 5246 §7.2.1: the last record is answered, also if others wait before the answer.
    @Test
    void lastRecordIsAnsweredAfterTheSocketTakesBytesAgain() throws SSLException {
        TestLibrary.needsJdk("answers the end of a client with TLS 1.2 at once");
        TlsClient client = plug.client("TLSv1.2");
        plug.peer().window(10);
        plug.connection().out().room(100).put(REQUEST, 0, REQUEST.length);
        plug.turn();
        client.end();
        plug.peer().send(client.toSend());
        plug.turns(3);
        assertThat(plug.connection().in().ended()).isFalse();
        plug.peer().window(Long.MAX_VALUE);
        plug.exchange(client);
        assertThat(plug.connection().in().ended()).isTrue();
        assertThat(client.sawEnd()).isTrue();
    }

    /// Has each call of the driver read once.
    private List<Integer> notedReads() {
        List<Integer> reads = new ArrayList<>();
        plug.onReadable =
                open -> {
                    reads.add(open.in().fill());
                    open.in().consume(open.in().length());
                };
        return reads;
    }

    /// Spreads the message in a record over several records.
    private static byte[] cut(byte[] record, int pieces) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] message = Arrays.copyOfRange(record, HEADER, record.length);
        int size = message.length / pieces;
        for (int i = 0; i < pieces; i++) {
            int from = i * size;
            int to = i == pieces - 1 ? message.length : from + size;
            all.writeBytes(
                    new byte[] {HANDSHAKE, 3, 1, (byte) ((to - from) >> 8), (byte) (to - from)});
            all.write(message, from, to - from);
        }
        return all.toByteArray();
    }
}
