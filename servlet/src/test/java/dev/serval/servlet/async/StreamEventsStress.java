package dev.serval.servlet.async;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/// Races of `isReady` and the loop that reports, by jcstress.
final class StreamEventsStress {
    private StreamEventsStress() {}

    /// Streams that become ready once. The loop looks again after it was asked to report.
    private static final class Once implements StreamEvents.Streams {
        private final AtomicReference<@Nullable Runnable> report = new AtomicReference<>();
        private volatile boolean ready;
        private final AtomicInteger asked = new AtomicInteger();

        @Override
        public boolean readsWithoutWaiting() {
            return ready;
        }

        @Override
        public void onReadable(Runnable then) {
            asked.incrementAndGet();
            report.set(then);
            loop();
        }

        @Override
        public boolean writesWithoutWaiting() {
            return ready;
        }

        @Override
        public void onWritable(Runnable then) {
            asked.incrementAndGet();
            report.set(then);
            loop();
        }

        void become() {
            ready = true;
            loop();
        }

        private void loop() {
            @Nullable Runnable then = ready ? report.getAndSet(null) : null;
            if (then != null) {
                then.run();
            }
        }
    }

    private static final class Detached implements AsyncState.Owner {
        private final AsyncState state = new AsyncState(this);
        private final Once streams = new Once();
        private final StreamEvents events = new StreamEvents(state, streams);
        private final AtomicInteger calls = new AtomicInteger();

        Detached() {
            state.start("cycle", 0, () -> {});
            boolean _ = state.leave();
        }

        @Override
        public void resume() {
            calls.incrementAndGet();
        }

        @Override
        public FakeTimer timer(Runnable task, long afterMillis) {
            return new FakeTimer(task);
        }
    }

    /// A thread asks for content when it arrives.
    @JCStressTest
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "ready, so nothing is reported")
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "not ready, and reported once")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the listener waits for ever, or is called twice")
    @State
    public static class Content {
        private final Detached request = new Detached();

        /// Asks.
        @Actor
        public void listener(II_Result result) {
            result.r1 = request.events.mayRead() ? 1 : 0;
        }

        /// Is the loop.
        @Actor
        public void loop() {
            request.streams.become();
        }

        /// Reads the result.
        @Arbiter
        public void end(II_Result result) {
            result.r2 = request.calls.get();
        }
    }

    /// A thread asks for room when the client makes it.
    @JCStressTest
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "ready, so nothing is reported")
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "not ready, and reported once")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the listener waits for ever, or is called twice")
    @State
    public static class Room {
        private final Detached request = new Detached();

        /// Asks.
        @Actor
        public void listener(II_Result result) {
            result.r1 = request.events.isReadyToWrite() ? 1 : 0;
        }

        /// Is the loop.
        @Actor
        public void loop() {
            request.streams.become();
        }

        /// Reads the result.
        @Arbiter
        public void end(II_Result result) {
            result.r2 = request.calls.get();
        }
    }

    /// Two threads ask for content that never arrives, so the loop is asked once.
    @JCStressTest
    @Outcome(id = "0, 0, 1", expect = Expect.ACCEPTABLE, desc = "the loop was asked once")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the loop was asked twice, or never")
    @State
    public static class TwoAsk {
        private final Detached request = new Detached();

        /// Asks.
        @Actor
        public void one(III_Result result) {
            result.r1 = request.events.mayRead() ? 1 : 0;
        }

        /// Asks too.
        @Actor
        public void other(III_Result result) {
            result.r2 = request.events.mayRead() ? 1 : 0;
        }

        /// Reads the result.
        @Arbiter
        public void end(III_Result result) {
            result.r3 = request.streams.asked.get();
        }
    }
}
