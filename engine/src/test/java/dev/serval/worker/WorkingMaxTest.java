package dev.serval.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.loop.EventLoop;
import dev.serval.loop.FakeClock;
import dev.serval.loop.FakePoller;
import dev.serval.loop.LoopParts;
import dev.serval.loop.Reports;
import dev.serval.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// How many Workers of a loop work at once. The test turns the loop.
@Timeout(60)
final class WorkingMaxTest {
    private static final long PAGE = 600_000;
    private static final long PICTURE = 30_000;

    private final FakeClock clock = new FakeClock();
    private final EventLoop loop =
            new EventLoop(new LoopParts(0, clock, Reports.AT_ONCE), FakePoller.awake(_ -> {}));
    private final ConcurrentHashMap.KeySetView<Waiting, Boolean> begun =
            ConcurrentHashMap.newKeySet();
    private final List<Waiting> ended = new ArrayList<>();

    @Test
    void othersWaitUntilOneEnds() {
        LoopWorkers workers = carriedByLoop(4);
        List<Waiting> jobs = start(workers, 6, new Waiting());
        turnUntilIdle(workers);
        assertThat(begun).hasSize(4);
        clock.advance(1_000_000);
        turnUntilIdle(workers);
        assertThat(workers.waitNanos(new Waiting())).isPositive();
        jobs.get(2).ends(workers);
        assertThat(begun).containsExactlyInAnyOrderElementsOf(jobs.subList(0, 5));
        jobs.forEach(job -> job.ends(workers));
        assertThat(ended).hasSize(6);
        assertThat(workers.count()).isZero();
    }

    @Test
    void lastEighthIsForShortOnes() {
        LoopWorkers workers = carriedByLoop(16);
        start(workers, 20, new Waiting().expecting(PAGE));
        turnUntilIdle(workers);
        assertThat(begun).hasSize(14);
        List<Waiting> pictures = start(workers, 3, new Waiting().expecting(PICTURE));
        turnUntilIdle(workers);
        assertThat(begun).hasSize(16).containsAll(pictures.subList(0, 2));
    }

    @Test
    void shortOnesCannotKeepOthersFromTheirBegin() {
        LoopWorkers workers = carriedByLoop(16);
        start(workers, 1, new Waiting().expecting(PAGE)).getFirst().ends(workers);
        begun.clear();
        List<Waiting> pictures = start(workers, 60, new Waiting().expecting(PICTURE));
        turnUntilIdle(workers);
        List<Waiting> pages = start(workers, 1, new Waiting().expecting(PAGE));
        turnUntilIdle(workers);
        assertThat(begun).hasSize(16).doesNotContainAnyElementsOf(pages);
        for (Waiting one : pictures.subList(0, 8)) {
            one.ends(workers);
        }
        assertThat(begun).containsAll(pages);
    }

    @Test
    void onesThatStartLaterDoNotBeginBeforeThoseThatWait() {
        WorkerThreads.Pool pool = work -> Thread.ofPlatform().start(work);
        LoopWorkers workers = workers(WorkerThreads.Kind.PLATFORM, pool, 1);
        List<Waiting> later = new ArrayList<>();
        Waiting first = new Waiting();
        first.whenEnded = () -> later.addAll(start(workers, 1, new Waiting()));
        workers.start(first);
        List<Waiting> second = start(workers, 1, new Waiting());
        turnUntilIdle(workers);
        clock.advance(1_000_000);
        turnUntilIdle(workers);
        assertThat(workers.waitNanos(new Waiting())).isPositive();
        first.ends(workers);
        Await.until("one has begun", () -> begun.size() == 2);
        turnUntilIdle(workers);
        assertThat(begun).contains(second.getFirst()).doesNotContainAnyElementsOf(later);
        second.getFirst().ends(workers);
        later.getFirst().ends(workers);
    }

    @Test
    void cancelledOneThatWaitsInThePoolFreesItsPlace() {
        List<Runnable> queue = new ArrayList<>();
        LoopWorkers workers = workers(WorkerThreads.Kind.PLATFORM, queue::add, 1);
        Worker waits = workers.start(new Waiting());
        List<Waiting> next = start(workers, 1, new Waiting());
        turnUntilIdle(workers);
        assertThat(queue).hasSize(1);
        assertThat(waits.cancel()).isTrue();
        turnUntilIdle(workers);
        assertThat(queue).hasSize(2);
        Thread.ofPlatform().start(queue.getLast());
        next.getFirst().ends(workers);
    }

    @Test
    void workThatContinuesARequestBeginsInAnyCase() {
        LoopWorkers workers = carriedByLoop(1);
        List<Waiting> first = start(workers, 2, new Waiting());
        List<Waiting> more = start(workers, 2, new Waiting().continuing());
        turnUntilIdle(workers);
        assertThat(begun).containsExactlyInAnyOrder(first.getFirst(), more.get(0), more.get(1));
        more.forEach(job -> job.ends(workers));
        assertThat(begun).hasSize(3);
    }

    @Test
    void cancelledOnesWaitNoLonger() {
        LoopWorkers workers = carriedByLoop(1);
        start(workers, 1, new Waiting());
        turnUntilIdle(workers);
        List<Worker> more = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            more.add(workers.start(new Waiting()));
        }
        clock.advance(1_000_000);
        turnUntilIdle(workers);
        assertThat(workers.waitNanos(new Waiting())).isPositive();
        more.forEach(Worker::cancel);
        assertThat(workers.waitNanos(new Waiting())).isZero();
        turnUntilIdle(workers);
        assertThat(workers.readyCount()).isZero();
    }

    @Test
    void poolBeginsNoMoreThanTheLoop() {
        CarrierPool pool = new CarrierPool(64, 1, 0, clock, () -> null);
        LoopWorkers workers = workers(WorkerThreads.Kind.LOOP, pool, 2);
        List<Waiting> more = start(workers, 1, new Waiting().preferringPool().continuing());
        List<Waiting> jobs = start(workers, 3, new Waiting().preferringPool());
        Await.until("all but the last have begun", () -> begun.size() == 3);
        turnUntilIdle(workers);
        assertThat(workers.readyCount()).isOne();
        assertThat(begun).hasSize(3).doesNotContain(jobs.getLast());
        jobs.getFirst().ends(workers);
        Await.until("the last has begun", () -> begun.contains(jobs.getLast()));
        jobs.forEach(job -> job.ends(workers));
        more.getFirst().ends(workers);
        pool.shutdown();
    }

    @Test
    void loopCarriesACountedOneThatThePoolRefuses() {
        LoopWorkers workers = workers(WorkerThreads.Kind.LOOP, WorkingMaxTest::refuse, 1);
        start(workers, 1, new Waiting().preferringPool());
        turnUntilIdle(workers);
        assertThat(begun).hasSize(1);
    }

    @Test
    void schedulerOfTheJdkBeginsNoMore() {
        LoopWorkers workers = workers(WorkerThreads.Kind.VIRTUAL, WorkingMaxTest::refuse, 2);
        List<Waiting> jobs = start(workers, 3, new Waiting());
        Await.until("two have begun", () -> begun.size() == 2);
        turnUntilIdle(workers);
        assertThat(workers.readyCount()).isOne();
        jobs.getFirst().ends(workers);
        Await.until("the last has begun", () -> begun.size() == 3);
        jobs.forEach(job -> job.ends(workers));
    }

    @Test
    void jobLearnsThatNoThreadCouldBeStartedAfterItsWait() {
        List<Runnable> threads = new ArrayList<>();
        WorkerThreads.Pool once =
                work -> {
                    if (!threads.isEmpty()) {
                        refuse(work);
                    }
                    threads.add(work);
                    Thread.ofPlatform().start(work);
                };
        LoopWorkers workers = workers(WorkerThreads.Kind.PLATFORM, once, 1);
        List<Waiting> jobs = start(workers, 2, new Waiting());
        jobs.getFirst().ends(workers);
        turnUntilIdle(workers);
        assertThat(ended).isEqualTo(jobs);
        assertThat(jobs.getLast().thrown).hasMessage("meant: no thread");
        assertThat(workers.count()).isZero();
    }

    private static void refuse(Runnable work) {
        throw new OutOfMemoryError("meant: no thread");
    }

    private LoopWorkers carriedByLoop(int most) {
        return workers(WorkerThreads.Kind.LOOP, Runnable::run, most);
    }

    private LoopWorkers workers(WorkerThreads.Kind kind, WorkerThreads.Pool pool, int most) {
        LoopWorkers workers = new LoopWorkers(loop, new WorkerThreads(kind, pool));
        workers.atMost(most);
        return workers;
    }

    private static List<Waiting> start(LoopWorkers workers, int count, Waiting like) {
        List<Waiting> jobs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Waiting job = like.another();
            jobs.add(job);
            workers.start(job);
        }
        return jobs;
    }

    private void turnUntilIdle(LoopWorkers workers) {
        do {
            assertThat(loop.turn(false)).isTrue();
        } while (workers.hasReady());
    }

    /// A job that waits until the test ends it.
    private final class Waiting implements Job {
        private final CountDownLatch end = new CountDownLatch(1);
        private long expected;
        private boolean continues;
        private boolean prefersPool;
        private @Nullable Throwable thrown;
        private Runnable whenEnded = () -> {};

        Waiting expecting(long nanos) {
            expected = nanos;
            return this;
        }

        Waiting continuing() {
            continues = true;
            return this;
        }

        Waiting preferringPool() {
            prefersPool = true;
            return this;
        }

        Waiting another() {
            Waiting other = new Waiting().expecting(expected);
            other.continues = continues;
            other.prefersPool = prefersPool;
            return other;
        }

        /// Ends the job, and turns the loop until it knows.
        void ends(LoopWorkers workers) {
            end.countDown();
            Await.until(
                    "the job has ended",
                    () -> {
                        turnUntilIdle(workers);
                        return ended.contains(this);
                    });
        }

        @Override
        public void run() throws InterruptedException {
            begun.add(this);
            end.await();
        }

        @Override
        public void ended(@Nullable Throwable with) {
            thrown = with;
            ended.add(this);
            whenEnded.run();
        }

        @Override
        public boolean continues() {
            return continues;
        }

        @Override
        public long expectedNanos() {
            return expected;
        }

        @Override
        public boolean prefersPool() {
            return prefersPool;
        }

        @Override
        public void carried(long nanos) {}

        @Override
        public void preempted() {}

        @Override
        public boolean overloaded(long waitNanos) {
            return false;
        }

        @Override
        public String name() {
            return "a job that waits";
        }
    }
}
