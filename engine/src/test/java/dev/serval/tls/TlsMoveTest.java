package dev.serval.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.net.Connection;
import dev.serval.net.Driver;
import dev.serval.net.Input;
import dev.serval.net.LooseSocket;
import dev.serval.testkit.TlsClient;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;

/// Moves connections with TLS from one loop to another.
final class TlsMoveTest {
    private static final byte[] HELLO = "hello".getBytes(StandardCharsets.US_ASCII);

    private final TlsPlug plug = new TlsPlug();
    private final TlsPlug other = new TlsPlug();

    @Test
    void openConnectionContinuesOnAnotherLoop() throws SSLException {
        TlsClient client = plug.client();
        LooseSocket socket = Objects.requireNonNull(plug.connection().giveUp());
        plug.turns(2);
        assertThat(plug.net.connections()).isZero();
        assertThat(plug.calls).as("the old driver hears nothing").isEmpty();
        Connection there = Objects.requireNonNull(other.net.adopt(socket, Echo::new));
        assertThat(other.net.loop().timers().armed()).as("no handshake is awaited").isZero();
        assertThat(Objects.requireNonNull(there.encryption()).session()).isNotNull();
        client.send(HELLO, 0, HELLO.length);
        plug.peer().send(client.toSend());
        other.turns(3);
        byte[] in = plug.peer().take();
        client.receive(in, 0, in.length);
        assertThat(client.take()).isEqualTo(HELLO);
        there.close();
        other.turns(2);
        assertThat(other.net.connections()).isZero();
        assertThat(other.net.pool().held()).isZero();
    }

    @Test
    void connectionStaysBeforeBothAgree() throws SSLException {
        plug.connect();
        TlsClient client = TlsClient.of(plug.keys.trusting()).begin();
        plug.peer().send(client.toSend());
        plug.turns(2);
        assertThat(plug.encryption().session()).as("both agree").isNull();
        assertThat(plug.connection().giveUp()).isNull();
    }

    @Test
    void connectionThatHoldsAPartOfARecordStays() throws SSLException {
        TlsClient client = plug.client();
        client.send(HELLO, 0, HELLO.length);
        byte[] record = client.toSend();
        plug.peer().send(record, 0, 7);
        plug.turns(2);
        assertThat(plug.connection().giveUp()).isNull();
        plug.peer().send(record, 7, record.length - 7);
        plug.turns(2);
        assertThat(plug.read.toByteArray()).isEqualTo(HELLO);
        assertThat(plug.connection().giveUp()).isNotNull();
    }

    @Test
    void connectionWhosePeerHasEndedStays() throws SSLException {
        plug.onReadable = _ -> {};
        TlsClient client = plug.client();
        plug.onReadable =
                open -> {
                    int _ = open.in().fill(1);
                };
        client.end();
        plug.peer().send(client.toSend());
        plug.turns(2);
        assertThat(plug.connection().giveUp()).isNull();
    }

    /// Sends back what it reads.
    private record Echo(Connection connection) implements Driver {
        @Override
        public void readable() {
            Input in = connection.in();
            int n = in.fill();
            if (n > 0) {
                connection.out().write(ByteBuffer.wrap(in.array(), in.from(), n), null);
                in.consume(n);
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

    /// The system would report a socket that stays open again and again.
    @Test
    void socketIsClosedAlsoIfNoMemoryIsLeft() throws SSLException {
        plug.connect();
        plug.peer().send(TlsClient.of(plug.keys.trusting()).begin().toSend(), 0, 20);
        plug.turn();
        plug.failsToEnd = true;
        plug.connection().abort();
        plug.turn();
        assertThat(plug.peer().sawReset()).isTrue();
    }
}
