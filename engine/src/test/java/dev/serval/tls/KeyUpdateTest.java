package dev.serval.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.net.BufferPool;
import dev.serval.net.Connection;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.testkit.RawTls;
import dev.serval.testkit.TlsClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests clients that change their keys again and again (RFC 8446 §4.6.3), and that send other records
/// without content after the handshake.
final class KeyUpdateTest {
    private static final byte[] REQUEST = "request".getBytes(StandardCharsets.US_ASCII);
    private static final int MAX = RecordQuota.BLANK_MAX;

    /// What a record adds to its content: its header, the type of the content, and the tag.
    private static final int AROUND_BYTES = 22;

    private final TlsPlug plug = new TlsPlug();

    @AfterEach
    void nothingIsLeft() {
        plug.net.forEach(Connection::abort);
        plug.turns(2);
        assertThat(plug.net.connections()).isZero();
        assertThat(plug.net.pool().lent()).isZero();
        assertThat(plug.net.pool().held()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void changesOfKeysInARowAreBounded(boolean asksForAnother) {
        RawTls client = client();
        for (int i = 0; i < MAX; i++) {
            exchange(client.update(asksForAnother));
        }
        exchange(client.send(REQUEST));
        assertThat(plug.read.toByteArray()).isEqualTo(REQUEST);
        assertThat(plug.faults).isZero();
        exchange(client.update(asksForAnother));
        expectEnd();
    }

    @Test
    void askedChangesAreAnswered() {
        RawTls client = client();
        plug.onReadable =
                open -> {
                    open.in().fill();
                    open.in().consume(open.in().length());
                    open.out().room(REQUEST.length).put(REQUEST, 0, REQUEST.length);
                };
        for (int i = 0; i < 3; i++) {
            exchange(client.update(true));
            exchange(client.send(REQUEST));
        }
        assertThat(client.updates()).isEqualTo(3);
        assertThat(client.take()).isNotEmpty();
        exchange(client.update(false));
        assertThat(client.updates()).isEqualTo(3);
    }

    /// A client that changes its keys between bytes of content would cost as much.
    @Test
    void littleContentDoesNotMakeUpForThem() {
        RawTls client = client();
        for (int i = 0; i < MAX; i++) {
            exchange(client.update(true).send(new byte[1]));
        }
        assertThat(plug.read.size()).isEqualTo(MAX);
        assertThat(plug.faults).isZero();
        exchange(client.update(true).send(new byte[1]));
        expectFlood();
    }

    @Test
    void enoughContentMakesUpForThem() {
        RawTls client = client();
        byte[] content = new byte[RecordQuota.CONTENT_BYTES];
        for (int i = 0; i < 3 * MAX; i++) {
            exchange(client.update(true).send(content));
        }
        assertThat(plug.read.size()).isEqualTo(3 * MAX * content.length);
        assertThat(plug.faults).isZero();
    }

    /// What came before gives no right to more.
    @Test
    void earlierContentMakesUpForNothing() {
        RawTls client = client();
        for (int i = 0; i < MAX; i++) {
            exchange(client.send(new byte[RawTls.CONTENT_MAX_BYTES]));
        }
        for (int i = 0; i < MAX; i++) {
            exchange(client.update(true));
        }
        assertThat(plug.faults).isZero();
        exchange(client.update(true));
        expectEnd();
    }

    /// RFC 8446 §5.1 forbids them. The engine of the JDK carries them out nevertheless, which takes long.
    @ParameterizedTest
    @ValueSource(ints = {500, 3270})
    void manyChangesInOneRecordEndTheConnection(int changes) {
        RawTls client = client();
        exchange(client.update(true, changes).send(REQUEST));
        assertThat(plug.read.size()).isZero();
        expectEnd();
    }

    @ParameterizedTest
    @CsvSource({"0, false", "1, true"})
    void longRecordWithoutContentCountsAsSeveral(int more, boolean ends) {
        int bytes = MAX * RecordQuota.BLANK_BYTES - 1 + more;
        RawTls client = client();
        byte[] update = RawTls.keyUpdate(false);
        client.record(RawTls.HANDSHAKE, update, bytes - AROUND_BYTES - update.length);
        exchange(client.nextKeys().send(REQUEST));
        assertThat(plug.read.size()).isEqualTo(ends ? 0 : REQUEST.length);
        if (ends) {
            expectFlood();
        }
    }

    /// Servers send tickets, which may be as long as the certificates of a client.
    @Test
    void longRecordOfAServerCountsAsOne() throws IOException {
        RecordQuota quota = new RecordQuota(plug.net, true);
        for (int i = 0; i < MAX; i++) {
            quota.opened(0, RawTls.CONTENT_MAX_BYTES);
        }
        assertThatThrownBy(() -> quota.opened(0, AROUND_BYTES))
                .isInstanceOf(TlsFault.class)
                .hasMessageContaining("without content");
    }

    /// Its answers would need memory without end.
    @Test
    void clientThatDoesNotReadItsAnswersIsNotRead() {
        TestLibrary.needsJdk("answers before it has content to send");
        RawTls client = client();
        MemoryPeer peer = plug.peer();
        peer.window(0);
        for (int i = 0; i < MAX; i++) {
            client.update(true);
        }
        peer.send(client.toSend());
        plug.turns(MAX);
        assertThat(plug.net.pool().held()).isLessThan(2 * BufferPool.DIRECT_BYTES);
        assertThat(plug.asksForReads).isFalse();
        assertThat(plug.connection().isOpen()).isTrue();
        peer.window(Long.MAX_VALUE);
        plug.turns(2 * MAX);
        client.receive(peer.take());
        assertThat(client.updates()).isEqualTo(MAX);
    }

    /// RFC 8446 §6.1. Otherwise the client would take the end for a truncation.
    @Test
    void endWaitsForTheAnswerToAChange() throws SSLException {
        TestLibrary.needsJdk("answers before it has content to send");
        TlsClient client = plug.client("TLSv1.3");
        plug.peer().window(0);
        client.begin();
        plug.peer().send(client.toSend());
        plug.turns(4);
        plug.connection().endOutput();
        plug.turns(4);
        plug.peer().window(Long.MAX_VALUE);
        plug.turns(4);
        plug.exchange(client);
        assertThat(client.sawEnd()).isTrue();
        assertThat(plug.peer().sawEnd()).isTrue();
    }

    /// Connects and completes a handshake.
    private RawTls client() {
        RawTls client = new RawTls().hello();
        plug.connect();
        exchange(client);
        exchange(client);
        assertThat(client.isAgreed()).isTrue();
        assertThat(plug.ends).contains(TlsHost.End.DONE);
        return client;
    }

    private void exchange(RawTls client) {
        plug.peer().send(client.toSend());
        plug.turns(4);
        client.receive(plug.peer().take());
    }

    private void expectEnd() {
        assertThat(plug.calls).endsWith("lost");
        assertThat(plug.faults).isEqualTo(1);
        if (TestLibrary.isJdk()) {
            assertThat(plug.floods).isEqualTo(1); // others have such a rule themselves
        }
    }

    private void expectFlood() {
        assertThat(plug.calls).endsWith("lost");
        assertThat(plug.floods).isEqualTo(1);
    }
}
