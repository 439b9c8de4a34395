package dev.serval.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.net.BufferPool;
import dev.serval.net.Connection;
import dev.serval.net.Input;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.testkit.TlsClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests the transport in memory against a real client, the JDK's engine.
final class TlsTransportTest {
    private static final byte[] BYTES = new byte[400_000];
    private static final byte[] REQUEST = "request".getBytes(StandardCharsets.US_ASCII);
    private static final int PLAIN_HEADER = 5;

    /// What is added to the content of a record of TLS 1.3: a header, the type and 16 bytes of the
    /// check; by the JDK's engine also as many of padding.
    private static final int OVERHEAD = TestLibrary.isJdk() ? 38 : 22;

    static {
        new Random(5).nextBytes(BYTES);
    }

    private final TlsPlug plug = new TlsPlug();

    @AfterEach
    void nothingIsLeft() {
        plug.turns(2);
        plug.net.forEach(Connection::abort);
        plug.turns(2);
        assertThat(plug.net.connections()).isZero();
        assertThat(plug.net.pool().lent()).isZero();
        assertThat(plug.net.pool().held()).isZero();
        assertThat(plug.net.loop().timers().armed()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void carriesContentInBothDirections(String protocol) throws SSLException {
        TlsClient client = plug.client(protocol);
        client.send(BYTES, 0, 100_000);
        plug.exchange(client);
        assertThat(plug.read.toByteArray()).isEqualTo(Arrays.copyOf(BYTES, 100_000));
        plug.connection().out().write(ByteBuffer.wrap(BYTES), null);
        assertThat(taken(client, BYTES.length)).isEqualTo(BYTES);
        assertThat(plug.ends).containsExactly(TlsHost.End.DONE);
        assertThat(plug.encryption().session()).isNotNull();
        assertThat(client.session().getProtocol()).isEqualTo(protocol);
    }

    /// Cuts the bytes of a client's first flight at every place.
    @Test
    void handshakeDoesNotDependOnCuts() throws SSLException {
        int length = TlsClient.of(plug.keys.trusting()).begin().toSend().length;
        for (int cut = 1; cut < length; cut += cut < 80 ? 1 : 7) {
            MemoryPeer peer = plug.connect();
            TlsClient client = TlsClient.of(plug.keys.trusting()).begin();
            client.send(REQUEST, 0, REQUEST.length);
            byte[] flight = client.toSend();
            peer.send(flight, 0, cut);
            plug.turns(2);
            peer.send(flight, cut, flight.length - cut);
            plug.exchange(client);
            assertThat(plug.read.toString(StandardCharsets.US_ASCII))
                    .as("cut at %d", cut)
                    .isEqualTo("request");
            plug.read.reset();
            plug.connection().abort();
            plug.turn();
        }
    }

    @ParameterizedTest
    @CsvSource({"TLSv1.3,1", "TLSv1.2,1", "TLSv1.3,3", "TLSv1.3,1000"})
    void readsPieceByPiece(String protocol, int bytes) throws SSLException {
        MemoryPeer peer = plug.connect();
        TlsClient client = TlsClient.of(plug.keys.trusting(), protocol).begin();
        client.send(BYTES, 0, 2000);
        byte[] out = client.toSend();
        while (out.length > 0) {
            for (int at = 0; at < out.length; at += bytes) {
                peer.send(out, at, Math.min(bytes, out.length - at));
                plug.turns(2);
            }
            byte[] in = peer.take();
            client.receive(in, 0, in.length);
            out = client.toSend();
        }
        assertThat(plug.read.toByteArray()).isEqualTo(Arrays.copyOf(BYTES, 2000));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 1000, 5599, 5600, 5622, 16_389, 65_536})
    void recordsThatTheSocketDoesNotTakeAreSentLater(int window) throws SSLException {
        TlsClient client = plug.client();
        int length = window < 1000 ? 8000 : BYTES.length;
        Connection connection = plug.connection();
        connection.out().room(100).put(BYTES, 0, 100);
        connection.out().write(ByteBuffer.wrap(BYTES, 100, length - 100), null);
        byte[] taken = {};
        for (int turns = 0; taken.length < length; turns++) {
            assertThat(turns).as("turns without an end").isLessThan(10_000);
            assertThat(connection.out().isEmpty()).isFalse();
            plug.peer().window(window);
            plug.turn();
            byte[] in = plug.peer().take();
            client.receive(in, 0, in.length);
            taken = joined(taken, client.take());
        }
        assertThat(taken).isEqualTo(Arrays.copyOf(BYTES, length));
        plug.peer().window(Long.MAX_VALUE);
        plug.turns(2);
        assertThat(connection.out().isEmpty()).isTrue();
        assertThat(plug.net.pool().lent()).isZero();
    }

    /// Each flight of the handshake also waits for the socket.
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void handshakeWaitsForTheSocket(String protocol) throws SSLException {
        MemoryPeer peer = plug.connect();
        TlsClient client = TlsClient.of(plug.keys.trusting(), protocol).begin();
        client.send(REQUEST, 0, REQUEST.length);
        for (int turns = 0; plug.read.size() == 0; turns++) {
            assertThat(turns).as("turns without an end").isLessThan(10_000);
            peer.window(10);
            plug.move(client);
        }
        assertThat(plug.read.toString(StandardCharsets.US_ASCII)).isEqualTo("request");
        peer.window(Long.MAX_VALUE);
    }

    @Test
    void contentThatWasWrittenEarlyIsSentAfterTheHandshake() throws SSLException {
        plug.onOpen = open -> open.out().room(5).put(REQUEST, 0, 5);
        plug.connect();
        assertThat(plug.peer().length()).isZero();
        TlsClient client = TlsClient.of(plug.keys.trusting()).begin();
        plug.exchange(client);
        assertThat(client.take()).isEqualTo(Arrays.copyOf(REQUEST, 5));
    }

    @Test
    void readerWithLittleRoomGetsAllContentInOrder() throws SSLException {
        plug.onReadable =
                open -> {
                    Input in = open.in();
                    if (in.fill(700) > 0) {
                        plug.read.write(in.array(), in.from(), in.length());
                        in.consume(in.length());
                    }
                };
        TlsClient client = plug.client();
        client.send(BYTES, 0, 40_000);
        plug.peer().send(client.toSend());
        plug.turns(100);
        assertThat(plug.read.toByteArray()).isEqualTo(Arrays.copyOf(BYTES, 40_000));
        plug.calls.clear();
        plug.turns(3);
        assertThat(plug.calls).isEmpty();
    }

    @Test
    void reportsNoHeldBytesWhileTheConnectionDoesNotWantThem() throws SSLException {
        TlsClient client = plug.client();
        plug.onReadable =
                open -> {
                    Input in = open.in();
                    in.fill(700);
                    plug.read.write(in.array(), in.from(), in.length());
                    in.consume(in.length());
                    open.wantRead(false);
                };
        client.send(BYTES, 0, 1000);
        plug.peer().send(client.toSend());
        plug.turns(3);
        assertThat(plug.read.size()).isEqualTo(700);
        assertThat(plug.connection().mayHaveInput()).isTrue();
        plug.connection().wantRead(true);
        plug.turns(3);
        assertThat(plug.read.size()).isEqualTo(1000);
    }

    @Test
    void partOfARecordIsHeldAndCounted() throws SSLException {
        TlsClient client = plug.client();
        client.send(REQUEST, 0, REQUEST.length);
        byte[] record = client.toSend();
        plug.peer().send(record, 0, record.length - 1);
        plug.turns(2);
        assertThat(plug.read.size()).isZero();
        assertThat(plug.net.pool().held()).isEqualTo(1024);
        assertThat(plug.transport().held()).isEqualTo(1024);
        plug.peer().send(record, record.length - 1, 1);
        plug.turns(2);
        assertThat(plug.read.size()).isEqualTo(REQUEST.length);
        assertThat(plug.net.pool().held()).isZero();
    }

    @Test
    void recordsThatWaitAreCounted() throws SSLException {
        plug.client();
        plug.peer().window(10);
        plug.connection().out().room(100).put(BYTES, 0, 100);
        plug.turn();
        // the buffer of the records, and that of the output, which has the same bytes
        assertThat(plug.net.pool().held()).isEqualTo(2L * BufferPool.DIRECT_BYTES);
        assertThat(plug.transport().held()).isEqualTo(BufferPool.DIRECT_BYTES);
    }

    // Ends

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void closeSendsTheLastRecordAfterAllContent(String protocol) throws SSLException {
        TlsClient client = plug.client(protocol);
        plug.peer().window(10);
        plug.connection().out().room(100).put(BYTES, 0, 100);
        plug.connection().close();
        plug.turns(3);
        assertThat(plug.peer().isClosed()).isFalse();
        plug.peer().window(Long.MAX_VALUE);
        plug.turn();
        assertThat(taken(client, 100)).isEqualTo(Arrays.copyOf(BYTES, 100));
        assertThat(client.sawEnd()).isTrue();
        assertThat(plug.peer().sawEnd()).isTrue();
    }

    @Test
    void endOfOutputWaitsUntilTheSocketTakesTheLastRecord() throws SSLException {
        TlsClient client = plug.client();
        plug.connection().out().room(100).put(BYTES, 0, 100);
        plug.peer().window(100 + OVERHEAD);
        plug.connection().endOutput();
        plug.turns(3);
        assertThat(taken(client, 100)).hasSize(100);
        assertThat(client.sawEnd()).isFalse();
        assertThat(plug.peer().sawEnd()).isFalse();
        plug.peer().window(Long.MAX_VALUE);
        plug.turn();
        plug.exchange(client);
        assertThat(client.sawEnd()).isTrue();
        assertThat(plug.peer().sawEnd()).isTrue();
        assertThat(plug.connection().isOpen()).isTrue();
    }

    /// RFC 8446 §6.1: each direction ends by itself.
    @Test
    void peerThatHasEndedGetsItsAnswer() throws SSLException {
        TlsClient client = plug.client("TLSv1.3");
        client.send(REQUEST, 0, REQUEST.length);
        client.end();
        plug.exchange(client);
        assertThat(plug.read.size()).isEqualTo(REQUEST.length);
        assertThat(plug.connection().in().ended()).isTrue();
        plug.connection().out().write(ByteBuffer.wrap(BYTES), null);
        assertThat(taken(client, BYTES.length)).isEqualTo(BYTES);
    }

    @Test
    void clientMayGoOnSendingAfterOurEnd() throws SSLException {
        TlsClient client = plug.client("TLSv1.3");
        plug.connection().endOutput();
        plug.turns(2);
        client.send(REQUEST, 0, REQUEST.length);
        plug.exchange(client);
        assertThat(plug.read.size()).isEqualTo(REQUEST.length);
    }

    @Test
    void endInTls12EndsBothDirections() throws SSLException {
        TestLibrary.needsJdk("answers the end of a client with TLS 1.2 at once");
        TlsClient client = plug.client("TLSv1.2");
        client.end();
        plug.exchange(client);
        assertThat(plug.connection().in().ended()).isTrue();
        assertThat(client.sawEnd()).isTrue();
        plug.connection().out().room(1).put((byte) 1);
        plug.turns(2);
        assertThat(plug.calls).endsWith("lost");
    }

    @Test
    void streamThatEndsWithoutItsLastRecordLosesTheConnection() throws SSLException {
        TlsClient client = plug.client();
        client.send(REQUEST, 0, REQUEST.length);
        plug.peer().send(client.toSend());
        plug.peer().end();
        plug.turns(3);
        assertThat(plug.read.size()).isEqualTo(REQUEST.length);
        assertThat(plug.calls).endsWith("lost");
    }

    @Test
    void changedRecordLosesTheConnectionWithAnAlert() throws SSLException {
        TlsClient client = plug.client();
        client.send(REQUEST, 0, REQUEST.length);
        byte[] record = client.toSend();
        record[PLAIN_HEADER]++;
        plug.peer().send(record);
        plug.turns(2);
        assertThat(plug.calls).endsWith("lost");
        assertThat(plug.read.size()).isZero();
        byte[] alert = plug.peer().take();
        assertThatThrownBy(() -> client.receive(alert, 0, alert.length))
                .isInstanceOf(SSLException.class)
                .hasMessageContaining("bad_record_mac");
    }

    /// The engine would refuse them, too, but only after all of their length has arrived.
    @ParameterizedTest
    @CsvSource({
        "23,3,3,255,255",
        "23,2,3,0,5",
        "1,3,3,0,5",
        "19,3,3,0,5",
        "25,3,3,0,5",
        "22,9,9,0,5"
    })
    void bytesThatAreNoRecordLoseTheConnection(byte a, byte b, byte c, int d, int e)
            throws SSLException {
        plug.client();
        plug.peer().send(new byte[] {a, b, c, (byte) d, (byte) e});
        plug.turns(2);
        assertThat(plug.calls).endsWith("lost");
    }

    // The handshake

    @Test
    void otherConnectionsAreServedWhileAThreadWorks() throws SSLException {
        TestLibrary.needsJdk("needs a thread for a signature by ECDSA");
        TlsClient first = plug.client();
        Connection served = plug.connection();
        plug.worksByItself = false;
        MemoryPeer firstPeer = plug.peer();
        MemoryPeer peer = plug.connect();
        TlsClient second = TlsClient.of(plug.keys.trusting()).begin();
        peer.send(second.toSend());
        plug.turns(3);
        assertThat(plug.work).hasSize(1);
        peer.send("more".getBytes(StandardCharsets.US_ASCII));
        plug.calls.clear();
        plug.turns(3);
        assertThat(plug.calls).as("calls while it waits").isEmpty();
        first.send(REQUEST, 0, REQUEST.length);
        firstPeer.send(first.toSend());
        plug.turns(2);
        assertThat(plug.read.size()).isEqualTo(REQUEST.length);
        assertThat(served.isOpen()).isTrue();
        plug.connection().abort();
        plug.turns(2);
        plug.work();
        plug.turns(2);
        assertThat(plug.ends).containsExactly(TlsHost.End.DONE, TlsHost.End.FAILED);
    }

    @Test
    void refusedWorkLosesTheConnection() throws SSLException {
        TestLibrary.needsJdk("needs a thread for a signature by ECDSA");
        plug.takesWork = false;
        plug.connect().send(TlsClient.of(plug.keys.trusting()).begin().toSend());
        plug.turns(2);
        assertThat(plug.calls).endsWith("lost");
        assertThat(plug.ends).containsExactly(TlsHost.End.REFUSED);
    }

    @Test
    void handshakeThatTakesTooLongLosesTheConnection() throws SSLException {
        plug.connect().send(TlsClient.of(plug.keys.trusting()).begin().toSend());
        plug.turns(3);
        plug.clock.advance(Duration.ofNanos(TlsPlug.HANDSHAKE_NANOS - 100_000_000));
        plug.turns(2);
        assertThat(plug.calls).doesNotContain("lost");
        plug.clock.advance(Duration.ofMillis(200));
        plug.turns(2);
        assertThat(plug.calls).endsWith("lost");
        assertThat(plug.ends).containsExactly(TlsHost.End.LATE);
    }

    @Test
    void completeHandshakeHasNoDeadline() throws SSLException {
        plug.client();
        plug.clock.advance(Duration.ofHours(1));
        plug.turns(2);
        assertThat(plug.connection().isOpen()).isTrue();
    }

    @Test
    void lateHandshakeAlsoEndsWhileAThreadWorks() throws SSLException {
        TestLibrary.needsJdk("needs a thread for a signature by ECDSA");
        plug.worksByItself = false;
        plug.connect().send(TlsClient.of(plug.keys.trusting()).begin().toSend());
        plug.turns(2);
        plug.clock.advance(Duration.ofNanos(TlsPlug.HANDSHAKE_NANOS + 100_000_000));
        plug.turns(2);
        assertThat(plug.calls).endsWith("lost");
        plug.work();
        plug.turns(2);
        assertThat(plug.ends).containsExactly(TlsHost.End.LATE);
    }

    @Test
    void plainHttpGetsAReadableAnswer() {
        MemoryPeer peer = plug.connect();
        peer.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
        plug.turns(2);
        assertThat(peer.text())
                .startsWith("HTTP/1.1 400 Bad Request\r\n")
                .contains("\r\nConnection: close\r\n")
                .containsPattern("\r\nDate: [A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} ")
                .endsWith(
                        "\r\n\r\nThis port speaks TLS: write https:// instead of http://"
                                + " in the address.\n");
        assertThat(peer.unread()).isZero();
        assertThat(peer.sawEnd()).isTrue();
        peer.send("content that comes after the answer");
        plug.turns(2);
        assertThat(peer.unread()).isZero();
        assertThat(plug.connection().in().ended()).isFalse(); // the client may still send
        peer.end();
        plug.turns(2);
        assertThat(plug.connection().in().ended()).isTrue();
        assertThat(plug.ends).containsExactly(TlsHost.End.PLAIN_HTTP);
    }

    /// SSL 2, what is just below and above the capital letters, and another record of TLS.
    @ParameterizedTest
    @ValueSource(ints = {0x80, '@', '[', 21})
    void otherFirstBytesLoseTheConnection(int first) {
        MemoryPeer peer = plug.connect();
        peer.send(new byte[] {(byte) first, 0x2e, 1, 0, 2});
        plug.turns(2);
        assertThat(plug.calls).endsWith("lost");
        assertThat(peer.length()).isZero();
        assertThat(plug.ends).containsExactly(TlsHost.End.FAILED);
    }

    @Test
    void clientWithoutACommonVersionGetsAnAlert() throws IOException {
        plug.provider =
                TestLibrary.of(
                        List.of(credential()),
                        TlsSettings.ofIssued(TlsProfile.MODERN, ClientCertificates.NONE));
        MemoryPeer peer = plug.connect();
        TlsClient client = TlsClient.of(plug.keys.trusting(), "TLSv1.2").begin();
        peer.send(client.toSend());
        plug.turns(3);
        byte[] alert = peer.take();
        assertThatThrownBy(() -> client.receive(alert, 0, alert.length))
                .isInstanceOf(SSLException.class)
                .hasMessageContaining("protocol_version");
        assertThat(plug.calls).endsWith("lost");
        assertThat(plug.ends).containsExactly(TlsHost.End.FAILED);
    }

    /// Such as that of a balancer that only asks whether the port is open.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void connectionWithoutAByteIsNoFailedHandshake(boolean resets) {
        MemoryPeer peer = plug.connect();
        if (resets) {
            peer.reset();
        } else {
            peer.end();
        }
        plug.turns(2);
        assertThat(plug.ends).isEmpty();
        assertThat(plug.calls).endsWith(resets ? "lost" : "readable");
        assertThat(plug.connection().in().ended()).isNotEqualTo(resets);
    }

    @Test
    void clientThatLeavesDuringTheHandshakeIsCounted() throws SSLException {
        MemoryPeer peer = plug.connect();
        peer.send(TlsClient.of(plug.keys.trusting()).begin().toSend());
        plug.turns(2);
        peer.end();
        plug.turns(2);
        assertThat(plug.calls).endsWith("lost");
        assertThat(plug.ends).containsExactly(TlsHost.End.FAILED);
    }

    /// RFC 5746 §5: a client could keep the server busy.
    @Test
    void anotherHandshakeIsRefused() throws SSLException {
        TlsClient client = plug.client("TLSv1.2");
        client.begin();
        plug.peer().send(client.toSend());
        plug.turns(2);
        assertThat(plug.calls).endsWith("lost");
    }

    /// RFC 8446 §4.6.3.
    @Test
    void clientMayChangeItsKeys() throws SSLException {
        TlsClient client = plug.client("TLSv1.3");
        client.begin();
        plug.exchange(client);
        client.send(REQUEST, 0, REQUEST.length);
        plug.exchange(client);
        assertThat(plug.read.size()).isEqualTo(REQUEST.length);
        plug.connection().out().write(ByteBuffer.wrap(BYTES), null);
        assertThat(taken(client, BYTES.length)).isEqualTo(BYTES);
    }

    /// The answer to a change of keys waits until the socket takes what was sealed before it.
    @Test
    void changeOfKeysWaitsForRecordsThatWait() throws SSLException {
        TlsClient client = plug.client("TLSv1.3");
        plug.peer().window(50);
        plug.connection().out().write(ByteBuffer.wrap(BYTES, 0, 50_000), null);
        plug.turn();
        client.begin();
        client.send(REQUEST, 0, REQUEST.length);
        plug.peer().send(client.toSend());
        plug.calls.clear();
        plug.turns(10);
        assertThat(plug.calls).as("calls while the answer waits").hasSizeLessThan(3);
        plug.peer().window(Long.MAX_VALUE);
        assertThat(taken(client, 50_000)).isEqualTo(Arrays.copyOf(BYTES, 50_000));
        plug.exchange(client);
        assertThat(plug.read.size()).isEqualTo(REQUEST.length);
    }

    /// A resumed session needs no certificate.
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void secondConnectionResumesTheSession(String protocol) throws SSLException {
        SSLContext context = plug.keys.trusting();
        int certificate = credential().certificate().getPublicKey().getEncoded().length;
        int first = firstFlight(TlsClient.of(context, protocol));
        assertThat(firstFlight(TlsClient.of(context, protocol))).isLessThan(first - certificate);
        assertThat(plug.ends).containsExactly(TlsHost.End.DONE, TlsHost.End.DONE);
    }

    /// Completes a handshake, and returns the bytes of the server's first flight.
    private int firstFlight(TlsClient client) throws SSLException {
        MemoryPeer peer = plug.connect();
        peer.send(client.begin().toSend());
        plug.turns(3);
        byte[] flight = peer.take();
        client.receive(flight, 0, flight.length);
        plug.exchange(client);
        return flight.length;
    }

    @Test
    void chosenProtocolIsKnown() throws SSLException {
        plug.connect();
        TlsClient client = TlsClient.of(plug.keys.trusting()).offering("h2", "http/1.1").begin();
        plug.exchange(client);
        assertThat(client.applicationProtocol()).isEqualTo("http/1.1");
        assertThat(plug.encryption().applicationProtocol()).isEqualTo("http/1.1");
    }

    private Credential credential() {
        try {
            return Credential.pem(plug.keys.certificate(), plug.keys.key());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private byte[] taken(TlsClient client, int length) throws SSLException {
        byte[] all = {};
        for (int turns = 0; turns < 200 && all.length < length; turns++) {
            plug.move(client);
            all = joined(all, client.take());
        }
        return all;
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }
}
