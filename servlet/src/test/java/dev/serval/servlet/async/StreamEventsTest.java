package dev.serval.servlet.async;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// `isReady` and the events that follow it (Servlet 6.1 §3.7, §5.7).
final class StreamEventsTest {
    private final Fake streams = new Fake();
    private final AsyncState state = new AsyncState(new Owner());
    private final StreamEvents events = new StreamEvents(state, streams);
    private int resumed;

    /// Counts the container threads that are called.
    private final class Owner implements AsyncState.Owner {
        @Override
        public void resume() {
            resumed++;
        }

        @Override
        public FakeTimer timer(Runnable task, long afterMillis) {
            return new FakeTimer(task);
        }
    }

    /// Streams whose state a test sets.
    private final class Fake implements StreamEvents.Streams {
        private boolean ready;
        private boolean failsToAsk;
        private boolean failsToReport;
        private boolean
                tellsAtOnce; // the listener, on another thread, before the question is answered
        private int asked;
        private Runnable report = Fake::unasked;

        @Override
        public boolean readsWithoutWaiting() throws IOException {
            if (failsToAsk) {
                throw new IOException("aborted");
            }
            return ready;
        }

        @Override
        public void onReadable(Runnable then) throws IOException {
            if (failsToReport) {
                throw new IOException("aborted");
            }
            asked++;
            report = then;
        }

        @Override
        public boolean writesWithoutWaiting() {
            return ready;
        }

        @Override
        public void onWritable(Runnable then) {
            asked++;
            report = then;
            if (tellsAtOnce) {
                run();
                ready = true;
                assertThat(events.writerToTell()).isNull();
            }
        }

        private static void unasked() {
            throw new AssertionError("nothing is to be reported");
        }

        void run() {
            Runnable then = report;
            report = Fake::unasked;
            then.run();
        }
    }

    @BeforeEach
    void start() {
        state.start("cycle", 0, () -> {});
        assertThat(state.leave()).isTrue();
    }

    @Test
    void unreadyInputIsReportedOnce() {
        assertThat(events.mayRead()).isFalse();
        assertThat(events.mayRead()).isFalse();
        assertThat(events.isReadArmed()).isTrue();
        assertThat(streams.asked).isEqualTo(1);
        streams.ready = true;
        assertThat(events.mayRead()).as("before the report").isFalse();
        assertThat(resumed).isZero();
        streams.run();
        assertThat(resumed).isEqualTo(1);
        assertThat(events.isReadArmed()).isFalse();
        assertThat(events.mayRead()).isTrue();
        assertThat(state.arrive()).isTrue();
        assertThat(state.next()).isEqualTo(AsyncStep.READ);
        assertThat(state.next()).isEqualTo(AsyncStep.DETACH);
    }

    @Test
    void unreadyOutputIsReportedOnce() {
        assertThat(events.isReadyToWrite()).isFalse();
        assertThat(events.isReadyToWrite()).isFalse();
        assertThat(streams.asked).isEqualTo(1);
        streams.ready = true;
        assertThat(events.isReadyToWrite()).as("before the report").isFalse();
        streams.run();
        assertThat(resumed).isEqualTo(1);
        assertThat(events.isReadyToWrite()).isTrue();
        assertThat(state.arrive()).isTrue();
        assertThat(state.next()).isEqualTo(AsyncStep.WRITE);
        assertThat(state.next()).isEqualTo(AsyncStep.DETACH);
    }

    /// There may be room again before the application has made its next call.
    @Test
    void writesAreRefusedUntilTheApplicationIsToldOtherwise() {
        assertThat(events.isReadyToWrite()).isFalse();
        streams.ready = true;
        streams.run();
        assertThat(events.mayWrite()).isFalse();
        assertThat(events.isReadyToWrite()).isTrue();
        assertThat(events.mayWrite()).isTrue();
    }

    @Test
    void listenerMayWriteWithoutAQuestion() {
        assertThat(events.isReadyToWrite()).isFalse();
        streams.ready = true;
        streams.run();
        assertThat(events.writerToTell()).isNull();
        assertThat(events.mayWrite()).isTrue();
    }

    /// The loop may report, and the listener be called, before isReady has returned.
    @Test
    void listenerThatIsCalledBeforeTheAnswerMayWrite() {
        streams.tellsAtOnce = true;
        assertThat(events.isReadyToWrite()).isFalse();
        assertThat(events.mayWrite()).isTrue();
    }

    @Test
    void writeThatWouldWaitIsRefusedWithoutAQuestion() {
        assertThat(events.mayWrite()).isFalse();
        assertThat(streams.asked).isEqualTo(1);
    }

    @Test
    void eventFindsTheStreamDisarmed() {
        assertThat(events.mayRead()).isFalse();
        streams.run();
        assertThat(events.mayRead()).as("not ready again").isFalse();
        assertThat(streams.asked).isEqualTo(2);
    }

    @Test
    void readyStreamsAskForNothing() {
        streams.ready = true;
        assertThat(events.mayRead()).isTrue();
        assertThat(events.isReadyToWrite()).isTrue();
        assertThat(streams.asked).isZero();
        assertThat(resumed).isZero();
    }

    /// A read then reports the abort.
    @Test
    void inputOfAnAbortedExchangeIsReady() {
        streams.failsToAsk = true;
        assertThat(events.mayRead()).isTrue();
        assertThat(events.isReadArmed()).isFalse();
    }

    @Test
    void inputIsReadyIfTheExchangeIsAbortedWhileItIsArmed() {
        streams.failsToReport = true;
        assertThat(events.mayRead()).isTrue();
        assertThat(events.isReadArmed()).isFalse();
        assertThat(events.mayRead()).as("again").isTrue();
    }

    @Test
    void endOfTheContentIsToldOnce() {
        assertThat(events.tellReadEnd()).isTrue();
        assertThat(events.tellReadEnd()).isFalse();
    }
}
