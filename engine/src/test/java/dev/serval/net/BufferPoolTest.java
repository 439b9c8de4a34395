package dev.serval.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests that the pool counts lent memory, and lends returned memory again up to its limit.
final class BufferPoolTest {
    private final BufferPool pool = new BufferPool();

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1023, 1024, 1025, 2048, 4097, 65_535, 65_536, 65_537, 200_000})
    void lendsAtLeastTheRequestedLength(int length) {
        byte[] array = pool.array(length);
        assertThat(array.length).isGreaterThanOrEqualTo(Math.max(length, 1));
        assertThat(pool.lent()).isEqualTo(1);
        pool.giveBack(array);
        assertThat(pool.lent()).isZero();
        byte[] again = pool.array(length);
        assertThat(again.length).isGreaterThanOrEqualTo(length);
        if (length <= 65_536) {
            assertThat(again).isSameAs(array);
        }
        pool.giveBack(again);
    }

    @Test
    void keepsAnArrayHoweverOftenItIsLent() {
        byte[] array = pool.array(32 << 10);
        for (int i = 0; i < 1000; i++) {
            pool.giveBack(array);
            assertThat(pool.array(32 << 10)).isSameAs(array);
        }
        pool.giveBack(array);
    }

    @Test
    void lendsDirectBuffersEmpty() {
        ByteBuffer buffer = pool.direct();
        assertThat(buffer.isDirect()).isTrue();
        buffer.position(7).limit(9);
        pool.giveBack(buffer);
        ByteBuffer again = pool.direct();
        assertThat(again).isSameAs(buffer);
        assertThat(again.position()).isZero();
        assertThat(again.remaining()).isEqualTo(BufferPool.DIRECT_BYTES);
        pool.giveBack(again);
        assertThat(pool.lent()).isZero();
    }

    @Test
    void lendsHeapBuffersEmpty() {
        ByteBuffer buffer = pool.heap();
        assertThat(buffer.hasArray()).isTrue();
        assertThat(pool.lent()).isEqualTo(1);
        buffer.position(7).limit(9);
        pool.giveBack(buffer);
        assertThat(pool.lent()).isZero();
        ByteBuffer again = pool.heap();
        assertThat(again).isSameAs(buffer);
        assertThat(again.position()).isZero();
        assertThat(again.remaining()).isEqualTo(BufferPool.HEAP_BYTES);
        pool.giveBack(again);
    }

    @Test
    void keepsAsManyHeapBuffersAsExchangesUsuallyRun() {
        List<ByteBuffer> buffers = new ArrayList<>();
        IdentityHashMap<ByteBuffer, Boolean> known = new IdentityHashMap<>();
        for (int i = 0; i < 300; i++) {
            ByteBuffer buffer = pool.heap();
            buffers.add(buffer);
            known.put(buffer, true);
        }
        assertThat(pool.lent()).isEqualTo(300);
        buffers.forEach(pool::giveBack);
        assertThat(pool.lent()).isZero();
        int kept = 0;
        for (int i = 0; i < 300; i++) {
            kept += known.containsKey(pool.heap()) ? 1 : 0;
        }
        assertThat(kept).isEqualTo(256);
        assertThat(pool.lent()).isEqualTo(300);
    }

    @Test
    void usesTheBufferAgainThatCameBackLast() {
        ByteBuffer first = pool.heap();
        ByteBuffer second = pool.heap();
        pool.giveBack(second);
        for (int i = 0; i < 1000; i++) {
            assertThat(pool.heap()).isSameAs(second);
            pool.giveBack(second);
        }
        pool.giveBack(first);
    }

    @Test
    void lendsAllHeapBuffersAgainThatCameBack() {
        List<ByteBuffer> buffers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            buffers.add(pool.heap());
        }
        buffers.forEach(pool::giveBack);
        for (int round = 0; round < 3; round++) {
            List<ByteBuffer> again = new ArrayList<>();
            for (int i = 0; i < 60 + 20 * round; i++) {
                again.add(pool.heap());
            }
            assertThat(buffers).containsAll(again);
            Collections.rotate(again, 7);
            again.forEach(pool::giveBack);
        }
        assertThat(pool.lent()).isZero();
    }

    @Test
    void dropsABufferThatReplacesOne() {
        pool.heap();
        ByteBuffer small = ByteBuffer.allocate(0);
        pool.giveBack(small);
        assertThat(pool.lent()).isZero();
        assertThat(pool.heap()).isNotSameAs(small);
    }

    @Test
    void lendsAHeapBufferToOneThreadAtATime() throws InterruptedException {
        Set<ByteBuffer> used =
                Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
        AtomicInteger twice = new AtomicInteger();
        Queue<ByteBuffer> back = new ConcurrentLinkedQueue<>();
        List<Thread> borrowers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            borrowers.add(
                    Thread.ofPlatform()
                            .start(() -> {
                                for (int n = 0; n < 5_000; n++) {
                                    ByteBuffer buffer = pool.heap();
                                    if (!used.add(buffer)) {
                                        twice.incrementAndGet();
                                    }
                                    back.add(buffer);
                                }
                            }));
        }
        for (int returned = 0; returned < 20_000; ) { // this thread is the loop
            @Nullable ByteBuffer buffer = back.poll();
            if (buffer != null) {
                used.remove(buffer);
                pool.giveBack(buffer);
                returned++;
            }
        }
        for (Thread borrower : borrowers) {
            borrower.join();
        }
        assertThat(twice).hasValue(0);
        assertThat(pool.lent()).isZero();
    }

    @Test
    void keepsNoMoreArraysThanItsLimit() {
        List<byte[]> arrays = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            arrays.add(pool.array(32 << 10));
        }
        assertThat(pool.lent()).isEqualTo(200);
        arrays.forEach(pool::giveBack);
        assertThat(pool.lent()).isZero();
        IdentityHashMap<byte[], Boolean> known = new IdentityHashMap<>();
        arrays.forEach(array -> known.put(array, true));
        int kept = 0;
        for (int i = 0; i < 200; i++) {
            kept += known.containsKey(pool.array(32 << 10)) ? 1 : 0;
        }
        assertThat(kept).isEqualTo((4 << 20) / (32 << 10));
    }

    @Test
    void keepsEveryDirectBuffer() {
        List<ByteBuffer> buffers = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            buffers.add(pool.direct());
        }
        buffers.forEach(pool::giveBack);
        IdentityHashMap<ByteBuffer, Boolean> known = new IdentityHashMap<>();
        buffers.forEach(buffer -> known.put(buffer, true));
        for (int i = 0; i < 300; i++) {
            assertThat(known).containsKey(pool.direct());
        }
    }

    @Test
    void countsTheBytesThatConnectionsHold() {
        byte[] small = pool.array(10);
        byte[] large = pool.array(100_000);
        ByteBuffer direct = pool.direct();
        ByteBuffer ofAnExchange = pool.heap();
        pool.hold(500);
        assertThat(pool.held()).isEqualTo(1024 + 100_000 + BufferPool.DIRECT_BYTES + 500);
        pool.giveBack(small);
        pool.giveBack(large);
        pool.giveBack(direct);
        pool.giveBack(ofAnExchange);
        pool.hold(-500);
        assertThat(pool.held()).isZero();
    }
}
