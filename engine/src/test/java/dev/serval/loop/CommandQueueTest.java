package dev.serval.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Each command runs once, in the order of its thread, and wakes a loop that sleeps.
final class CommandQueueTest {
    private static final int PRODUCERS = 4;
    private static final int COMMANDS = 50_000;

    private final CommandQueue queue = new CommandQueue();

    @Test
    void returnsOldestFirst() {
        List<Integer> ran = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            int name = i;
            queue.offer(new Command(() -> ran.add(name)));
        }
        carryOut(queue.takeAll());
        assertThat(ran).containsExactly(0, 1, 2, 3, 4);
        assertThat(queue.takeAll()).isNull();
    }

    @Test
    void queuesACommandOnce() {
        AtomicInteger ran = new AtomicInteger();
        Command command = new Command(ran::incrementAndGet);
        queue.offer(command);
        queue.offer(command);
        carryOut(queue.takeAll());
        assertThat(ran).hasValue(1);

        queue.offer(command);
        carryOut(queue.takeAll());
        assertThat(ran).hasValue(2);
    }

    @Test
    void wakesSleepingLoopOnce() {
        assertThat(queue.offer(new Command(() -> {}))).as("awake").isFalse();
        queue.takeAll();
        assertThat(queue.sleep()).as("may sleep").isTrue();
        assertThat(queue.offer(new Command(() -> {}))).as("asleep").isTrue();
        assertThat(queue.offer(new Command(() -> {}))).as("woken already").isFalse();
        queue.awake();
        assertThat(queue.sleep()).as("may sleep over commands").isFalse();
    }

    /// The consumer sleeps on a semaphore, which only a producer that must wake it releases. A lost
    /// wake-up hangs the test, and a lost command fails it.
    @Test
    @Timeout(60)
    void losesNoCommandAndNoWakeUp() throws InterruptedException {
        Semaphore wakeUps = new Semaphore(0);
        int[] last = new int[PRODUCERS];
        AtomicInteger wrongOrder = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int p = 0; p < PRODUCERS; p++) {
            int producer = p;
            threads.add(
                    Thread.ofPlatform()
                            .start(() -> {
                                for (int i = 1; i <= COMMANDS; i++) {
                                    int number = i;
                                    Command command =
                                            new Command(() -> {
                                                if (++last[producer] != number) {
                                                    wrongOrder.incrementAndGet();
                                                }
                                            });
                                    if (queue.offer(command)) {
                                        wakeUps.release();
                                    }
                                }
                            }));
        }
        while (sum(last) < PRODUCERS * COMMANDS) {
            if (queue.sleep()) {
                wakeUps.acquire();
            }
            queue.awake();
            carryOut(queue.takeAll());
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(wrongOrder).hasValue(0);
        assertThat(last).containsOnly(COMMANDS);
        assertThat(queue.takeAll()).isNull();
    }

    private static int sum(int[] numbers) {
        int sum = 0;
        for (int number : numbers) {
            sum += number;
        }
        return sum;
    }

    private static void carryOut(@Nullable Command first) {
        @Nullable Command rest = first;
        while (rest != null) {
            Command one = rest;
            rest = one.next;
            one.next = null;
            one.run();
        }
    }
}
