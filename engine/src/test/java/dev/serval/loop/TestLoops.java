package dev.serval.loop;

import dev.serval.worker.WorkerThreads;
import java.util.concurrent.ConcurrentLinkedDeque;

/// The parts of loops under test. The loop that a test turns by hand carries the Workers, and the
/// pool's work waits until the test runs it.
public final class TestLoops {
    private final ConcurrentLinkedDeque<Runnable> pool = new ConcurrentLinkedDeque<>();
    private final Clock clock;

    /// Creates parts for loops with that clock.
    public TestLoops(Clock clock) {
        this.clock = clock;
    }

    /// Returns the parts of one loop.
    public LoopParts parts(int index) {
        return new LoopParts(index, clock, Reports.AT_ONCE);
    }

    /// Returns the source of Workers' threads.
    public WorkerThreads threads() {
        return new WorkerThreads(WorkerThreads.Kind.LOOP, pool::addLast);
    }

    /// Runs the work that waits for the pool.
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
