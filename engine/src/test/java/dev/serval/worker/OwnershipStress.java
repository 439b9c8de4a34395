package dev.serval.worker;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/// Races between the owner of a loop and the watchdog, by jcstress.
final class OwnershipStress {
    private OwnershipStress() {}

    /// The final owner of the loop runs application code once more. There is exactly one, with a
    /// new sequence number, and it sees all that the former owner wrote.
    @JCStressTest
    @Outcome(id = "1, 0, 0, 5", expect = Expect.ACCEPTABLE, desc = "left in time")
    @Outcome(
            id = "0, 1, 7, 7",
            expect = Expect.ACCEPTABLE,
            desc = "preempted, with what was written")
    @State
    public static class Preempt {
        private final Ownership ownership = new Ownership();
        private int written; // a plain field of the loop

        /// Runs as the owner.
        @Actor
        public void owner(IIII_Result result) {
            written = 7;
            long entered = ownership.enter();
            if (ownership.leave(entered)) {
                result.r1 = 1;
                ownership.enter();
            }
        }

        /// Runs as the watchdog, and as the next owner.
        @Actor
        public void watchdog(IIII_Result result) {
            long word = ownership.word();
            if (word == 3 && ownership.preempt(word)) {
                result.r2 = 1;
                result.r3 = written;
                ownership.enter();
            }
        }

        /// Reads the result.
        @Arbiter
        public void end(IIII_Result result) {
            result.r4 = (int) ownership.word();
        }
    }

    /// A late preemption fails, even if application code runs again.
    @JCStressTest
    @Outcome(id = "2, 0", expect = Expect.ACCEPTABLE, desc = "left in time, twice")
    @Outcome(id = "0, 3", expect = Expect.ACCEPTABLE, desc = "preempted from the first part")
    @Outcome(id = "1, 5", expect = Expect.ACCEPTABLE, desc = "preempted from the second part")
    @State
    public static class Late {
        private final Ownership ownership = new Ownership();

        /// Runs as the owner.
        @Actor
        public void owner(II_Result result) {
            for (int parts = 0; parts < 2 && ownership.leave(ownership.enter()); parts++) {
                result.r1 = parts + 1;
            }
        }

        /// Runs as the watchdog.
        @Actor
        public void watchdog(II_Result result) {
            long word = ownership.word();
            if (Ownership.inApplication(word) && ownership.preempt(word)) {
                result.r2 = (int) word;
            }
        }
    }

    /// A thread that enters application code sees that the watchdog rests: the pairing of
    /// [Watchdog#isParked] with the word.
    @JCStressTest
    @Outcome(
            id = "false, true",
            expect = Expect.FORBIDDEN,
            desc = "rests while application code runs")
    @Outcome(expect = Expect.ACCEPTABLE, desc = "one saw the other")
    @State
    public static class Rest {
        private final Ownership ownership = new Ownership();
        private volatile boolean parked; // like the field of the watchdog

        /// Runs as the owner, and records whether it wakes the watchdog.
        @Actor
        public void owner(ZZ_Result result) {
            ownership.enter();
            result.r1 = parked;
        }

        /// Runs as the watchdog, and records whether it rests.
        @Actor
        public void watchdog(ZZ_Result result) {
            parked = true;
            result.r2 = ownership.word() == 0;
        }
    }
}
