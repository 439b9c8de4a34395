package dev.serval.servlet.async;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// One thread at a time holds the lock, and sees what the one before wrote, by jcstress.
@JCStressTest
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "one after the other")
@Outcome(expect = Expect.FORBIDDEN, desc = "two at once")
@State
public class BriefLockStress {
    private final BriefLock lock = new BriefLock();
    private int count; // plain: each holder sees the last

    private void add() {
        lock.lock();
        count++;
        lock.unlock();
    }

    /// Runs on one thread.
    @Actor
    public void one() {
        add();
    }

    /// Runs on another thread.
    @Actor
    public void two() {
        add();
    }

    /// Reads the result.
    @Arbiter
    public void end(I_Result result) {
        result.r1 = count;
    }
}
