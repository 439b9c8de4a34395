package dev.serval.servlet.async;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/// Races of the threads that end an asynchronous request, by jcstress. The last number of each
/// result is 1 if the request has ended exactly once.
final class AsyncStateStress {
    private AsyncStateStress() {}

    /// The application completes while the container thread returns from its code.
    @JCStressTest
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "completed, ended once")
    @Outcome(expect = Expect.FORBIDDEN, desc = "lost, or ended twice")
    @State
    public static class CompleteAgainstReturn {
        private final StressedRequest request = new StressedRequest();

        /// Is the container thread.
        @Actor
        public void container() {
            request.settle();
        }

        /// Is a thread of the application.
        @Actor
        public void application(II_Result result) {
            result.r1 = request.complete();
        }

        /// Reads the result.
        @Arbiter
        public void end(II_Result result) {
            result.r2 = request.endedOnce();
        }
    }

    /// The application completes when the timer fires.
    @JCStressTest
    @Outcome(id = "[01], 1", expect = Expect.ACCEPTABLE, desc = "one of them ended it")
    @Outcome(expect = Expect.FORBIDDEN, desc = "not ended, or twice")
    @State
    public static class CompleteAgainstTimeout {
        private final StressedRequest request = new StressedRequest();

        /// Lets the container thread leave.
        public CompleteAgainstTimeout() {
            request.settle();
        }

        /// Is the thread of the timers.
        @Actor
        public void timers() {
            request.fire();
        }

        /// Is a thread of the application.
        @Actor
        public void application(II_Result result) {
            result.r1 = request.complete();
        }

        /// Reads the result.
        @Arbiter
        public void end(II_Result result) {
            result.r2 = request.endedOnce();
        }
    }

    /// The application completes when the client goes.
    @JCStressTest
    @Outcome(id = "[01], 1", expect = Expect.ACCEPTABLE, desc = "one of them ended it")
    @Outcome(expect = Expect.FORBIDDEN, desc = "not ended, or twice")
    @State
    public static class CompleteAgainstAbort {
        private final StressedRequest request = new StressedRequest();

        /// Lets the container thread leave.
        public CompleteAgainstAbort() {
            request.settle();
        }

        /// Is the loop.
        @Actor
        public void loop() {
            request.abort();
        }

        /// Is a thread of the application.
        @Actor
        public void application(II_Result result) {
            result.r1 = request.complete();
        }

        /// Reads the result.
        @Arbiter
        public void end(II_Result result) {
            result.r2 = request.endedOnce();
        }
    }

    /// The application dispatches when the timer fires.
    @JCStressTest
    @Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "dispatched")
    @Outcome(id = "0, 0, 1", expect = Expect.ACCEPTABLE, desc = "timed out")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a dispatch was lost, or the end")
    @State
    public static class DispatchAgainstTimeout {
        private final StressedRequest request = new StressedRequest();

        /// Lets the container thread leave.
        public DispatchAgainstTimeout() {
            request.settle();
        }

        /// Is the thread of the timers.
        @Actor
        public void timers() {
            request.fire();
        }

        /// Is a thread of the application.
        @Actor
        public void application(III_Result result) {
            result.r1 = request.dispatch();
        }

        /// Reads the result.
        @Arbiter
        public void end(III_Result result) {
            result.r2 = request.dispatches();
            result.r3 = request.endedOnce();
        }
    }

    /// Two threads of the application complete.
    @JCStressTest
    @Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "the first ended it")
    @Outcome(id = "0, 1, 1", expect = Expect.ACCEPTABLE, desc = "the second ended it")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both, or none")
    @State
    public static class TwoCompletes {
        private final StressedRequest request = new StressedRequest();

        /// Lets the container thread leave.
        public TwoCompletes() {
            request.settle();
        }

        /// Is a thread of the application.
        @Actor
        public void one(III_Result result) {
            result.r1 = request.complete();
        }

        /// Is another thread of the application.
        @Actor
        public void other(III_Result result) {
            result.r2 = request.complete();
        }

        /// Reads the result.
        @Arbiter
        public void end(III_Result result) {
            result.r3 = request.endedOnce();
        }
    }

    /// The client goes while the container thread returns and a timer is being set.
    @JCStressTest
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "ended once")
    @Outcome(expect = Expect.FORBIDDEN, desc = "not ended, or twice")
    @State
    public static class AbortAgainstReturn {
        private final StressedRequest request = new StressedRequest();

        /// Is the container thread.
        @Actor
        public void container(II_Result result) {
            request.settle();
            result.r1 = 1;
        }

        /// Is the loop.
        @Actor
        public void loop() {
            request.abort();
        }

        /// Reads the result.
        @Arbiter
        public void end(II_Result result) {
            request.fire(); // an old timer changes nothing
            result.r2 = request.endedOnce();
        }
    }

    /// The loop reports content while the container thread returns.
    @JCStressTest
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "the listener was called once")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the event was lost, or came twice")
    @State
    public static class ContentAgainstReturn {
        private final StressedRequest request = new StressedRequest();

        /// Is the container thread.
        @Actor
        public void container() {
            request.settle();
        }

        /// Is the loop.
        @Actor
        public void loop() {
            request.state.readableOnLoop();
        }

        /// Reads the result.
        @Arbiter
        public void end(II_Result result) {
            result.r1 = request.reads.get();
            int _ = request.complete();
            result.r2 = request.endedOnce();
        }
    }
}
