package dev.serval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.net.BufferPool;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// Buffers for long content: their number is bounded, and one that a thread may still use is not lent
/// again.
final class PoolLenderTest {
    private final BufferPool pool = new BufferPool();
    private final PoolLender lender = new PoolLender(pool);

    private ByteBuffer longBuffer() {
        return Objects.requireNonNull(lender.lendLong(), "many were lent");
    }

    @Test
    void longBuffersAreBounded() {
        List<ByteBuffer> lent = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            lent.add(longBuffer());
        }
        assertThat(lender.lendLong()).isNull();
        assertThat(pool.held()).isEqualTo(2 << 20);
        lender.giveBackLong(lent.removeLast(), true);
        lent.add(longBuffer());
        lent.forEach(buffer -> lender.giveBackLong(buffer, true));
        assertThat(pool.held()).isZero();
        assertThat(pool.lent()).isZero();
    }

    @Test
    @SuppressWarnings("ByteBufferBackingArray") // each has its own array
    void bufferThatAThreadMayUseIsNotLentAgain() {
        ByteBuffer first = longBuffer();
        lender.giveBackLong(first, true);
        ByteBuffer second = longBuffer();
        assertThat(second.array()).isSameAs(first.array());
        lender.giveBackLong(second, false);
        ByteBuffer third = longBuffer();
        assertThat(third.array()).isNotSameAs(first.array());
        assertThat(pool.lent()).isOne();
        lender.giveBackLong(third, true);
    }
}
