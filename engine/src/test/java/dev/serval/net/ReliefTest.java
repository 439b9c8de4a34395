package dev.serval.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.net.memory.MemoryPeer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/// Tests that after a failed allocation, connections that hold much memory end, so that the loop
/// recovers even below the limit.
final class ReliefTest {
    private static final int HELD_EACH = 16 << 10;
    private static final int LARGE = 60_000;

    private final Plug plug = new Plug(1 << 20);
    private final List<MemoryPeer> holders = new ArrayList<>();

    private final List<MemoryPeer> input = new ArrayList<>();
    private final List<MemoryPeer> answers = new ArrayList<>();
    private final List<MemoryPeer> small = new ArrayList<>();

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

    @Test
    void floodOfBothKindsLeavesSmallConnectionsOfBoth() {
        flood(40);
        assertThat(small).noneMatch(MemoryPeer::isClosed);
        assertThat(open(input)).isBetween(6L, 9L);
        assertThat(open(answers)).isBetween(6L, 9L);
        assertThat(plug.net.pool().held()).isBetween(700L << 10, 1L << 20);
        plug.net.close();
    }

    @Test
    void failedAllocationInAFloodOfBothKindsLeavesSmallConnectionsOfBoth() {
        flood(7);
        assertThat(open(input)).isEqualTo(7);
        assertThat(open(answers)).isEqualTo(7);
        failAllocation();
        assertThat(small).noneMatch(MemoryPeer::isClosed);
        assertThat(open(input)).isBetween(3L, 4L);
        assertThat(open(answers)).isBetween(3L, 4L);
        plug.net.close();
    }

    /// Lets a small connection of either kind and `number` large ones of either hold memory, all
    /// in one turn.
    private void flood(int number) {
        List<Runnable> steps = new ArrayList<>();
        small.add(client(steps, this::read, 100));
        small.add(client(steps, this::answer, 100));
        for (int i = 0; i < number; i++) {
            input.add(client(steps, this::read, LARGE));
            answers.add(client(steps, this::answer, LARGE));
        }
        plug.net.loop().execute(() -> steps.forEach(Runnable::run));
        plug.turn();
    }

    private MemoryPeer client(
            List<Runnable> steps, BiConsumer<Connection, Integer> step, int bytes) {
        MemoryPeer client = plug.client();
        Connection connection = plug.connection();
        client.window(0);
        client.send("a".repeat(bytes));
        steps.add(() -> step.accept(connection, bytes));
        return client;
    }

    private void read(Connection connection, int bytes) {
        assertThat(connection.in().fill()).isEqualTo(bytes);
    }

    private void answer(Connection connection, int bytes) {
        read(connection, bytes);
        connection.in().consume(bytes);
        for (int i = 0; i < bytes; i += 100) { // so little at once is copied
            connection.out().write(ByteBuffer.allocate(100), null);
        }
    }

    private static long open(List<MemoryPeer> clients) {
        return clients.stream().filter(client -> !client.isClosed()).count();
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
