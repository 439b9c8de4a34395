package dev.serval.servlet.session;

import static dev.serval.servlet.session.SessionFixture.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/// Sessions that a timeout ends: their listeners run on other threads, which the tests run one step
/// at a time.
final class EndQueueTest {
    private final SessionFixture fixture = new SessionFixture(SessionFixture.KEEPS_NONE);
    private final Sessions sessions = fixture.sessions;
    private final Queue<Runnable> started = new ArrayDeque<>();

    private void startThreadsLater() {
        fixture.threads = started::add;
    }

    private List<String> idle(int count) {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add(fixture.createIdle());
        }
        fixture.takeEvents();
        return ids;
    }

    private void expire() {
        fixture.pass(61 * SECOND);
        fixture.tick();
    }

    @Test
    void tickHidesASessionAndCallsNoListener() {
        startThreadsLater();
        SessionFacade session = sessions.create();
        session.setAttribute("a", 1);
        session.release();
        fixture.takeEvents();
        expire();
        assertThat(fixture.takeEvents()).isEmpty();
        assertThat(sessions.join(session.getId())).isNull();
        assertThat(session.getAttribute("a")).as("for listeners").isEqualTo(1);
        assertThat(sessions.counters().active()).as("it occupies memory").isEqualTo(1);
        started.remove().run();
        assertThat(fixture.takeEvents()).containsExactly("destroyed", "removed a=1");
        assertThat(sessions.counters().active()).isZero();
        assertThat(sessions.counters().ended(SessionEnd.UNCONFIRMED)).isEqualTo(1);
    }

    @Test
    void threadsAreFewAndEndTheirTurnWithTheQueue() {
        startThreadsLater();
        idle(EndQueue.THREADS_MAX + 6);
        expire();
        assertThat(started).hasSize(EndQueue.THREADS_MAX);
        started.remove().run();
        assertThat(fixture.takeEvents()).hasSize(EndQueue.THREADS_MAX + 6);
        while (!started.isEmpty()) {
            started.remove().run(); // finds nothing
        }
        assertThat(fixture.takeEvents()).isEmpty();
        idle(1);
        expire();
        assertThat(started).hasSize(1);
    }

    @Test
    void sessionThatExpiresAtAJoinEndsOnTheThreadOfTheRequest() {
        startThreadsLater();
        String id = fixture.createConfirmed();
        fixture.takeEvents();
        fixture.pass((SessionFixture.TIMEOUT_MINUTES * 60 + 1) * SECOND);
        assertThat(sessions.join(id)).isNull();
        assertThat(fixture.takeEvents()).containsExactly("destroyed");
        assertThat(started).isEmpty();
    }

    @Test
    void tickAfterTheCloseEndsNothing() {
        startThreadsLater();
        idle(1);
        sessions.close();
        assertThat(fixture.takeEvents()).containsExactly("destroyed");
        expire();
        assertThat(started).isEmpty();
        assertThat(fixture.logged).isEmpty();
    }

    @Test
    void threadThatCannotStartIsStartedByTheNextEnd() {
        EndQueue queue =
                new EndQueue(
                        (session, _) -> fixture.events.add(session.id()),
                        task -> {
                            if (started.isEmpty()) {
                                started.add(task);
                                throw new RejectedExecutionException("no thread");
                            }
                            task.run();
                        });
        Session one = new Session(sessions, "one", 1, 0, 0);
        Session two = new Session(sessions, "two", 1, 0, 0);
        assertThat(catchThrowable(() -> queue.add(one, SessionEnd.EXPIRED)))
                .hasMessage("no thread");
        queue.add(two, SessionEnd.EXPIRED);
        assertThat(fixture.events).containsExactly("one", "two");
    }

    @Test
    void faultInOneEndLeavesTheThreadsCounted() throws InterruptedException {
        EndQueue queue =
                new EndQueue(
                        (session, _) -> {
                            throw new IllegalStateException(session.id());
                        },
                        Runnable::run);
        for (int i = 0; i < EndQueue.THREADS_MAX + 1; i++) {
            Session one = new Session(sessions, "one", 1, 0, 0);
            assertThatIllegalStateException()
                    .isThrownBy(() -> queue.add(one, SessionEnd.EXPIRED))
                    .withMessage("one");
        }
        assertThat(queue.drain(1, () -> 0)).isTrue();
    }

    @Test
    void drainEndsWhatWaitsAndGivesUpOnAThreadThatStays() throws InterruptedException {
        EndQueue queue =
                new EndQueue((session, _) -> fixture.events.add(session.id()), started::add);
        queue.add(new Session(sessions, "one", 1, 0, 0), SessionEnd.EXPIRED);
        long[] now = {Long.MAX_VALUE - 1};
        assertThat(queue.drain(5, () -> now[0]++)).as("its thread has not run").isFalse();
        assertThat(fixture.events).containsExactly("one");
        started.remove().run();
        assertThat(queue.drain(5, () -> now[0]++)).isTrue();
    }
}
