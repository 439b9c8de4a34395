package dev.serval.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.net.Connection;
import dev.serval.testkit.TlsClient;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;

/// Tests how much content each record of an answer gets.
final class RecordSizesTest {
    private static final byte[] BYTES = new byte[200_000];
    private static final byte[] FRAME = new byte[13];

    /// What the JDK's engine adds to the content of a record of TLS 1.3.
    private static final int OVERHEAD = 38;

    private final TlsPlug plug = new TlsPlug();

    @Test
    void recordsAreSmallAtFirstAndAfterAPause() throws SSLException {
        plug.client();
        Connection connection = plug.connection();
        List<Integer> first = lengths(connection, 0);
        assertThat(first.subList(0, 11)).containsOnly(RecordSizes.SMALL_BYTES + OVERHEAD);
        assertThat(first.get(12)).isEqualTo(RecordSizes.LARGE_BYTES + OVERHEAD);
        List<Integer> next = lengths(connection, RecordSizes.PAUSE_NANOS - 1);
        assertThat(next.getFirst()).isEqualTo(RecordSizes.LARGE_BYTES + OVERHEAD);
        List<Integer> later = lengths(connection, RecordSizes.PAUSE_NANOS);
        assertThat(later.getFirst()).isEqualTo(RecordSizes.SMALL_BYTES + OVERHEAD);
    }

    /// Such as a WINDOW_UPDATE of HTTP/2 in the middle of a large answer.
    @Test
    void whatTheClientSendsIsNoPause() throws SSLException {
        TlsClient client = plug.client();
        lengths(plug.connection(), 0);
        client.send(FRAME, 0, FRAME.length);
        plug.peer().send(client.toSend());
        plug.turns(2);
        assertThat(lengths(plug.connection(), 0)).startsWith(RecordSizes.LARGE_BYTES + OVERHEAD);
    }

    @Test
    void severalRecordsAreSentInOneCall() throws SSLException {
        plug.client();
        long before = plug.peer().writes();
        plug.connection().out().write(ByteBuffer.wrap(BYTES, 0, 4 * 5600 + 1), null);
        plug.turn();
        assertThat(plug.peer().writes() - before).isEqualTo(2);
    }

    /// A peer that takes all at once does not keep the loop from others.
    @Test
    void longContentIsSentInPartsOfSeveralTurns() throws SSLException {
        TlsClient client = plug.client();
        int length = 10 << 20;
        plug.connection().out().write(ByteBuffer.allocate(length), null);
        plug.turn();
        assertThat(plug.peer().length()).isBetween(256 << 10, 512 << 10);
        for (int i = 0; i < 20; i++) {
            plug.turn();
        }
        assertThat(plug.peer().length()).isBetween(1 << 20, length);
        plug.turns(40);
        plug.exchange(client);
        assertThat(client.take()).hasSize(length);
    }

    /// Returns the lengths of the records of a large answer.
    private List<Integer> lengths(Connection connection, long pauseNanos) {
        plug.clock.advance(pauseNanos);
        plug.turn();
        plug.peer().clear();
        connection.out().write(ByteBuffer.wrap(BYTES, 0, 200_000), null);
        plug.turns(3);
        byte[] sent = plug.peer().take();
        List<Integer> lengths = new ArrayList<>();
        for (int at = 0; at < sent.length; ) {
            int length = TlsRecord.length(sent, at, sent.length);
            lengths.add(length);
            at += length;
        }
        return lengths;
    }
}
