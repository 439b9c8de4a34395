package dev.serval.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.net.memory.MemoryPeer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests that bytes stay until they are used, and that idle input takes no more memory than it
/// needs.
final class InputTest {
    private final Plug plug = new Plug();
    private final ByteArrayOutputStream used = new ByteArrayOutputStream();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void keepsUnusedBytes(long seed) {
        Random random = new Random(seed);
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        MemoryPeer client = plug.client();
        MemoryPeer other = plug.client(); // so that the shared read buffer changes its user
        plug.onReadable =
                connection -> {
                    Input in = connection.in();
                    for (int i = random.nextInt(1, 4); i > 0; i--) {
                        in.fill();
                        int n = random.nextInt(in.length() + 1);
                        if (connection.id() == 1) {
                            used.write(in.array(), in.from(), n);
                        }
                        in.consume(n);
                    }
                };
        for (int i = 0; i < 300; i++) {
            byte[] bytes = new byte[random.nextInt(1, 1 << random.nextInt(1, 15))];
            random.nextBytes(bytes);
            client.send(bytes);
            sent.writeBytes(bytes);
            other.send(bytes);
            plug.turn();
        }
        useTheRest(client);
        assertThat(used.toByteArray()).isEqualTo(sent.toByteArray());
        other.reset();
        plug.turn();
        assertThat(plug.net.pool().lent()).isZero();
    }

    private void useTheRest(MemoryPeer client) {
        plug.onReadable =
                connection -> {
                    Input in = connection.in();
                    in.fill();
                    if (connection.id() == 1) {
                        used.write(in.array(), in.from(), in.length());
                    }
                    in.consume(in.length());
                };
        client.send(new byte[0]);
        client.end();
        plug.turns(200);
    }

    @Test
    void connectionsThatReadInOneTurnNeverSeeEachOthersBytes() {
        MemoryPeer first = plug.client();
        Connection one = plug.connection();
        MemoryPeer second = plug.client();
        Connection other = plug.connection();
        first.send("secret of the first");
        second.send("second");
        plug.net.loop().execute(() -> one.in().fill()); // as for a handler that reads content
        plug.net.loop().execute(() -> other.in().fill());
        plug.net
                .loop()
                .execute(() -> {
                    assertThat(text(one.in())).isEqualTo("secret of the first");
                    assertThat(text(other.in())).isEqualTo("second");
                    used.write('x');
                });
        plug.turn();
        assertThat(used.size()).as("checked in the same turn").isEqualTo(1);
        assertThat(text(one.in())).isEqualTo("secret of the first");
        assertThat(text(other.in())).isEqualTo("second");
    }

    private static String text(Input in) {
        return new String(in.array(), in.from(), in.length(), StandardCharsets.US_ASCII);
    }

    @Test
    void idleConnectionHoldsNoMemory() {
        MemoryPeer client = plug.client();
        plug.onReadable = connection -> connection.in().fill();
        client.send("rest");
        plug.turn();
        assertThat(plug.net.pool().lent()).isEqualTo(1);
        assertThat(plug.connection().in().length()).isEqualTo(4);

        plug.connection().in().consume(4);
        plug.connection().markDirty();
        plug.turn();
        assertThat(plug.net.pool().lent()).isZero();
    }

    @Test
    void growsPastTheSharedReadBuffer() {
        MemoryPeer client = plug.client();
        plug.onReadable = connection -> connection.in().fill();
        byte[] bytes = new byte[200_000];
        new Random(1).nextBytes(bytes);
        client.send(bytes);
        plug.turns(10);
        Input in = plug.connection().in();
        assertThat(in.length()).isEqualTo(bytes.length);
        assertThat(Arrays.copyOfRange(in.array(), in.from(), in.to())).isEqualTo(bytes);
        assertThat(in.received()).isEqualTo(bytes.length);
        client.reset();
        plug.turn();
        assertThat(plug.net.pool().lent()).isZero();
    }

    @Test
    void returnsTheEndAfterTheLastByte() {
        MemoryPeer client = plug.client();
        int[] results = new int[3];
        plug.onReadable =
                connection -> {
                    for (int i = 0; i < 3; i++) {
                        results[i] = connection.in().fill();
                    }
                };
        client.send("ab");
        client.end();
        plug.turn();
        assertThat(results).containsExactly(2, Input.END, Input.END);
        assertThat(plug.connection().in().length()).isEqualTo(2);
        assertThat(plug.connection().isOpen()).isTrue();
    }

    @Test
    void lostConnectionReadsNothing() {
        MemoryPeer client = plug.client();
        int[] result = new int[1];
        plug.onReadable = connection -> result[0] = connection.in().fill();
        client.reset();
        plug.turn();
        assertThat(result[0]).isEqualTo(Input.LOST);
        assertThat(plug.calls).containsExactly("readable", "lost");
        assertThat(client.isClosed()).isTrue();
    }

    @Test
    void fastPeerGetsOnlyItsQuotaOfATurn() {
        MemoryPeer client = plug.client();
        int[] read = new int[1];
        plug.onReadable =
                connection -> {
                    while (connection.in().fill() > 0) {
                        read[0] += connection.in().length();
                        connection.in().consume(connection.in().length());
                    }
                };
        client.send(new byte[8 << 20]);
        plug.turn();
        assertThat(read[0]).isEqualTo(1 << 20);
        plug.turns(8);
        assertThat(read[0]).isEqualTo(8 << 20);
    }

    /// Bytes that wait in the system would otherwise pass for none.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void probeReadsPastTheQuotaOfATurn(boolean more) {
        MemoryPeer client = plug.client();
        client.pieces(1);
        int[] results = new int[2];
        plug.onReadable =
                connection -> {
                    while (connection.in().fill() > 0) {
                        used.write('x');
                    }
                    results[0] = connection.in().probe();
                    results[1] = connection.in().fill();
                };
        client.send(new byte[more ? 17 : 16]);
        client.end();
        plug.turn();
        assertThat(used.size()).isEqualTo(16);
        assertThat(results).containsExactly(more ? 1 : Input.END, more ? 0 : Input.END);
    }
}
