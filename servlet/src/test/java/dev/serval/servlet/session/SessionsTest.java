package dev.serval.servlet.session;

import static dev.serval.servlet.session.SessionFixture.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Creation, confirmation, expiry, the flood rule and the limit, on a clock that the test sets.
final class SessionsTest {
    private static final int TIMEOUT_SECONDS = SessionFixture.TIMEOUT_MINUTES * 60;

    private final SessionFixture fixture = new SessionFixture();
    private final Sessions sessions = fixture.sessions;

    @Test
    void sessionIsNewUntilAClientReturnsItsId() { // §7.2
        SessionFacade first = sessions.create();
        assertThat(first.isNew()).isTrue();
        first.release();
        SessionFacade dispatched = fixture.find(first.getId());
        assertThat(dispatched.isNew()).isTrue();
        dispatched.release();
        SessionFacade second = fixture.join(first.getId());
        assertThat(second.isNew()).isFalse();
        assertThat(first.isNew()).isFalse();
    }

    @Test
    void loadedServerKeepsAFloodOfUnknownClientsForTenSeconds() {
        for (int i = 0; i < 10_000; i++) {
            sessions.create().release();
        }
        int _ = fixture.passWithTicks(9);
        assertThat(sessions.counters().active()).isEqualTo(10_000);
        int _ = fixture.passWithTicks(3);
        assertThat(sessions.counters().active()).isEqualTo(10_000);
        fixture.loaded = true;
        int _ = fixture.passWithTicks(1);
        assertThat(sessions.counters().active()).isZero();
    }

    @Test
    void loadedServerKeepsACrowdOfUnknownClientsForAMinute() {
        for (int i = 0; i < 9_999; i++) {
            sessions.create().release();
        }
        fixture.loaded = true;
        int _ = fixture.passWithTicks(59);
        assertThat(sessions.counters().active()).isEqualTo(9_999);
        int _ = fixture.passWithTicks(3);
        assertThat(sessions.counters().active()).isEqualTo(1_000);
    }

    @Test
    void fewNewClientsHaveTheWholeTimeoutToReadTheirFirstPage() {
        for (int i = 0; i < 999; i++) {
            sessions.create().release();
        }
        fixture.loaded = true;
        int _ = fixture.passWithTicks(TIMEOUT_SECONDS - 1);
        assertThat(sessions.counters().active()).isEqualTo(999);
        int _ = fixture.passWithTicks(3);
        assertThat(sessions.counters().active()).isZero();
        assertThat(sessions.counters().ended(SessionEnd.EXPIRED)).isEqualTo(999);
    }

    @Test
    void newestThousandUnknownClientsOutliveTheOthers() {
        String first = fixture.createIdle();
        for (int i = 0; i < 4_000; i++) {
            fixture.pass(1);
            fixture.createIdle();
        }
        fixture.pass(1);
        String last = fixture.createIdle();
        fixture.pass(60 * SECOND);
        fixture.tick();
        assertThat(sessions.counters().active()).isEqualTo(1_000);
        assertThat(fixture.isAlive(first)).isFalse();
        assertThat(fixture.isAlive(last)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "short", "abcdefghijklmnopqrstuv", "../../../../etc/passwd"})
    void unknownIdHasNoSession(String id) {
        assertThat(sessions.join(id)).isNull();
        assertThat(sessions.counters().active()).isZero();
    }

    @Test
    void lastAccessedTimeIsTheStartOfTheRequestBefore() { // §7.6
        SessionFacade first = sessions.create();
        long created = fixture.nowMillis();
        assertThat(first.getCreationTime()).isEqualTo(created);
        assertThat(first.getLastAccessedTime()).isEqualTo(created);
        fixture.pass(2 * SECOND); // the request takes 2 s
        first.release();
        fixture.pass(3 * SECOND);
        SessionFacade second = fixture.join(first.getId());
        assertThat(second.getLastAccessedTime()).isEqualTo(created);
        fixture.pass(SECOND);
        second.setAttribute("a", "b");
        assertThat(second.getLastAccessedTime()).isEqualTo(created);
        SessionFacade third = fixture.join(first.getId());
        assertThat(third.getLastAccessedTime()).isEqualTo(created + 5_000);
        assertThat(third.getCreationTime()).isEqualTo(created);
    }

    /// Idle for exactly the timeout, a session lives; a nanosecond later it does not.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 10, 59, 61, 1800, 86_400, Integer.MAX_VALUE})
    void expiresAfterTheTimeoutWithoutTick(int seconds) {
        String id = fixture.createConfirmed();
        setTimeout(id, seconds);
        fixture.pass(seconds * SECOND);
        assertThat(fixture.isAlive(id)).isTrue();
        fixture.pass(seconds * SECOND + 1);
        assertThat(sessions.join(id)).isNull();
        assertThat(sessions.counters().ended(SessionEnd.EXPIRED)).isEqualTo(1);
        assertThat(sessions.counters().active()).isZero();
        assertThat(fixture.takeEvents()).containsExactly("created", "destroyed");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 10, 59, 61, 500, 550, 1800, 3600})
    void tickEndsWhatExpiredWithinASlot(int seconds) {
        String id = fixture.createConfirmed();
        setTimeout(id, seconds);
        fixture.passWithTicks(seconds);
        assertThat(sessions.counters().active()).isEqualTo(1);
        fixture.passWithTicks(3);
        assertThat(sessions.counters().active()).isZero();
        assertThat(sessions.counters().ended(SessionEnd.EXPIRED)).isEqualTo(1);
        assertThat(fixture.store.get(id)).isNull();
    }

    @Test
    void tickAfterAPauseOfHoursEndsAll() {
        for (int i = 0; i < 100; i++) {
            setTimeout(fixture.createConfirmed(), 1 + 30 * i);
        }
        fixture.pass(SECOND * 3600);
        fixture.tick();
        assertThat(sessions.counters().active()).isZero();
        assertThat(sessions.counters().ended(SessionEnd.EXPIRED)).isEqualTo(100);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void neverExpiresWithTimeoutOfZeroOrLess(int seconds) { // §7.5
        String id = fixture.createConfirmed();
        setTimeout(id, seconds);
        fixture.pass(SECOND * 86_400 * 365);
        fixture.tick();
        assertThat(fixture.isAlive(id)).isTrue();
        setTimeout(id, 5);
        fixture.passWithTicks(8);
        assertThat(sessions.counters().active()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"30, 1800", "0, 0", "-1, 0", "2147483647, 2147483640"})
    void timeoutOfTheApplicationIsInMinutes(int minutes, int seconds) {
        SessionFixture other = new SessionFixture(SessionLimits.STANDARD, minutes, null);
        assertThat(other.sessions.create().getMaxInactiveInterval()).isEqualTo(seconds);
    }

    @Test
    void requestForAFileCannotConfirmASession() {
        assertThat(sessions.touch(List.of(fixture.createIdle()))).as("confirmed").isFalse();
        sessions.close();
    }

    @Test
    void requestForAFileIsAnAccess() {
        String id = fixture.createConfirmed();
        for (int i = 0; i < 3; i++) {
            fixture.passWithTicks(TIMEOUT_SECONDS - 1);
            assertThat(sessions.touch(List.of(id))).isTrue();
        }
        long touched = fixture.nowMillis();
        SessionFacade next = fixture.join(id);
        assertThat(next.isNew()).isFalse();
        assertThat(next.getLastAccessedTime()).isEqualTo(touched);
        next.release();
        fixture.pass((TIMEOUT_SECONDS + 1) * SECOND);
        assertThat(sessions.touch(List.of(id))).as("too late").isTrue();
        fixture.tick();
        assertThat(sessions.counters().active()).isZero();
        assertThat(sessions.touch(List.of(id))).isTrue();
        assertThat(sessions.touch(List.of("no id"))).isTrue();
    }

    @Test
    void requestForAFileIsAnAccessToTheFirstSessionThatExists() {
        String ended = fixture.createConfirmed();
        SessionFacade ends = fixture.join(ended);
        ends.invalidate();
        ends.release();
        String first = fixture.createConfirmed();
        String second = fixture.createConfirmed();
        fixture.passWithTicks(TIMEOUT_SECONDS - 1);
        assertThat(sessions.touch(List.of("no id", ended, first, second))).isTrue();
        fixture.passWithTicks(2);
        assertThat(sessions.counters().active()).isEqualTo(1);
        assertThat(fixture.isAlive(first)).isTrue();
    }

    @Test
    void eachAccessStartsTheTimeoutAgain() {
        String id = fixture.createConfirmed();
        for (int i = 0; i < 5; i++) {
            fixture.passWithTicks(TIMEOUT_SECONDS - 1);
            fixture.touch(id);
        }
        fixture.passWithTicks(TIMEOUT_SECONDS + 2);
        assertThat(sessions.counters().active()).isZero();
    }

    @Test
    void sessionInUseDoesNotExpire() {
        String id = fixture.createConfirmed();
        SessionFacade one = fixture.join(id);
        SessionFacade two = fixture.join(id); // an asynchronous request, say
        one.release();
        fixture.passWithTicks(3 * TIMEOUT_SECONDS);
        assertThat(two.isValid()).isTrue();
        two.release();
        fixture.passWithTicks(TIMEOUT_SECONDS); // the timeout starts at the end of the use
        assertThat(sessions.counters().active()).isEqualTo(1);
        fixture.passWithTicks(3);
        assertThat(sessions.counters().active()).isZero();
    }

    @Test
    void unconfirmedSessionEndsWhateverItsTimeout() {
        SessionFixture strict = keepsNone();
        SessionFacade session = strict.sessions.create();
        session.setMaxInactiveInterval(-1);
        session.release();
        String confirmed = strict.createConfirmed();
        strict.pass(60 * SECOND);
        strict.tick();
        assertThat(strict.isAlive(session.getId())).isTrue();
        strict.pass(1);
        strict.tick();
        assertThat(strict.isAlive(session.getId())).isFalse();
        assertThat(strict.isAlive(confirmed)).isTrue();
        assertThat(strict.sessions.counters().ended(SessionEnd.UNCONFIRMED)).isEqualTo(1);
        assertThat(strict.sessions.counters().endedByFloodRule()).isEqualTo(1);
    }

    private static SessionFixture keepsNone() {
        return new SessionFixture(SessionFixture.KEEPS_NONE);
    }

    @Test
    void sixtyPercentOfTheLimitShortenTheTime() {
        SessionFixture small =
                new SessionFixture(new SessionLimits(10, 10, 10, 0, 60 * SECOND, 10 * SECOND));
        for (int i = 0; i < 4; i++) {
            small.createConfirmed();
        }
        String unconfirmed = small.createIdle();
        small.passWithTicks(11);
        assertThat(small.isAlive(unconfirmed)).as("5 of 10 exist").isTrue();
        String confirmed = small.createConfirmed();
        small.tick();
        assertThat(small.isAlive(unconfirmed)).as("6 of 10 exist").isFalse();
        assertThat(small.isAlive(confirmed)).isTrue();
        assertThat(small.sessions.counters().ended(SessionEnd.UNCONFIRMED)).isEqualTo(1);
    }

    @Test
    void shortHeapShortensTheTime() {
        for (int i = 0; i < 200; i++) {
            fixture.createIdle();
        }
        fixture.passWithTicks(11);
        assertThat(sessions.counters().active()).isEqualTo(200);
        fixture.heap = new HeapGauge.Reading(80, 100);
        fixture.passWithTicks(1);
        assertThat(sessions.counters().active()).isZero();
    }

    @Test
    void shortHeapEvictsTheOldestUnconfirmedAndNoOther() {
        List<String> friends = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            friends.add(fixture.createConfirmed());
        }
        List<String> flood = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            fixture.pass(1);
            flood.add(fixture.createIdle());
        }
        fixture.heap = new HeapGauge.Reading(80, 100);
        fixture.pass(SECOND);
        for (int i = 0; i < 400; i++) {
            fixture.pass(1);
            flood.add(fixture.createIdle());
        }
        assertThat(sessions.counters().active()).isEqualTo(500 + 750); // three quarters
        assertThat(friends).allMatch(fixture::isAlive);
        assertThat(flood.subList(0, 650)).noneMatch(fixture::isAlive);
        assertThat(flood.subList(650, 1_400)).allMatch(fixture::isAlive);
        assertThat(sessions.counters().refused()).isZero();
    }

    @Test
    void unconfirmedSessionInUseDoesNotEnd() {
        SessionFixture strict = keepsNone();
        SessionFacade session = strict.sessions.create();
        strict.passWithTicks(200);
        assertThat(session.isValid()).isTrue();
        session.release();
        strict.passWithTicks(62); // the same time again, at most
        assertThat(session.isValid()).isFalse();
    }

    /// What a tick costs depends on what is due, not on how many sessions there are.
    @Test
    void tickExaminesOnlyWhatIsDue() {
        for (int i = 0; i < 10_000; i++) {
            fixture.createConfirmed();
        }
        assertThat(fixture.passWithTicks(540)).isZero(); // one round of the wheel is 549 s
        int examined = fixture.passWithTicks(TIMEOUT_SECONDS - 540);
        assertThat(examined).isEqualTo(30_000); // once for each round
        examined = fixture.passWithTicks(3);
        assertThat(examined).isEqualTo(10_000);
        assertThat(sessions.counters().active()).isZero();
    }

    @Test
    void sessionThatEndedIsNotExamined() {
        for (int i = 0; i < 1_000; i++) {
            SessionFacade session = sessions.create();
            session.invalidate();
            session.release();
        }
        assertThat(fixture.passWithTicks(TIMEOUT_SECONDS + 2)).isZero();
    }

    @Test
    void limitEvictsTheOldestUnconfirmed() {
        SessionFixture small = new SessionFixture(new SessionLimits(3, 3, 3, 0, SECOND, SECOND));
        String confirmed = small.createConfirmed();
        small.pass(1);
        String older = small.createIdle();
        small.pass(1);
        String newer = small.createIdle();
        small.pass(1);
        assertThat(small.sessions.counters().ended(SessionEnd.EVICTED)).isZero(); // at the limit
        String newest = small.createIdle(); // one past it
        assertThat(small.isAlive(confirmed)).isTrue();
        assertThat(small.isAlive(older)).isFalse();
        assertThat(small.isAlive(newer)).isTrue();
        assertThat(small.isAlive(newest)).isTrue();
        assertThat(small.sessions.counters().ended(SessionEnd.EVICTED)).isEqualTo(1);
        assertThat(small.sessions.counters().active()).isEqualTo(3);
    }

    @Test
    void limitEvictsTheNextOneIfTheOldestIsInUse() {
        SessionFixture small = new SessionFixture(new SessionLimits(3, 3, 3, 0, SECOND, SECOND));
        SessionFacade inUse = small.sessions.create();
        small.pass(1);
        SessionFacade alsoInUse = small.sessions.create();
        small.pass(1);
        String idle = small.createIdle();
        small.pass(1);
        String newest = small.createIdle();
        assertThat(inUse.isValid()).isTrue();
        assertThat(alsoInUse.isValid()).isTrue();
        assertThat(small.isAlive(idle)).isFalse();
        assertThat(small.isAlive(newest)).isTrue();
        assertThat(small.sessions.counters().ended(SessionEnd.EVICTED)).isEqualTo(1);
        assertThat(small.sessions.counters().refused()).isZero();
    }

    @Test
    void limitRefusesIfAllSessionsAreConfirmedOrInUse() {
        SessionFixture small = new SessionFixture(new SessionLimits(2, 2, 2, 0, SECOND, SECOND));
        String confirmed = small.createConfirmed();
        SessionFacade inUse = small.sessions.create();
        for (int i = 1; i <= 3; i++) {
            assertThatIllegalStateException()
                    .isThrownBy(small.sessions::create)
                    .withMessageContaining("2 sessions");
            assertThat(small.sessions.counters().refused()).isEqualTo(i);
        }
        assertThat(small.isAlive(confirmed)).isTrue();
        assertThat(inUse.isValid()).isTrue();
        inUse.release();
        assertThat(small.sessions.create().isValid()).isTrue();
        assertThat(inUse.isValid()).isFalse();
    }

    @Test
    void sessionMayBeCreatedAfterOneEnded() {
        SessionFixture small = new SessionFixture(new SessionLimits(1, 1, 1, 0, SECOND, SECOND));
        String first = small.createConfirmed();
        assertThatIllegalStateException().isThrownBy(small.sessions::create);
        SessionFacade session = small.join(first);
        session.invalidate();
        assertThat(small.createIdle()).isNotEqualTo(first);
    }

    @Test
    void floodOf200000CreationsStaysWithinTheLimit() {
        String friend = fixture.createConfirmed();
        int most = 0;
        for (int i = 0; i < 200_000; i++) {
            fixture.createIdle();
            most = Math.max(most, sessions.counters().active());
            fixture.events.clear();
        }
        assertThat(most).isEqualTo(100_000);
        assertThat(sessions.counters().created()).isEqualTo(200_001);
        assertThat(sessions.counters().ended(SessionEnd.EVICTED)).isEqualTo(100_001);
        assertThat(fixture.isAlive(friend)).isTrue();
        fixture.pass(61 * SECOND);
        fixture.tick();
        assertThat(sessions.counters().active()).isEqualTo(1);
    }

    @Test
    void changedIdReplacesTheOld() {
        SessionFacade session = sessions.create();
        session.setAttribute("user", "ann");
        String before = session.getId();
        fixture.takeEvents();
        String after = session.changeId();
        assertThat(after).isNotEqualTo(before).isEqualTo(session.getId());
        assertThat(fixture.takeEvents())
                .containsExactly("id changed from " + before + " to " + after);
        assertThat(sessions.join(before)).isNull();
        SessionFacade found = fixture.join(after);
        assertThat(found).isEqualTo(session);
        assertThat(session.getAttribute("user")).isEqualTo("ann");
        session.invalidate();
        assertThat(fixture.store.get(after)).isNull();
        assertThatIllegalStateException().isThrownBy(session::changeId);
    }

    @Test
    void sessionOfAnotherApplicationSharesItsId() { // §7.3
        SessionFixture other = new SessionFixture();
        SessionFacade origin = sessions.create();
        SessionFacade shared = other.sessions.createShared(origin.getId());
        assertThat(shared.getId()).isEqualTo(origin.getId());
        assertThat(shared.isNew()).isTrue();
        shared.setAttribute("a", 1);
        assertThat(origin.getAttribute("a")).isNull();
        assertThat(other.sessions.createShared(origin.getId())).isEqualTo(shared);
        assertThat(other.sessions.counters().active()).isEqualTo(1);
    }

    @Test
    void closeEndsAllSessions() {
        List<SessionFacade> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            all.add(sessions.create());
        }
        fixture.createConfirmed();
        fixture.takeEvents();
        sessions.close();
        assertThat(all).noneMatch(SessionFacade::isValid);
        assertThat(sessions.counters().ended(SessionEnd.STOPPED)).isEqualTo(21);
        assertThat(sessions.counters().active()).isZero();
        assertThat(fixture.takeEvents()).hasSize(21).containsOnly("destroyed");
        assertThatIllegalStateException()
                .isThrownBy(sessions::create)
                .withMessageContaining("stopped");
    }

    @Test
    void sessionWhoseIdChangesWhileItIsFoundIsNotJoined() { // §7.2; session fixation
        SessionFacade session = sessions.create();
        String old = session.getId();
        fixture.afterGet = session::changeId;
        assertThat(sessions.join(old)).isNull();
        assertThat(session.isValid()).isTrue();
        session.release();
        session.setMaxInactiveInterval(1);
        fixture.passWithTicks(3); // nothing holds it
        assertThat(session.isValid()).isFalse();
    }

    @Test
    void sessionThatEndsWhileItIsFoundIsNotJoined() {
        SessionFacade session = sessions.create();
        fixture.afterGet = session::invalidate;
        assertThat(sessions.join(session.getId())).isNull();
    }

    @Test
    void sessionCreatedWhileTheApplicationStopsEnds() {
        fixture.beforeAdd = sessions::close;
        SessionFacade session = sessions.create();
        assertThat(session.isValid()).isFalse();
        assertThat(sessions.counters().active()).isZero();
        assertThat(fixture.takeEvents()).containsExactly("created", "destroyed");
    }

    @Test
    void storeLearnsOfTheLastRelease() {
        SessionFacade one = sessions.create();
        SessionFacade two = fixture.join(one.getId());
        one.release();
        assertThat(fixture.released).hasValue(0);
        two.release();
        assertThat(fixture.released).hasValue(1);
        SessionFacade three = fixture.join(one.getId());
        three.invalidate();
        three.release();
        assertThat(fixture.released).hasValue(1);
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 1, 1", "1, -1, 1, 1", "1, 0, 0, 1", "1, 0, 1, 0", "-1, 0, 1, 1"})
    void limitsArePositive(int most, int kept, long unconfirmedNanos, long pressedNanos) {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        new SessionLimits(most, most, most, kept, unconfirmedNanos, pressedNanos))
                .withMessageContaining("must be positive");
    }

    private void setTimeout(String id, int seconds) {
        SessionFacade session = fixture.find(id);
        session.setMaxInactiveInterval(seconds);
        session.release();
    }
}
