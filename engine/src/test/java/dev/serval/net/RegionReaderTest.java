package dev.serval.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests files over a transport that cannot send them. The test runs the thread that reads.
final class RegionReaderTest {
    private static final byte[] BYTES = new byte[200_000];
    private static final int PIECE = RegionReader.PIECE_BUFFERS_MAX * BufferPool.DIRECT_BYTES;

    static {
        new Random(5).nextBytes(BYTES);
    }

    @TempDir private Path folder;
    private final Plug plug = new Plug();
    private final MaskedPeer client = plug.maskedClient();
    private final Output out = plug.connection().out();
    private FileChannel file;
    private int released;
    private boolean intact = true;

    @BeforeEach
    void makeFile() throws IOException {
        Path path = Files.write(folder.resolve("bytes"), BYTES);
        file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        file.close();
        assertThat(plug.net.pool().lent()).isZero();
        assertThat(plug.net.pool().held()).isZero();
        assertThat(plug.net.loop().timers().armed()).isZero();
    }

    @Test
    void loopReadsNoFileItself() {
        write(0, 100_000);
        plug.turns(10);
        assertThat(client.take()).isEmpty();
        assertThat(plug.disk).hasSize(1);
        assertThat(out.held()).isEqualTo(PIECE);
        assertThat(plug.calls).containsExactly("blocked");

        plug.disk();
        assertThat(client.take()).isEqualTo(Arrays.copyOf(BYTES, PIECE));
        assertThat(released).isZero();
        plug.disk();
        assertThat(client.take()).isEqualTo(Arrays.copyOfRange(BYTES, PIECE, 100_000));
        assertThat(released).isEqualTo(1);
        assertThat(plug.calls).containsExactly("blocked", "drained");
    }

    @Test
    void loopReadsWhatIsInMemory() {
        plug.network.filesInMemory(BYTES.length);
        write(0, 100_000);
        plug.turn();
        assertThat(client.take())
                .as("others have their turns")
                .isEqualTo(Arrays.copyOf(BYTES, PIECE));
        plug.turn();
        assertThat(client.take()).isEqualTo(Arrays.copyOfRange(BYTES, PIECE, 100_000));
        assertThat(plug.disk).isEmpty();
        assertThat(released).isEqualTo(1);
    }

    @Test
    void threadReadsWhatIsNotInMemory() {
        plug.network.filesInMemory(20_000);
        write(0, 100_000);
        plug.turn();
        assertThat(client.take()).isEqualTo(Arrays.copyOf(BYTES, 20_000));
        plug.disk();
        plug.disk();
        assertThat(client.take()).isEqualTo(Arrays.copyOfRange(BYTES, 20_000, 100_000));
        assertThat(released).isEqualTo(1);
    }

    @Test
    void noByteInMemoryIsSentAfterAChange() {
        plug.network.filesInMemory(BYTES.length);
        client.window(0);
        write(0, 100_000);
        plug.turn();
        intact = false;
        client.window(1 << 20);
        plug.turns(3);
        assertThat(client.take()).isEqualTo(Arrays.copyOf(BYTES, PIECE));
        assertThat(client.peer().isClosed()).isTrue();
        assertThat(released).isEqualTo(1);
    }

    @Test
    void bytesAroundFilesKeepTheirOrder() {
        out.room(5).put(BYTES, 0, 5);
        write(5, 10);
        out.room(5).put(BYTES, 15, 5);
        write(20, 10);
        out.room(5).put(BYTES, 30, 5);
        plug.turn();
        for (int i = 0; i < 2; i++) {
            plug.disk();
        }
        assertThat(client.take()).isEqualTo(Arrays.copyOf(BYTES, 35));
        assertThat(released).isEqualTo(2);
    }

    /// Writes in several turns, for several window sizes. The peer takes one window a turn.
    @ParameterizedTest
    @ValueSource(ints = {100, 1000, 4096, 9977, 16_384, 65_536, 1 << 20})
    void sendsEveryMixInOrder(int window) {
        Random random = new Random(window);
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        ByteArrayOutputStream taken = new ByteArrayOutputStream();
        int written = 0;
        for (int turns = 0; turns < 20 || taken.size() < expected.size(); turns++) {
            assertThat(turns).as("turns without an end").isLessThan(100_000);
            for (int i = turns < 20 ? random.nextInt(4) : 0; i > 0; i--) {
                int length = random.nextInt(1, 1 << random.nextInt(1, 17));
                int from = random.nextInt(BYTES.length - length);
                if (random.nextBoolean()) {
                    write(from, length);
                } else {
                    out.write(ByteBuffer.wrap(BYTES, from, length), () -> released++);
                }
                expected.write(BYTES, from, length);
                written++;
            }
            client.window(window);
            if (random.nextBoolean()) {
                plug.disk();
            } else {
                plug.turn();
            }
            taken.writeBytes(client.take());
        }
        assertThat(taken.toByteArray()).isEqualTo(expected.toByteArray());
        assertThat(released).isEqualTo(written);
    }

    @Test
    void nextPieceIsReadOnlyAfterTheClientHasTakenTheLast() {
        client.window(1000);
        write(0, BYTES.length);
        plug.turn();
        plug.disk();
        plug.turns(5);
        assertThat(plug.disk).isEmpty();
        assertThat(out.held()).isEqualTo(PIECE);
        client.window(Long.MAX_VALUE);
        plug.turn();
        assertThat(plug.disk).hasSize(1);
        assertThat(client.take()).isEqualTo(Arrays.copyOf(BYTES, PIECE));
        for (int i = 0; i < 4; i++) {
            plug.disk();
        }
        assertThat(client.take()).isEqualTo(Arrays.copyOfRange(BYTES, PIECE, BYTES.length));
    }

    @Test
    void writableSocketDoesNotWakeTheLoopDuringARead() {
        write(0, 100_000);
        plug.turn();
        long before = transport().readyCalls();
        plug.turns(5);
        assertThat(transport().readyCalls()).isEqualTo(before);
        plug.disk();
        plug.disk();
        assertThat(client.take()).hasSize(100_000);
    }

    @Test
    void connectionThatEndsDuringAReadReleasesAfterIt() {
        write(0, 100_000);
        write(0, 10);
        plug.turn();
        plug.connection().abort();
        plug.turn();
        assertThat(client.peer().sawReset()).isTrue();
        assertThat(released).as("the file that no thread reads").isEqualTo(1);
        assertThat(plug.net.pool().lent()).isPositive();

        plug.disk();
        assertThat(released).isEqualTo(2);
    }

    @Test
    void connectionThatEndsBetweenReadAndTurnReleasesOnce() {
        write(0, 100_000);
        plug.turn();
        plug.disk.removeFirst().run();
        plug.connection().abort();
        plug.turns(2);
        assertThat(released).isEqualTo(1);
        assertThat(client.take()).isEmpty();
    }

    @Test
    void truncatedFileEndsTheConnection() throws IOException {
        write(0, 100_000);
        plug.turn();
        file.truncate(20_000);
        plug.disk();
        assertThat(client.take()).isEqualTo(Arrays.copyOf(BYTES, 20_000));
        plug.disk();
        assertThat(client.peer().isClosed()).isTrue();
        assertThat(released).isEqualTo(1);
    }

    @Test
    void noByteIsSentThatWasReadAfterAChange() {
        write(0, 100_000);
        plug.turn();
        intact = false;
        plug.disk();
        assertThat(client.take()).isEmpty();
        assertThat(client.peer().isClosed()).isTrue();
        assertThat(released).isEqualTo(1);
    }

    @Test
    void fileThatCannotBeReadEndsTheConnection() throws IOException {
        write(0, 100_000);
        plug.turn();
        file.close();
        plug.disk();
        assertThat(client.peer().isClosed()).isTrue();
        assertThat(released).isEqualTo(1);
    }

    @Test
    void waitsForAFreeThread() {
        plug.diskHasRoom = () -> false;
        write(0, 1000);
        plug.turns(3);
        assertThat(plug.net.pool().lent()).isZero();
        plug.diskHasRoom = () -> true;
        pass(RegionReader.PAUSED_MAX_NANOS / 100);
        plug.disk();
        assertThat(client.take()).isEqualTo(Arrays.copyOf(BYTES, 1000));
    }

    @Test
    void waitForAFreeThreadHasALimit() {
        plug.diskHasRoom = () -> false;
        write(0, 1000);
        plug.turn();
        pass(RegionReader.PAUSED_MAX_NANOS - 100_000_000);
        assertThat(client.peer().isClosed()).isFalse();
        pass(200_000_000);
        assertThat(client.peer().isClosed()).isTrue();
        assertThat(released).isEqualTo(1);
    }

    @Test
    void eachWaitForAFreeThreadHasTheWholeTime() {
        for (int i = 0; i < 2; i++) {
            plug.diskHasRoom = () -> false;
            write(0, 1000);
            plug.turn();
            pass(RegionReader.PAUSED_MAX_NANOS * 2 / 3);
            plug.diskHasRoom = () -> true;
            pass(100_000_000);
            plug.disk();
            assertThat(client.take()).isEqualTo(Arrays.copyOf(BYTES, 1000));
        }
    }

    @Test
    void connectionThatEndsWhileItWaitsForAThreadSetsNoDeadline() {
        plug.diskHasRoom = () -> false;
        write(0, 1000);
        plug.turn();
        plug.onReadable = open -> open.in().fill();
        client.peer().reset();
        plug.turns(2);
        assertThat(released).isEqualTo(1);
    }

    @Test
    void executorThatThrowsEndsOnlyItsConnection() {
        plug.diskHasRoom =
                () -> {
                    throw new OutOfMemoryError("meant: unable to create native thread");
                };
        write(0, 1000);
        plug.turns(2);
        assertThat(client.peer().sawReset()).isTrue();
        assertThat(released).isEqualTo(1);
    }

    @Test
    void workThatRunsAlthoughItsExecutorThrewFillsNoBuffer() {
        plug.diskThrowsAfterwards = true;
        write(0, 1000);
        plug.turns(2);
        assertThat(plug.net.pool().lent()).isZero();
        var other = plug.net.pool().direct();
        plug.disk();
        assertThat(other.position()).isZero();
        plug.net.pool().giveBack(other);
        assertThat(released).isEqualTo(1);
    }

    @Test
    void stopOfTheServerBeforeTheReadEndsTheConnection() {
        write(0, 1000);
        plug.turn();
        plug.disk.clear();
        plug.dropped.forEach(Runnable::run);
        plug.turn();
        assertThat(client.peer().isClosed()).isTrue();
        assertThat(released).isEqualTo(1);
    }

    @Test
    void loopShortOfMemoryReadsLittleAtATime() {
        long most = Long.MAX_VALUE / 2;
        plug.net.pool().hold(most + 1);
        write(0, 100_000);
        plug.turn();
        assertThat(plug.net.pool().lent()).isEqualTo(1);
        plug.net.pool().hold(-most - 1);
        for (int i = 0; i < 3; i++) {
            plug.disk();
        }
        assertThat(client.take()).isEqualTo(Arrays.copyOf(BYTES, 100_000));
    }

    private MaskedTransport transport() {
        return (MaskedTransport) plug.connection().transport();
    }

    private void write(int from, int length) {
        out.write(file, from, length, () -> released++, () -> intact);
    }

    /// Lets time pass in small steps.
    private void pass(long nanos) {
        for (long left = nanos; left > 0; left -= 10_000_000) {
            plug.clock.advance(10_000_000);
            plug.turn();
        }
    }
}
