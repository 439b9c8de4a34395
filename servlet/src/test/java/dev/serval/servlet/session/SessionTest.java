package dev.serval.servlet.session;

import static dev.serval.servlet.session.SessionFixture.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.serval.servlet.session.Session.State;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Each transition of a session from each state, in use and not.
final class SessionTest {
    private static final Sessions SESSIONS = new SessionFixture().sessions;

    private final MemorySessions store = new MemorySessions();

    /// A call that returns false leaves the state as it is.
    @ParameterizedTest(name = "{0}, {1} uses: {2} gives {3}")
    @CsvSource({
        "UNCONFIRMED, 0, begin,    UNCONFIRMED",
        "UNCONFIRMED, 0, join,     CONFIRMED",
        "UNCONFIRMED, 0, end,      ENDING",
        "UNCONFIRMED, 0, idle,     ENDING",
        "UNCONFIRMED, 0, flood,    ENDING",
        "UNCONFIRMED, 1, begin,    UNCONFIRMED",
        "UNCONFIRMED, 1, join,     CONFIRMED",
        "UNCONFIRMED, 1, end,      ENDING",
        "UNCONFIRMED, 1, idle,     refused",
        "UNCONFIRMED, 1, flood,    refused",
        "CONFIRMED,   0, begin,    CONFIRMED",
        "CONFIRMED,   0, join,     CONFIRMED",
        "CONFIRMED,   0, end,      ENDING",
        "CONFIRMED,   0, idle,     ENDING",
        "CONFIRMED,   0, flood,    refused",
        "CONFIRMED,   1, begin,    CONFIRMED",
        "CONFIRMED,   1, join,     CONFIRMED",
        "CONFIRMED,   1, end,      ENDING",
        "CONFIRMED,   1, idle,     refused",
        "CONFIRMED,   1, flood,    refused",
        "STORING,     0, begin,    refused",
        "STORING,     0, join,     refused",
        "STORING,     0, end,      ENDING",
        "STORING,     0, idle,     ENDING",
        "STORING,     0, flood,    refused",
        "STORED,      0, begin,    refused",
        "STORED,      0, join,     refused",
        "STORED,      0, end,      refused",
        "STORED,      0, idle,     refused",
        "STORED,      0, flood,    refused",
        "UNCONFIRMED, 0, store,    refused",
        "UNCONFIRMED, 0, storeAny, STORING",
        "CONFIRMED,   0, store,    STORING",
        "CONFIRMED,   1, store,    refused",
        "CONFIRMED,   1, storeAny, refused",
        "STORING,     0, store,    refused",
        "STORED,      0, store,    refused",
        "ENDING,      0, store,    refused",
        "ENDED,       0, store,    refused",
        "ENDING,      0, begin,    refused",
        "ENDING,      0, join,     refused",
        "ENDING,      0, end,      refused",
        "ENDING,      0, idle,     refused",
        "ENDING,      0, flood,    refused",
        "ENDING,      1, begin,    refused",
        "ENDING,      1, end,      refused",
        "ENDED,       0, begin,    refused",
        "ENDED,       0, join,     refused",
        "ENDED,       0, end,      refused",
        "ENDED,       0, idle,     refused",
        "ENDED,       0, flood,    refused",
        "ENDED,       1, begin,    refused",
        "ENDED,       1, end,      refused",
    })
    void movesAsInThePicture(State from, int uses, String call, String expected) {
        Session session = session(from, uses);
        boolean moved =
                switch (call) {
                    case "begin" -> session.begin(/* joins */ false) == from;
                    case "join" -> session.begin(/* joins */ true) == from;
                    case "end" -> session.beginEnd();
                    case "idle" -> session.beginEndIfIdle(2 * SECOND);
                    case "store" -> session.beginStoring(/* unconfirmedToo */ false) == from;
                    case "storeAny" -> session.beginStoring(/* unconfirmedToo */ true) == from;
                    case "flood" -> session.beginEndIfUnconfirmed();
                    default -> throw new AssertionError(call);
                };
        boolean refused = expected.equals("refused");
        assertThat(moved).isEqualTo(!refused);
        assertThat(session.state()).isEqualTo(refused ? from : State.valueOf(expected));
    }

    @ParameterizedTest
    @CsvSource({
        "UNCONFIRMED, 1, true",
        "CONFIRMED, 1, true",
        "CONFIRMED, 2, false",
        "ENDING, 1, false",
        "ENDED, 1, false",
    })
    void releaseTellsTheLastUseOfALiveSession(State state, int uses, boolean last) {
        Session session = session(state, uses);
        assertThat(session.release(0)).isEqualTo(last);
        assertThat(session.state()).isEqualTo(state);
    }

    @Test
    void countsManyUses() {
        Session session = session(State.CONFIRMED, 0);
        for (int i = 0; i < 100_000; i++) {
            assertThat(session.begin(/* joins */ true)).isEqualTo(State.CONFIRMED);
        }
        for (int i = 1; i < 100_000; i++) {
            assertThat(session.release(0)).isFalse();
        }
        assertThat(session.beginEndIfIdle(2 * SECOND)).isFalse();
        assertThat(session.release(0)).isTrue();
        assertThat(session.beginEndIfIdle(2 * SECOND)).isTrue();
    }

    @Test
    void idleForExactlyItsTimeoutIsNotTooLong() {
        Session session = session(State.CONFIRMED, 0);
        assertThat(session.beginEndIfIdle(SECOND)).isFalse();
        assertThat(session.beginEndIfIdle(SECOND + 1)).isTrue();
    }

    @Test
    void useSinceTheDecisionPreventsTheEnd() {
        Session session = session(State.CONFIRMED, 0);
        long seen = session.word();
        session.begin(/* joins */ true);
        session.release(0);
        assertThat(session.beginEndUnlessUsedSince(seen)).isFalse();
        assertThat(session.beginEndUnlessUsedSince(session.word())).isTrue();
    }

    @Test
    void keepsItsIdIfTheNewOneIsTaken() {
        Session session = session(State.CONFIRMED, 0);
        store.add("taken", session(State.CONFIRMED, 0));
        assertThat(session.changeId("taken", store)).isNull();
        assertThat(session.id()).isEqualTo("id");
        assertThat(session.changeId("free", store)).isEqualTo("id");
        assertThat(store.get("free")).isSameAs(session);
    }

    @Test
    void attributesEndWithTheSession() {
        Session session = session(State.ENDING, 0);
        assertThat(session.put("a", 1)).isNull();
        assertThat(session.put("a", 2)).isEqualTo(1);
        assertThat(session.end()).containsOnlyKeys("a");
        assertThat(session.attribute("a")).isNull();
        assertThat(session.attributeNames()).isEmpty();
        assertThatIllegalStateException().isThrownBy(() -> session.put("a", 3));
        assertThatIllegalStateException().isThrownBy(() -> session.remove("a"));
    }

    /// Returns a session with a timeout of 1 s that was accessed at 0.
    private static Session session(State state, int uses) {
        Session session = new Session(SESSIONS, "id", 1, 0, 0);
        session.release(0);
        for (int i = 0; i < uses; i++) {
            session.begin(/* joins */ false);
        }
        switch (state) {
            case UNCONFIRMED -> {}
            case CONFIRMED -> {
                session.begin(/* joins */ true);
                session.release(0);
            }
            case STORING -> {
                session.begin(/* joins */ true);
                session.release(0);
                session.beginStoring(/* unconfirmedToo */ false);
            }
            case STORED -> {
                session.beginStoring(/* unconfirmedToo */ true);
                session.endStoring(State.STORED, session.changes(), State.UNCONFIRMED);
            }
            case MOVED -> {
                @Nullable State before = session.beginCopying();
                session.endCopying(true, "id", Objects.requireNonNull(before));
            }
            case ENDING -> session.beginEnd();
            case ENDED -> {
                session.beginEnd();
                session.end();
            }
        }
        return session;
    }
}
