package dev.serval.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.net.memory.MemoryPeer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests that every mix of writes is sent in order, however little the peer takes, and that lent
/// buffers are returned once.
final class OutputTest {
    private static final byte[] BYTES = new byte[300_000];

    static {
        new Random(7).nextBytes(BYTES);
    }

    @TempDir private Path folder;
    private final Plug plug = new Plug();
    private final MemoryPeer client = plug.client();
    private final Output out = plug.connection().out();
    private final ByteArrayOutputStream expected = new ByteArrayOutputStream();
    private Path file = Path.of("");
    private int lentOut;
    private int released;

    @BeforeEach
    void makeFile() throws IOException {
        file = Files.write(folder.resolve("bytes"), BYTES);
    }

    static int[] windows() {
        return new int[] {1, 2, 3, 7, 100, 1000, 4096, 16_383, 16_384, 16_385, 131_072, 1 << 20};
    }

    /// Writes in several turns, for every window size. The peer takes one window a turn.
    @ParameterizedTest
    @MethodSource("windows")
    void sendsEveryMixInOrder(int window) throws IOException {
        int rounds = window < 100 ? 1 : 6;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            for (long seed = 0; seed < rounds; seed++) {
                mix(new Random(seed), channel, window);
            }
        }
        assertThat(plug.net.pool().lent()).isZero();
    }

    private void mix(Random random, FileChannel channel, int window) {
        int scale = window < 100 ? 10 : 1;
        for (int turn = 0; turn < 4; turn++) {
            for (int i = random.nextInt(6); i > 0; i--) {
                writeOne(random, channel, scale);
            }
            assertThat(out.unsent()).isEqualTo(expected.size() - client.length());
            client.window(window);
            plug.turn();
        }
        for (int turns = 0; client.length() < expected.size(); turns++) {
            assertThat(turns).as("turns without an end").isLessThan(2_000_000);
            client.window(window);
            plug.turn();
        }
        assertThat(out.isEmpty()).isTrue();
        assertThat(out.sent()).isGreaterThanOrEqualTo(expected.size());
        assertThat(client.take()).isEqualTo(expected.toByteArray());
        assertThat(released).isEqualTo(lentOut);
        expected.reset();
        client.window(Long.MAX_VALUE);
    }

    private void writeOne(Random random, FileChannel channel, int scale) {
        int length = random.nextInt(1, 1 << random.nextInt(1, 18)) / scale + 1;
        int from = random.nextInt(BYTES.length - length);
        switch (random.nextInt(4)) {
            case 0 -> {
                int small = Math.min(length, 1000);
                out.room(small).put(BYTES, from, small);
                length = small;
            }
            case 1 -> {
                ByteBuffer direct = ByteBuffer.allocateDirect(length);
                out.write(direct.put(0, BYTES, from, length), this::lend);
                lentOut++;
            }
            case 2 -> {
                out.write(ByteBuffer.wrap(BYTES, from, length), this::lend);
                lentOut++;
            }
            default -> {
                out.write(channel, from, length, this::lend, null);
                lentOut++;
            }
        }
        expected.write(BYTES, from, length);
    }

    private void lend() {
        released++;
    }

    @Test
    void buffersBetweenSmallRegionsCountAsHalfFull() throws IOException {
        client.window(0);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            for (int i = 0; i < 5; i++) {
                out.room(10).put(BYTES, 0, 10);
                out.write(channel, 0, 1, null, null);
                plug.turn();
            }
            assertThat(out.held()).isEqualTo(5L * BufferPool.DIRECT_BYTES);
            assertThat(out.backlog()).isEqualTo(out.held() / 2);
            client.window(Long.MAX_VALUE);
            plug.turn();
        }
        assertThat(client.length()).isEqualTo(55);
        assertThat(out.backlog()).isZero();
        assertThat(out.held()).isZero();
    }

    @Test
    void gathersTheAnswersOfATurnInOneWrite() {
        for (int i = 0; i < 100; i++) {
            out.room(100).put(BYTES, 0, 100);
        }
        plug.turn();
        assertThat(client.length()).isEqualTo(10_000);
        assertThat(client.writes()).isEqualTo(1);
    }

    @Test
    void sendsAHeadAndALargeBufferInOneWrite() {
        out.room(100).put(BYTES, 0, 100);
        out.write(ByteBuffer.wrap(BYTES, 100, 60_000), this::lend);
        plug.turn();
        assertThat(client.take()).isEqualTo(Arrays.copyOf(BYTES, 60_100));
        assertThat(client.writes()).isEqualTo(1);
        assertThat(released).isEqualTo(1);
    }

    @Test
    void announcesTheFileThatFollowsAHeadInTheSameTurn() throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            out.room(100).put(BYTES, 0, 100);
            out.write(channel, 100, 900, this::lend, null);
            plug.turn();
            assertThat(client.take()).isEqualTo(Arrays.copyOf(BYTES, 1000));
            assertThat(client.writesBeforeFile()).isEqualTo(1);

            out.room(100).put(BYTES, 0, 100);
            plug.turn();
            out.write(channel, 100, 900, this::lend, null);
            plug.turn();
            assertThat(client.take()).isEqualTo(Arrays.copyOf(BYTES, 1000));
            assertThat(client.writesBeforeFile()).isEqualTo(1);
        }
    }

    @Test
    void quotaOfATurnIsUsedOnceAsMuchWasSent() {
        int part = 10_000;
        for (int sent = 0; sent < Output.SENT_PER_TURN_MAX; sent += part) {
            assertThat(out.hasUsedQuota()).isFalse();
            out.room(part).put(BYTES, 0, part);
            out.flush();
        }
        assertThat(out.hasUsedQuota()).isTrue();
        assertThat(out.sent() - out.sentBefore()).isGreaterThan(Output.SENT_PER_TURN_MAX - part);
        plug.connection().markDirty();
        plug.turn();
        assertThat(out.hasUsedQuota()).isFalse();
        assertThat(out.sentBefore()).isEqualTo(out.sent());
    }

    @Test
    void announcesNoFileThatHasToWaitForTheNextTurn() throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            int part = 10_000;
            int sent = 0;
            while (sent < Output.SENT_PER_TURN_MAX) {
                out.room(part).put(BYTES, 0, part);
                sent += part;
            }
            out.room(100).put(BYTES, 0, 100);
            out.write(channel, 100, 900, this::lend, null);
            plug.turn();
            assertThat(client.length()).isEqualTo(sent + 100);
            assertThat(client.writesBeforeFile()).isZero();
            plug.turn();
            assertThat(client.length()).isEqualTo(sent + 1000);
        }
    }

    @Test
    void fullSocketIsWrittenOnlyAfterItHasRoom() {
        client.window(10);
        out.room(100).put(BYTES, 0, 100);
        plug.turn();
        plug.connection().markDirty();
        plug.turns(5);
        assertThat(client.writes()).isEqualTo(1);
        client.window(1000);
        plug.turn();
        assertThat(client.length()).isEqualTo(100);
        assertThat(client.writes()).isEqualTo(2);
    }

    @Test
    void sendsAHeadLargerThanTheSharedBuffer() {
        out.room(10).put(BYTES, 0, 10);
        out.room(200_000).put(BYTES, 10, 200_000);
        out.room(10).put(BYTES, 200_010, 10);
        plug.turns(3);
        assertThat(client.take()).isEqualTo(Arrays.copyOf(BYTES, 200_020));
        assertThat(plug.net.pool().lent()).isZero();
    }

    @Test
    void oneConnectionSendsNoMoreThanItsQuotaOfATurn() throws IOException {
        Path large = folder.resolve("large");
        try (FileChannel channel =
                FileChannel.open(
                        large,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(1), (5 << 20) - 1);
            out.write(channel, 0, 5 << 20, this::lend, null);
            plug.turn();
            assertThat(client.length()).isLessThanOrEqualTo(Output.SENT_PER_TURN_MAX);
            plug.turns((5 << 20) / Output.SENT_PER_TURN_MAX + 3);
            assertThat(client.length()).isEqualTo(5 << 20);
            assertThat(released).isEqualTo(1);
            assertThat(plug.calls).containsExactly("blocked", "drained");
        }
    }

    @Test
    void truncatedFileEndsTheConnection() throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            out.write(channel, BYTES.length - 10, 20, this::lend, null);
            plug.turns(2);
            assertThat(client.length()).isEqualTo(10);
            assertThat(client.isClosed()).isTrue();
            assertThat(released).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void unsentBuffersAreReleasedOnceWhenTheConnectionEnds(boolean byPeer) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            client.window(50_000);
            out.write(ByteBuffer.wrap(BYTES), this::lend); // partly sent
            out.room(10).put(BYTES, 0, 10);
            out.write(channel, 0, 1000, this::lend, null);
            out.write(ByteBuffer.wrap(BYTES, 0, 100), this::lend); // copied
            plug.turn();
            assertThat(released).isEqualTo(1);
            if (byPeer) {
                client.reset();
            } else {
                plug.connection().abort();
                plug.connection().abort();
            }
            plug.turns(2);
            assertThat(released).isEqualTo(3);
            assertThat(plug.net.pool().lent()).isZero();
            assertThat(client.isClosed()).isTrue();

            out.write(ByteBuffer.wrap(BYTES), this::lend); // after the end
            out.write(channel, 0, 1000, this::lend, null);
            plug.turns(2);
            assertThat(released).isEqualTo(5);
            assertThat(plug.net.pool().lent()).isZero();
        }
    }

    @Test
    void failingReleaseCallbackHarmsNoConnection() {
        out.write(
                ByteBuffer.wrap(BYTES, 0, 40_000),
                () -> {
                    throw new IllegalStateException("expected: a failing callback");
                });
        out.write(ByteBuffer.wrap(BYTES, 40_000, 40_000), this::lend);
        plug.turns(2);
        assertThat(client.take()).isEqualTo(Arrays.copyOf(BYTES, 80_000));
        assertThat(released).isEqualTo(1);
        out.room(3).put(BYTES, 0, 3);
        plug.turn();
        assertThat(client.length()).isEqualTo(3);
    }

    @Test
    void twoConnectionsUseTheSharedBuffer() {
        Connection first = plug.connection();
        MemoryPeer other = plug.client();
        Connection second = plug.connection();
        for (int i = 0; i < 10; i++) {
            first.out().room(2).put(new byte[] {'a', (byte) ('0' + i)});
            second.out().room(2).put(new byte[] {'b', (byte) ('0' + i)});
        }
        plug.turn();
        assertThat(client.takeText()).isEqualTo("a0a1a2a3a4a5a6a7a8a9");
        assertThat(other.takeText()).isEqualTo("b0b1b2b3b4b5b6b7b8b9");
    }

    /// The pool's next buffer cannot be written, as if no memory were left for it.
    @Test
    void answerWhoseRestCannotBeKeptEndsOnlyItsConnection() {
        Connection first = plug.connection();
        MemoryPeer other = plug.client();
        Connection second = plug.connection();
        ByteBuffer _ = plug.net.pool().direct(); // so that the counts stay right
        plug.net.pool().giveBack(ByteBuffer.allocateDirect(16 << 10).asReadOnlyBuffer());
        client.window(3);
        first.out().room(10).put("0123456789".getBytes(StandardCharsets.US_ASCII));
        second.out().room(5).put("hello".getBytes(StandardCharsets.US_ASCII));
        plug.turn();

        assertThat(client.text()).isEqualTo("012");
        assertThat(client.sawReset()).isTrue();
        assertThat(other.takeText()).isEqualTo("hello");
        assertThat(second.isOpen()).isTrue();
    }
}
