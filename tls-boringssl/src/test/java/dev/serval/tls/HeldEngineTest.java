package dev.serval.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.boringssl.BoringTls;
import dev.serval.net.Connection;
import dev.serval.net.Driver;
import dev.serval.net.LooseSocket;
import dev.serval.testkit.TestKeys;
import dev.serval.testkit.TlsClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Checks that each connection frees the memory of its engine, however it ends.
final class HeldEngineTest {
    private static final TestKeys RSA = TestKeys.make("RSA", "dns:localhost");

    private final TlsPlug plug = new TlsPlug();
    private final List<SSLEngine> engines = new ArrayList<>();

    HeldEngineTest() throws IOException {
        use(plug.keys);
    }

    private void use(TestKeys keys) throws IOException {
        TlsProvider tls =
                BoringTls.of(
                        new TlsSettings(
                                List.of(new KeyFiles(keys.certificate(), keys.key())),
                                TlsProfile.INTERMEDIATE));
        plug.provider =
                peer -> {
                    SSLEngine made = tls.engine(peer);
                    engines.add(made);
                    return made;
                };
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void connectionThatEndsFreesItsEngine(boolean aborts) throws IOException {
        plug.client();
        assertHeld();
        if (aborts) {
            plug.connection().abort();
        } else {
            plug.connection().close();
        }
        plug.turns(2);
        assertFreed();
    }

    @Test
    void handshakeThatFailsFreesItsEngine() throws IOException {
        byte[] hello = TlsClient.of(plug.keys.trusting()).begin().toSend();
        hello[5] = 99; // no such message
        plug.connect().send(hello);
        plug.turns(3);
        assertThat(plug.ends).containsExactly(TlsHost.End.FAILED);
        assertFreed();
    }

    @Test
    void lateHandshakeFreesItsEngine() throws IOException {
        plug.connect().send(TlsClient.of(plug.keys.trusting()).begin().toSend());
        plug.turns(2);
        assertHeld();
        plug.clock.advance(Duration.ofNanos(TlsPlug.HANDSHAKE_NANOS + 100_000_000));
        plug.turns(2);
        assertThat(plug.ends).containsExactly(TlsHost.End.LATE);
        assertFreed();
    }

    /// The work has not begun, and must not use what is freed.
    @Test
    void connectionThatEndsBeforeItsWorkFreesItsEngine() throws IOException {
        use(RSA);
        plug.worksByItself = false;
        plug.connect().send(TlsClient.of(RSA.trusting()).begin().toSend());
        plug.turns(2);
        assertThat(plug.work).hasSize(1);
        plug.connection().abort();
        plug.turns(2);
        assertFreed();
        plug.work();
        plug.turns(2);
        assertThat(plug.ends).containsExactly(TlsHost.End.FAILED);
    }

    @Test
    void otherConnectionsAreServedWhileAThreadSigns() throws IOException {
        use(RSA);
        plug.worksByItself = false;
        plug.connect();
        TlsClient waiting = TlsClient.of(RSA.trusting()).begin();
        plug.peer().send(waiting.toSend());
        plug.turns(2);
        assertThat(plug.work).hasSize(1);
        Runnable signature = plug.work.removeFirst();
        plug.worksByItself = true;
        plug.connect();
        TlsClient other = TlsClient.of(RSA.trusting()).begin();
        plug.exchange(other);
        assertThat(other.isAgreed()).isTrue();
        assertThat(plug.ends).containsExactly(TlsHost.End.DONE);
        signature.run();
        plug.net.forEach(Connection::abort);
        plug.turns(2);
        assertFreed();
    }

    @Test
    void refusedWorkFreesTheEngine() throws IOException {
        use(RSA);
        plug.takesWork = false;
        plug.connect().send(TlsClient.of(RSA.trusting()).begin().toSend());
        plug.turns(2);
        assertThat(plug.ends).containsExactly(TlsHost.End.REFUSED);
        assertFreed();
    }

    @Test
    void connectionThatMovesKeepsItsEngine() throws IOException {
        TlsPlug other = new TlsPlug();
        plug.client();
        LooseSocket socket = Objects.requireNonNull(plug.connection().giveUp());
        plug.turns(2);
        assertHeld();
        Connection there = Objects.requireNonNull(other.net.adopt(socket, Silent::new));
        there.close();
        other.turns(2);
        assertFreed();
    }

    @Test
    void connectionThatEndsBetweenTwoLoopsFreesItsEngine() throws IOException {
        plug.client();
        Objects.requireNonNull(plug.connection().giveUp()).close();
        assertFreed();
    }

    private void assertHeld() {
        assertThatCode(() -> use(engines.getLast())).doesNotThrowAnyException();
    }

    private void assertFreed() {
        assertThat(engines)
                .allSatisfy(each ->
                        assertThatThrownBy(() -> use(each))
                                .isInstanceOf(SSLException.class)
                                .hasMessageContaining("freed"));
    }

    /// Seals nothing, which changes nothing.
    private static void use(SSLEngine engine) throws SSLException {
        engine.wrap(ByteBuffer.allocate(0), ByteBuffer.allocateDirect(1 << 15));
    }

    private record Silent(Connection connection) implements Driver {
        @Override
        public void readable() {}

        @Override
        public void blocked() {}

        @Override
        public void drained() {}

        @Override
        public void closed(boolean byPeer) {}

        @Override
        public void drain() {}
    }
}
