package dev.serval.blocking;

import java.io.IOException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/// Races between the threads that use a stream and the one that ends it, by jcstress.
final class StreamUseStress {
    private StreamUseStress() {}

    private static boolean enters(StreamUse use) {
        try {
            return use.enter(false);
        } catch (IOException e) {
            return false;
        }
    }

    /// The thread that ends a stream knows of any thread inside, so that the buffer is not reused.
    @JCStressTest
    @Outcome(id = "1, 0", expect = Expect.FORBIDDEN, desc = "inside, and the buffer is reused")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "inside, and known")
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "came too late")
    @State
    public static class End {
        private final StreamUse use = new StreamUse();

        /// Runs on a thread that the application started.
        @Actor
        public void writer(II_Result result) {
            result.r1 = enters(use) ? 1 : 0;
        }

        /// Runs on the handler's own thread.
        @Actor
        public void ender(II_Result result) {
            result.r2 = (use.end() & StreamUse.SHARED) != 0 ? 1 : 0;
        }
    }

    /// Two threads are never inside at once.
    @JCStressTest
    @Outcome(id = "1, 1, 2", expect = Expect.ACCEPTABLE, desc = "one after the other")
    @Outcome(id = "[01], [01], 1", expect = Expect.ACCEPTABLE, desc = "one was refused")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both at once")
    @State
    public static class Two {
        private final StreamUse use = new StreamUse();
        private int calls; // plain: each call sees the last

        private int call() {
            if (!enters(use)) {
                return 0;
            }
            calls++;
            use.leave();
            return 1;
        }

        /// Runs on one thread.
        @Actor
        public void one(III_Result result) {
            result.r1 = call();
        }

        /// Runs on another thread.
        @Actor
        public void other(III_Result result) {
            result.r2 = call();
        }

        /// Reads the result.
        @Arbiter
        public void end(III_Result result) {
            result.r3 = calls;
        }
    }

    /// The head is sent with the first part or with the end, never with both.
    @JCStressTest
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "committed, then ended")
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "ended, so it was not committed")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both, or neither")
    @State
    public static class Commit {
        private final StreamUse use = new StreamUse();

        /// Runs on a thread that the application started, whose buffer is full.
        @Actor
        public void writer(II_Result result) {
            try {
                use.claimToAsk(use.enter(false), StreamUse.COMMITTED);
                result.r1 = 1;
            } catch (IOException e) {
                result.r1 = 0;
            }
        }

        /// Runs on the handler's own thread.
        @Actor
        public void ender(II_Result result) {
            result.r2 = (use.end() & StreamUse.COMMITTED) != 0 ? 1 : 0;
        }
    }
}
