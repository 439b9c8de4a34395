package dev.serval.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.net.memory.MemoryPeer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// How long a client of plain HTTP is read after its answer. [TlsTransportTest] has the answer.
final class PlainHttpTest {
    private static final String HEAD = "POST / HTTP/1.1\r\nHost: localhost\r\n\r\n";

    private final TlsPlug plug = new TlsPlug();

    private MemoryPeer begin() {
        MemoryPeer peer = plug.connect();
        peer.send(HEAD);
        plug.turns(2);
        assertThat(peer.text()).startsWith("HTTP/1.1 400 ");
        return peer;
    }

    @Test
    void isReadUntilTheClientEnds() {
        MemoryPeer peer = begin();
        peer.send("content that comes after the answer");
        plug.turns(2);
        assertThat(peer.unread()).isZero();
        assertThat(plug.connection().in().ended()).isFalse();
        peer.end();
        plug.turns(2);
        assertThat(plug.connection().in().ended()).isTrue();
    }

    @Test
    void isNotReadForLongerThanAHandshake() {
        MemoryPeer _ = begin();
        plug.clock.advance(Duration.ofNanos(TlsPlug.HANDSHAKE_NANOS + 100_000_000));
        plug.turns(2);
        assertThat(plug.calls).endsWith("lost");
        assertThat(plug.ends).containsExactly(TlsHost.End.PLAIN_HTTP);
    }

    @Test
    void isNotReadWithoutEnd() {
        MemoryPeer peer = begin();
        for (int i = 0; i < 11 * 64 && !plug.connection().in().ended(); i++) {
            peer.send(new byte[16 << 10]);
            plug.turn();
        }
        assertThat(plug.connection().in().ended()).isTrue();
    }
}
