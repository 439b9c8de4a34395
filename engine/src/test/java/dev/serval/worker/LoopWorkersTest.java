package dev.serval.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.serval.loop.EventLoop;
import dev.serval.loop.FakeClock;
import dev.serval.loop.FakePoller;
import dev.serval.loop.LoopParts;
import dev.serval.loop.Reports;
import dev.serval.testkit.Await;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// How many Workers become ready before the loop carries them. The test turns the loop.
@Timeout(60)
final class LoopWorkersTest {
    private static final int ENOUGH = 32;
    private static final long PAGE = 600_000; // more than a turn's part, in nanoseconds
    private static final long PICTURE = 30_000;

    private final AtomicInteger ran = new AtomicInteger();
    private final FakeClock clock = new FakeClock();
    private final EventLoop loop =
            new EventLoop(new LoopParts(0, clock, Reports.AT_ONCE), FakePoller.awake(this::arrive));
    private final LoopWorkers workers =
            new LoopWorkers(loop, new WorkerThreads(WorkerThreads.Kind.LOOP, Runnable::run));
    private final Set<Integer> pauses = new HashSet<>(); // numbers of jobs that pause
    private final Semaphore paused = new Semaphore(0);
    private final Semaphore resumes = new Semaphore(0);
    private final List<Long> begins = new ArrayList<>();
    private final List<Long> parts = new ArrayList<>(); // how long the loop carried each
    private boolean prefersPool;
    private int arriving;
    private int mostReady;
    private long cost; // of each job, in nanoseconds
    private long ownWork; // of the loop, in each turn

    @Test
    void loopCarriesWorkersBeforeItActsOnMoreSockets() {
        arriving = 3 * ENOUGH;
        while (arriving > 0 || workers.hasReady()) {
            assertThat(loop.turn(false)).isTrue();
        }
        assertThat(ran).hasValue(3 * ENOUGH);
        assertThat(mostReady).isEqualTo(ENOUGH);
        assertThat(workers.hasEnough()).isFalse();
    }

    @Test
    void loopActsOnAllSocketsIfItsWorkersTakeLong() {
        cost = 300_000;
        arriving = 10 * ENOUGH; // enough to learn how long they take
        do {
            assertThat(loop.turn(false)).isTrue();
        } while (workers.hasReady());
        mostReady = 0;
        arriving = 3 * ENOUGH;
        assertThat(loop.turn(false)).isTrue();
        assertThat(mostReady).isEqualTo(3 * ENOUGH);
        assertThat(workers.standingNanos(clock.nanos())).isZero(); // it was empty before
    }

    @Test
    void cancelledWorkersTellNothingAboutTheWaitOfOthers() {
        cost = 5_000_000;
        List<Worker> all = start(400);
        while (ran.get() < 300) {
            assertThat(loop.turn(false)).isTrue();
        }
        all.subList(300, 350).forEach(Worker::cancel);
        assertThat(loop.turn(false)).isTrue();
        assertThat(ran).hasValue(301);
        assertThat(workers.waitNanos(new Counting())).isCloseTo(49 * cost, withinPercentage(1));
    }

    @Test
    void cancelledWorkersTellNothingAboutTheWaitForThePool() {
        cost = 5_000_000;
        CarrierPool pool = new CarrierPool(64, 1, 0, clock, () -> null);
        EventLoop other =
                new EventLoop(
                        new LoopParts(0, clock, Reports.AT_ONCE), FakePoller.awake(this::arrive));
        LoopWorkers pooled =
                new LoopWorkers(other, new WorkerThreads(WorkerThreads.Kind.LOOP, pool));
        prefersPool = true;
        pauses.addAll(List.of(1, 301, 302));
        List<Worker> all = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            all.add(pooled.start(new Counting()));
        }
        awaitPause();
        all.subList(301, 351).forEach(Worker::cancel);
        resumes.release();
        awaitPause();
        resumes.release();
        awaitPause();
        assertThat(pool.waitNanos()).isCloseTo(48 * cost, withinPercentage(1));
        resumes.release();
        pool.shutdown();
        Await.until("all have run", () -> ran.get() == 350);
    }

    @Test
    void jobLearnsTheTimeAtWhichTheLoopBeginsIt() {
        cost = 1_000;
        long begin = clock.nanos();
        start(3);
        assertThat(loop.turn(false)).isTrue();
        assertThat(begins).containsExactly(begin, begin + cost, begin + 2 * cost);
    }

    @Test
    void jobLearnsHowLongTheLoopCarriedItWithoutTheLoopsOwnWork() {
        cost = 1_000;
        ownWork = 70_000;
        arriving = 2;
        assertThat(loop.turn(false)).isTrue();
        assertThat(ran).hasValue(2);
        assertThat(parts).containsExactly(cost, cost);
    }

    /// They may hold what others need. But one that yields all the time must not keep others from their
    /// begin.
    @Test
    @SuppressWarnings("ThreadPriorityCheck") // the yield makes the Worker ready again
    void workersThatHaveBegunRunBeforeNewOnes() {
        List<String> order = new ArrayList<>();
        Job yields =
                new Counting() {
                    @Override
                    public void run() {
                        for (int i = 0; i < 20; i++) {
                            order.add("again");
                            Thread.yield();
                        }
                    }
                };
        Job plain =
                new Counting() {
                    @Override
                    public void run() {
                        order.add("new");
                    }
                };
        workers.start(yields);
        for (int i = 0; i < 10; i++) {
            workers.start(plain);
        }
        assertThat(workers.readyCount()).isEqualTo(11);
        while (workers.hasReady()) {
            assertThat(loop.turn(false)).isTrue();
        }
        List<String> expected = new ArrayList<>();
        for (int again : new int[] {7, 7, 6}) {
            expected.addAll(Collections.nCopies(again, "again"));
            expected.add("new");
        }
        expected.addAll(Collections.nCopies(7, "new"));
        assertThat(order).isEqualTo(expected);
        assertThat(workers.readyCount()).isZero();
    }

    /// Pictures beside pages. The pages come first, so that the loop knows what is typical.
    @Test
    void shortWorkersRunBeforeOthersButOneOfEight() {
        List<String> order = startPagesAndPictures(20, 20);
        runAll();
        List<String> expected = new ArrayList<>();
        for (int pictures : new int[] {7, 7, 6}) {
            expected.addAll(Collections.nCopies(pictures, "picture"));
            expected.add("page");
        }
        expected.addAll(Collections.nCopies(17, "page"));
        assertThat(order).isEqualTo(expected);
    }

    @Test
    void workersAreNotShortIfAllTakeTheSame() {
        List<String> order = startPagesAndPictures(20, 0);
        workers.start(new Expected(PAGE / 3, order, "a part of a page"));
        workers.start(new Expected(0, order, "unknown"));
        runAll();
        assertThat(order.subList(0, 20)).containsOnly("page");
        assertThat(order.subList(20, 22)).containsExactly("a part of a page", "unknown");
    }

    @Test
    void workersAreShortNoMoreOnceAllAre() {
        List<String> order = startPagesAndPictures(100, 0);
        runAll();
        for (int i = 0; i < 20_000; i++) { // until the pages are forgotten
            workers.start(new Expected(PICTURE, order, "picture"));
        }
        runAll();
        order.clear();
        workers.start(new Expected(0, order, "unknown"));
        workers.start(new Expected(PICTURE, order, "picture"));
        runAll();
        assertThat(order).containsExactly("unknown", "picture");
    }

    @Test
    void waitIsThatOfTheQueueForSuchAJob() {
        List<String> order = startPagesAndPictures(400, 0);
        for (int i = 0; i < 300; i++) {
            assertThat(loop.turn(false)).isTrue();
        }
        int left = 400 - order.size();
        Job picture = new Expected(PICTURE, order, "picture");
        assertThat(workers.waitNanos(new Expected(PAGE, order, "page")))
                .isCloseTo(left * PAGE, withinPercentage(1));
        assertThat(workers.waitNanos(picture)).isZero();
        workers.start(picture);
        assertThat(workers.readyCount()).isEqualTo(left + 1);
        assertThat(workers.standingNanos(clock.nanos())).isZero(); // it was empty before
        assertThat(workers.standingNanos(clock.nanos()))
                .isCloseTo(left * PAGE, withinPercentage(1));
        assertThat(loop.turn(false)).isTrue();
        assertThat(order).element(400 - left).isEqualTo("picture");
    }

    @Test
    void criticalLoadCountsTheWaitOfEachQueueApart() {
        List<String> order = startPagesAndPictures(400, 0);
        for (int i = 0; i < 300; i++) {
            assertThat(loop.turn(false)).isTrue();
        }
        List<Long> told = new ArrayList<>();
        for (long nanos : new long[] {PICTURE, PAGE}) {
            workers.start(
                    new Expected(nanos, order, "late") {
                        @Override
                        public boolean overloaded(long waitNanos) {
                            told.add(waitNanos);
                            return false;
                        }
                    });
        }
        int left = 400 - order.size() + 1;
        workers.overloaded();
        assertThat(told).hasSize(2);
        assertThat(told.getFirst()).as("of the picture").isLessThan(PAGE);
        assertThat(told.getLast()).isCloseTo(left * PAGE, withinPercentage(1));
        runAll();
    }

    /// The loop does not carry it, so it makes no other Worker wait.
    @Test
    void criticalLoadIsToldToWorkersThatWaitForThePool() {
        CarrierPool pool = new CarrierPool(64, 1, 0, clock, () -> null);
        EventLoop other =
                new EventLoop(
                        new LoopParts(0, clock, Reports.AT_ONCE), FakePoller.awake(this::arrive));
        LoopWorkers pooled =
                new LoopWorkers(other, new WorkerThreads(WorkerThreads.Kind.LOOP, pool));
        prefersPool = true;
        pauses.add(1);
        List<String> told = new ArrayList<>();
        for (String name : List.of("begun", "waiting")) {
            pooled.start(
                    new Counting() {
                        @Override
                        public boolean overloaded(long waitNanos) {
                            told.add(name + " " + waitNanos);
                            return false;
                        }
                    });
        }
        awaitPause();
        pooled.overloaded();
        assertThat(told).containsExactly("waiting 0");
        resumes.release();
        Await.until("both have run", () -> ran.get() == 2);
        pool.shutdown();
    }

    private List<String> startPagesAndPictures(int pages, int pictures) {
        List<String> order = new ArrayList<>();
        for (int i = 0; i < pages; i++) {
            workers.start(new Expected(PAGE, order, "page"));
        }
        for (int i = 0; i < pictures; i++) {
            workers.start(new Expected(PICTURE, order, "picture"));
        }
        return order;
    }

    private void runAll() {
        while (workers.hasReady()) {
            assertThat(loop.turn(false)).isTrue();
        }
    }

    /// A job whose cost is known before.
    private class Expected extends Counting {
        private final long nanos;
        private final List<String> order;
        private final String what;

        Expected(long nanos, List<String> order, String what) {
            this.nanos = nanos;
            this.order = order;
            this.what = what;
        }

        @Override
        public void run() {
            clock.advance(nanos);
            order.add(what);
        }

        @Override
        public long expectedNanos() {
            return nanos;
        }
    }

    private List<Worker> start(int count) {
        List<Worker> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(workers.start(new Counting()));
        }
        return all;
    }

    private void awaitPause() {
        paused.acquireUninterruptibly();
    }

    private class Counting implements Job {
        @Override
        public void run() {
            clock.advance(cost);
            if (pauses.contains(ran.incrementAndGet())) {
                paused.release();
                while (!resumes.tryAcquire()) { // keeps its thread
                    Thread.onSpinWait();
                }
            }
        }

        @Override
        public void begins(long nowNanos) {
            begins.add(nowNanos);
        }

        @Override
        public void ended(@Nullable Throwable thrown) {}

        @Override
        public boolean prefersPool() {
            return prefersPool;
        }

        @Override
        public void carried(long nanos) {
            parts.add(nanos);
        }

        @Override
        public void preempted() {}

        @Override
        public boolean overloaded(long waitNanos) {
            return false;
        }

        @Override
        public String name() {
            return "a job under test";
        }
    }

    /// Starts a Worker for each socket.
    private void arrive(BooleanSupplier enough) {
        clock.advance(ownWork);
        for (; arriving > 0 && !enough.getAsBoolean(); arriving--) {
            Worker _ = workers.start(new Counting());
            mostReady = Math.max(mostReady, workers.count());
        }
    }
}
