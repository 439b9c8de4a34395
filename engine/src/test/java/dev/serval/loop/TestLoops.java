package dev.serval.loop;

import dev.serval.worker.WorkerThreads;
import java.util.concurrent.ConcurrentLinkedDeque;

/// What loops under test are made with: Workers carried by the loop that a test turns by hand, and a
/// pool whose work waits until the test does it.
public final class TestLoops {
    private final ConcurrentLinkedDeque<Runnable> pool = new ConcurrentLinkedDeque<>();
    private final Clock clock;

    /// For loops with that clock.
    public TestLoops(Clock clock) {
        this.clock = clock;
    }

    /// The parts of one loop.
    public LoopParts parts(int index) {
        return new LoopParts(index, clock, Reports.AT_ONCE);
    }

    /// Where their Workers get their threads.
    public WorkerThreads threads() {
        return new WorkerThreads(WorkerThreads.Kind.LOOP, pool::addLast);
    }

    /// Does the work that waits for the pool.
    ///
    /// @return whether there was any
    public boolean work() {
        int n = pool.size();
        for (int i = 0; i < n; i++) {
            pool.removeFirst().run();
        }
        return n > 0;
    }
}
