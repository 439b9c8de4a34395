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

    /// Who owns the loop in the end runs application code once more: exactly one, with a sequence
    /// number that was not there before, and with all that the former owner wrote.
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

        /// The owner.
        @Actor
        public void owner(IIII_Result result) {
            written = 7;
            long entered = ownership.enter();
            if (ownership.leave(entered)) {
                result.r1 = 1;
                ownership.enter();
            }
        }

        /// The watchdog, and the next owner.
        @Actor
        public void watchdog(IIII_Result result) {
            long word = ownership.word();
            if (word == 3 && ownership.preempt(word)) {
                result.r2 = 1;
                result.r3 = written;
                ownership.enter();
            }
        }

        /// What came of it.
        @Arbiter
        public void end(IIII_Result result) {
            result.r4 = (int) ownership.word();
        }
    }

    /// An attempt that comes late fails, though application code runs again.
    @JCStressTest
    @Outcome(id = "2, 0", expect = Expect.ACCEPTABLE, desc = "left in time, twice")
    @Outcome(id = "0, 3", expect = Expect.ACCEPTABLE, desc = "preempted from the first part")
    @Outcome(id = "1, 5", expect = Expect.ACCEPTABLE, desc = "preempted from the second part")
    @State
    public static class Late {
        private final Ownership ownership = new Ownership();

        /// The owner.
        @Actor
        public void owner(II_Result result) {
            for (int parts = 0; parts < 2 && ownership.leave(ownership.enter()); parts++) {
                result.r1 = parts + 1;
            }
        }

        /// The watchdog.
        @Actor
        public void watchdog(II_Result result) {
            long word = ownership.word();
            if (Ownership.inApplication(word) && ownership.preempt(word)) {
                result.r2 = (int) word;
            }
        }
    }

    /// A watchdog that rests is seen by whoever enters application code: the pairing of
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
        private volatile boolean parked; // as the watchdog's

        /// The owner: whether it wakes the watchdog.
        @Actor
        public void owner(ZZ_Result result) {
            ownership.enter();
            result.r1 = parked;
        }

        /// The watchdog: whether it rests.
        @Actor
        public void watchdog(ZZ_Result result) {
            parked = true;
            result.r2 = ownership.word() == 0;
        }
    }
}
