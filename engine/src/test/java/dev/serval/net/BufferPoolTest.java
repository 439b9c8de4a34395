package dev.serval.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is lent is counted, what comes back is lent again, up to a bound.
final class BufferPoolTest {
    private final BufferPool pool = new BufferPool();

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1023, 1024, 1025, 2048, 4097, 65_535, 65_536, 65_537, 200_000})
    void lendsAtLeastWhatIsAskedFor(int length) {
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
    void lendsBuffersOnTheHeapEmpty() {
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
    void keepsNoMoreThanItsBound() {
        List<byte[]> arrays = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            arrays.add(pool.array(1024));
        }
        assertThat(pool.lent()).isEqualTo(200);
        arrays.forEach(pool::giveBack);
        assertThat(pool.lent()).isZero();
        IdentityHashMap<byte[], Boolean> known = new IdentityHashMap<>();
        arrays.forEach(array -> known.put(array, true));
        int kept = 0;
        for (int i = 0; i < 200; i++) {
            kept += known.containsKey(pool.array(1024)) ? 1 : 0;
        }
        assertThat(kept).isEqualTo(64);
    }
}
