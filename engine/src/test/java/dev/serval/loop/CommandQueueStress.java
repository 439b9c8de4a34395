package dev.serval.loop;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/// Races between threads that submit commands and the loop that carries them out, by jcstress.
final class CommandQueueStress {
    private CommandQueueStress() {}

    private static void carryOut(CommandQueue queue) {
        @Nullable Command rest = queue.takeAll();
        while (rest != null) {
            Command one = rest;
            rest = one.next;
            one.next = null;
            one.run();
        }
    }

    /// A loop that is about to sleep while a command is queued is woken.
    @JCStressTest
    @Outcome(id = "false, true", expect = Expect.FORBIDDEN, desc = "a lost wake-up")
    @Outcome(expect = Expect.ACCEPTABLE, desc = "one saw the other")
    @State
    public static class WakeUp {
        private final CommandQueue queue = new CommandQueue();
        private final Command command = new Command(() -> {});

        /// Records whether the producer wakes the loop.
        @Actor
        public void producer(ZZ_Result result) {
            result.r1 = queue.offer(command);
        }

        /// Records whether the loop sleeps.
        @Actor
        public void loop(ZZ_Result result) {
            result.r2 = queue.sleep();
        }
    }

    /// Two producers, and a loop that takes commands meanwhile: each command runs once.
    @JCStressTest
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "each once")
    @State
    public static class Once {
        private final CommandQueue queue = new CommandQueue();
        private int firstRan;
        private int secondRan;
        private final Command first = new Command(() -> firstRan++);
        private final Command second = new Command(() -> secondRan++);

        /// Runs as a producer.
        @Actor
        public void producer() {
            queue.offer(first);
        }

        /// Runs as another producer, which is the loop.
        @Actor
        public void loop() {
            queue.offer(second);
            carryOut(queue);
        }

        /// Carries out the remaining commands.
        @Arbiter
        public void end(II_Result result) {
            carryOut(queue);
            result.r1 = firstRan;
            result.r2 = secondRan;
        }
    }

    /// A submit while the command is queued: the later action sees what was written before that
    /// submit. A Worker that ends elsewhere depends on this.
    @JCStressTest
    @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "seen")
    @State
    public static class Folded {
        private final CommandQueue queue = new CommandQueue();
        private int written;
        private int seen;
        private final Command command = new Command(() -> seen = written);

        /// Queues the command.
        public Folded() {
            queue.offer(command);
        }

        /// Submits the command again.
        @Actor
        public void producer() {
            written = 1;
            queue.offer(command);
        }

        /// Carries out the commands.
        @Actor
        public void loop() {
            carryOut(queue);
        }

        /// Carries out the remaining commands.
        @Arbiter
        public void end(I_Result result) {
            carryOut(queue);
            result.r1 = seen;
        }
    }
}
