package dev.serval.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests what a connection and a transport that transforms bytes expect of each other.
final class MaskedTransportTest {
    private static final byte[] BYTES = new byte[150_000];

    static {
        new Random(3).nextBytes(BYTES);
    }

    private final Plug plug = new Plug();
    private final MaskedPeer client = plug.maskedClient();
    private final Connection connection = plug.connection();
    private final StringBuilder read = new StringBuilder();

    @AfterEach
    void nothingIsLeft() {
        connection.abort();
        plug.turns(2);
        assertThat(plug.net.pool().lent()).isZero();
        assertThat(plug.net.pool().held()).isZero();
    }

    @Test
    void readsRecordByRecordAlthoughTheSocketHasNoMore() {
        plug.onReadable = this::readOnce;
        client.peer().send(records("one", "two", "three"));
        plug.turn();
        assertThat(client.peer().unread()).isZero();
        assertThat(read.toString()).startsWith("one ").doesNotContain("three");
        assertThat(connection.mayHaveInput()).isTrue();
        plug.turns(2);
        assertThat(read.toString()).isEqualTo("one two three ");
        assertThat(connection.net().pool().lent()).isZero();
        plug.calls.clear();
        plug.turns(3);
        assertThat(plug.calls).isEmpty();
    }

    @Test
    void reportsNoHeldBytesWhileTheConnectionDoesNotWantThem() {
        plug.onReadable =
                open -> {
                    readOnce(open);
                    open.wantRead(false);
                };
        client.peer().send(records("one", "two"));
        plug.turns(3);
        assertThat(read.toString()).isEqualTo("one ");
        connection.wantRead(true);
        plug.turns(2);
        assertThat(read.toString()).isEqualTo("one two ");
    }

    @Test
    void endAfterHeldBytesIsReported() {
        plug.onReadable = this::readOnce;
        client.peer().send(records("one"));
        client.peer().send(client.record(Masking.END, new byte[0]));
        plug.turns(3);
        assertThat(read.toString()).isEqualTo("one ");
        assertThat(connection.in().ended()).isTrue();
    }

    @Test
    void partOfARecordIsNoInputYetButIsHeld() {
        plug.onReadable = this::readOnce;
        byte[] record = records("one");
        client.peer().send(Arrays.copyOf(record, record.length - 1));
        plug.turns(2);
        assertThat(read.toString()).isEmpty();
        assertThat(connection.heldForInput()).isEqualTo(BufferPool.DIRECT_BYTES);
        client.peer().send(Arrays.copyOfRange(record, record.length - 1, record.length));
        plug.turns(2);
        assertThat(read.toString()).isEqualTo("one ");
        assertThat(connection.heldForInput()).isZero();
    }

    /// The transport itself checks that each write begins with the bytes left before.
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 1000, 9976, 9977, 9978, 65_536})
    void bytesThatTheSocketDoesNotTakeAreWrittenAgain(int window) {
        int length = window < 1000 ? 2000 : BYTES.length;
        connection.out().room(100).put(BYTES, 0, 100);
        connection.out().write(ByteBuffer.wrap(BYTES, 100, length - 100), null);
        byte[] taken = {};
        for (int turns = 0; taken.length < length; turns++) {
            assertThat(turns).as("turns without an end").isLessThan(10_000);
            assertThat(connection.out().isEmpty()).isFalse();
            client.window(window);
            plug.turn();
            byte[] more = client.take();
            int before = taken.length;
            taken = Arrays.copyOf(taken, before + more.length);
            System.arraycopy(more, 0, taken, before, more.length);
        }
        assertThat(taken).isEqualTo(Arrays.copyOf(BYTES, length));
        assertThat(connection.out().isEmpty()).isTrue();
    }

    @Test
    void closeSendsTheLastRecordAfterAllBytes() {
        client.window(10);
        connection.out().room(100).put(BYTES, 0, 100);
        connection.close();
        plug.turns(3);
        assertThat(client.peer().isClosed()).isFalse();
        client.window(Long.MAX_VALUE);
        plug.turn();
        assertThat(client.take()).isEqualTo(Arrays.copyOf(BYTES, 100));
        assertThat(client.sawEnd()).isTrue();
        assertThat(client.peer().sawEnd()).isTrue();
    }

    @Test
    void endOfOutputWaitsUntilTheSocketTakesTheLastRecord() {
        connection.out().room(100).put(BYTES, 0, 100);
        client.window(100 + Masking.OVERHEAD);
        connection.endOutput();
        plug.turns(3);
        assertThat(client.take()).hasSize(100);
        assertThat(client.sawEnd()).isFalse();
        assertThat(client.peer().sawEnd()).isFalse();
        client.window(Long.MAX_VALUE);
        plug.turn();
        assertThat(client.take()).isEmpty();
        assertThat(client.sawEnd()).isTrue();
        assertThat(client.peer().sawEnd()).isTrue();
        assertThat(connection.isOpen()).isTrue();
    }

    @Test
    void recordThatFailsItsCheckLosesTheConnection() {
        plug.onReadable = this::readOnce;
        byte[] record = records("one");
        record[Masking.HEADER]++;
        record[record.length - 1]++;
        client.peer().send(record);
        plug.turns(2);
        assertThat(plug.calls).endsWith("lost");
    }

    @Test
    void recordAboveTheLimitLosesTheConnection() {
        plug.onReadable = this::readOnce;
        client.peer().send(new byte[] {Masking.CONTENT, (byte) 0xff, (byte) 0xff, 0});
        plug.turns(2);
        assertThat(plug.calls).endsWith("lost");
    }

    @Test
    void streamThatEndsWithoutItsLastRecordLosesTheConnection() {
        plug.onReadable = this::readOnce;
        client.peer().send(records("one"));
        client.peer().end();
        plug.turns(3);
        assertThat(read.toString()).isEqualTo("one ");
        assertThat(plug.calls).endsWith("lost");
    }

    @Test
    void staysOnItsLoop() {
        assertThat(connection.giveUp()).isNull();
        assertThat(connection.isOpen()).isTrue();
        assertThatThrownBy(() -> connection.transport().release())
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void factoryThatFailsResetsTheSocket() {
        plug.maskFault = new IllegalStateException("meant");
        var refused = plug.network.client(Plug.ADDRESS);
        plug.turns(2);
        assertThat(refused.sawReset()).isTrue();
        assertThat(plug.net.connections()).isEqualTo(1);
    }

    private void readOnce(Connection open) {
        Input in = open.in();
        if (in.fill() > 0) {
            read.append(new String(in.array(), in.from(), in.length(), StandardCharsets.US_ASCII))
                    .append(' ');
            in.consume(in.length());
        }
    }

    private byte[] records(String... contents) {
        ByteBuffer all = ByteBuffer.allocate(1000);
        for (String content : contents) {
            all.put(client.record(Masking.CONTENT, content.getBytes(StandardCharsets.US_ASCII)));
        }
        return Arrays.copyOf(all.array(), all.position());
    }
}
