package dev.serval.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.net.memory.MemoryPeer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tests that after a failed allocation, connections that hold much memory end, so that the loop
/// recovers even below the limit.
final class ReliefTest {
    private static final int HELD_EACH = 16 << 10;

    private final Plug plug = new Plug(1 << 20);
    private final List<MemoryPeer> holders = new ArrayList<>();

    @Test
    void failedAllocationFreesHalfOfTheHeldMemory() {
        MemoryPeer small = hold(100);
        for (int i = 0; i < 40; i++) {
            holders.add(hold(HELD_EACH));
        }
        long before = plug.net.pool().held();
        assertThat(before).isGreaterThanOrEqualTo(40L * HELD_EACH);
        failAllocation();
        assertThat(plug.net.pool().held()).isBetween(before / 4, before / 2);
        assertThat(holders.stream().filter(MemoryPeer::isClosed).count()).isBetween(18L, 22L);
        assertThat(small.isClosed()).isFalse();
        plug.net.close();
        assertThat(plug.net.pool().lent()).isZero();
    }

    @Test
    void failedAllocationEndsOnlyItsOwnConnectionIfConnectionsHoldLittle() {
        for (int i = 0; i < 8; i++) {
            holders.add(hold(HELD_EACH));
        }
        failAllocation();
        assertThat(holders).noneMatch(MemoryPeer::isClosed);
        plug.net.close();
    }

    @Test
    void connectionsThatHaveHeldLongestEndFirst() {
        MemoryPeer openedFirst = hold(0);
        for (int i = 0; i < 40; i++) {
            plug.clock.advance(1_000_000);
            holders.add(hold(HELD_EACH));
        }
        plug.clock.advance(1_000_000);
        openedFirst.send("a".repeat(HELD_EACH));
        plug.turn();
        assertThat(holders).noneMatch(MemoryPeer::isClosed);
        while (holders.stream().noneMatch(MemoryPeer::isClosed)) {
            plug.clock.advance(1_000_000);
            hold(HELD_EACH);
        }
        assertThat(holders.getFirst().isClosed()).isTrue();
        assertThat(holders.getLast().isClosed()).isFalse();
        assertThat(openedFirst.isClosed()).isFalse();
        assertThat(plug.net.pool().held()).isLessThanOrEqualTo(1 << 20);
        plug.net.close();
    }

    private MemoryPeer hold(int bytes) {
        plug.onReadable = connection -> connection.in().fill();
        MemoryPeer client = plug.client();
        client.send("a".repeat(bytes));
        plug.turn();
        return client;
    }

    private void failAllocation() {
        plug.onReadable =
                _ -> {
                    throw new OutOfMemoryError("meant: no memory");
                };
        MemoryPeer client = plug.network.client(Plug.ADDRESS);
        plug.turns(2);
        assertThat(client.isClosed()).isTrue();
    }
}
