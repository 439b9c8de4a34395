package dev.serval.servlet.kept;

import static dev.serval.servlet.session.SessionFixture.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.servlet.session.SessionCounters;
import dev.serval.servlet.session.SessionFacade;
import dev.serval.servlet.session.SessionFixture;
import dev.serval.servlet.session.SessionLimits;
import dev.serval.servlet.session.SessionUnavailableException;
import dev.serval.servlet.vault.JdbcVault;
import dev.serval.servlet.vault.VaultLimits;
import dev.serval.testkit.Await;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Sessions of two servers in one database, while a long request of one server holds a session.
final class HeldSessionsTest {
    private static final SessionLimits LIMITS =
            new SessionLimits(1_000, 100, 10, 0, 60 * SECOND, 10 * SECOND);

    private final JdbcDataSource source = new JdbcDataSource();
    private HookedVault vault; // of two
    private SessionFixture one;
    private SessionFixture two;

    @BeforeEach
    void start() throws IOException, SQLException {
        source.setURL("jdbc:h2:mem:held;DB_CLOSE_DELAY=-1");
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("drop table if exists serval_session");
        }
        vault = new HookedVault(JdbcVault.open(source, "/shop", VaultLimits.STANDARD));
        one =
                SessionFixture.over(
                        JdbcVault.open(source, "/shop", VaultLimits.STANDARD), LIMITS, true, true);
        two = SessionFixture.over(vault, LIMITS, true, true);
    }

    private static @Nullable Object request(
            SessionFixture server, String id, @Nullable Object next) {
        return server.request(id, "v", next);
    }

    @Test
    void sessionThatHasEndedOnAnotherServerIsOverForTheNextRequest() {
        String id = one.createWith("v", "a");
        SessionFacade held = two.join(id);
        one.find(id).invalidate();
        assertThat(two.sessions.join(id)).isNull();
        assertThat(held.getAttribute("v")).as("for the request that holds it").isEqualTo("a");
        held.save();
        held.release();
        assertThat(one.sessions.join(id)).isNull();
        assertThat(two.sessions.counters().active()).isZero();
        assertThat(two.logged).isEmpty();
    }

    @Test
    void formerIdOfASessionIsUnknownOnTheOtherServer() {
        String id = one.createWith("v", "a");
        SessionFacade held = two.join(id);
        SessionFacade session = one.join(id);
        String next = session.changeId();
        session.save();
        session.release();
        assertThat(two.sessions.join(id)).isNull();
        assertThat(request(two, next, null)).isEqualTo("a");
        held.release();
    }

    @Test
    void nextRequestSeesWhatAnotherServerHasChanged() {
        String id = one.createWith("v", "a");
        SessionFacade held = two.join(id);
        request(one, id, "b");
        assertThat(request(two, id, "c")).isEqualTo("b");
        assertThat(request(one, id, null)).isEqualTo("c");
        assertThat(held.getAttribute("v")).isEqualTo("a");
        held.save();
        held.release();
        assertThat(request(two, id, null)).isEqualTo("c");
        assertThat(two.sessions.figures().inMemory()).isEqualTo(1);
        assertThat(two.sessions.counters().active()).isEqualTo(1);
        assertThat(two.logged).isEmpty();
    }

    @Test
    void lateChangesOfTheLongRequestAreRefused() {
        String id = one.createWith("v", "a");
        SessionFacade held = two.join(id);
        request(one, id, "b");
        request(two, id, null);
        held.setAttribute("v", "late");
        assertThatThrownBy(held::save).isInstanceOf(SessionUnavailableException.class);
        held.release();
        assertThat(two.sessions.counters().lost(SessionCounters.Loss.CONFLICT)).isEqualTo(1);
        assertThat(request(one, id, null)).isEqualTo("b");
        assertThat(two.logged).isEmpty();
    }

    @Test
    void lateChangesAreReportedIfTheClientOfTheLongRequestHasGone() {
        String id = one.createWith("v", "a");
        SessionFacade held = two.join(id);
        request(one, id, "b");
        request(two, id, null);
        held.setAttribute("v", "late");
        held.release();
        assertThat(two.logged).hasSize(1);
        assertThat(two.logged.getFirst()).contains("The last changes of a session were not stored");
        assertThat(request(two, id, null)).isEqualTo("b");
    }

    @Test
    void attributeOfTheLongRequestThatCannotBeStoredRemovesNothing() {
        String id = one.createWith("v", "a");
        SessionFacade held = two.join(id);
        request(one, id, "b");
        request(two, id, null);
        held.setAttribute("v", new ArrayList<>(List.of(new Object())));
        held.save();
        held.release();
        assertThat(request(one, id, null)).isEqualTo("b");
    }

    @Test
    void longRequestEndsTheSessionEverywhere() {
        String id = one.createWith("v", "a");
        SessionFacade held = two.join(id);
        request(one, id, "b");
        request(two, id, null);
        held.invalidate();
        held.release();
        assertThat(two.sessions.join(id)).isNull();
        assertThat(one.sessions.join(id)).isNull();
    }

    @Test
    void sessionThatALongRequestHoldsDoesNotEndAfterAChangeOnAnotherServer() {
        String id = one.createWith("v", "a");
        SessionFacade held = two.join(id);
        request(one, id, "b");
        request(two, id, null);
        for (int i = 0; i < 32 * 60; i++) {
            one.passWithTicks(1);
            two.passWithTicks(1);
        }
        assertThat(request(two, id, null)).isEqualTo("b");
        held.release();
        for (int i = 0; i < 32 * 60; i++) {
            one.passWithTicks(1);
            two.passWithTicks(1);
        }
        assertThat(two.sessions.join(id)).isNull();
    }

    @Test
    void sessionOfALongRequestIsForgottenAfterItsEnd() {
        WeakReference<SessionFacade> held = heldDuringAChange();
        two.passWithTicks(10);
        Await.until(
                "the session is collected",
                () -> {
                    System.gc();
                    return held.get() == null;
                });
    }

    private WeakReference<SessionFacade> heldDuringAChange() {
        String id = one.createWith("v", "a");
        SessionFacade held = two.join(id);
        request(one, id, "b");
        request(two, id, null);
        held.release();
        return new WeakReference<>(held);
    }

    @Test
    void sessionThatALongRequestHoldsIsNotIdle() {
        String id = one.createWith("v", "a");
        SessionFacade held = two.join(id);
        two.pass(31 * 60 * SECOND);
        assertThat(two.join(id)).isSameAs(held);
        held.release();
        held.release();
    }

    @Test
    void changeByAnotherRequestOfTheSameServerReplacesNothing() {
        String id = one.createWith("v", "a");
        SessionFacade held = two.join(id);
        vault.beforeVersion =
                () -> {
                    held.setAttribute("v", "b");
                    held.save();
                };
        assertThat(two.join(id)).isSameAs(held);
        held.release();
        held.release();
        assertThat(request(one, id, null)).isEqualTo("b");
    }

    @Test
    void newIdByAnotherRequestOfTheSameServerReplacesNothing() {
        String id = one.createWith("v", "a");
        SessionFacade held = two.join(id);
        vault.beforeVersion =
                () -> {
                    String _ = held.changeId();
                    held.save();
                };
        assertThat(two.sessions.join(id)).isNull();
        held.setAttribute("v", "b");
        held.save();
        held.release();
        assertThat(request(one, held.getId(), null)).isEqualTo("b");
    }

    @Test
    void sessionThatAnotherServerHasChangedIsStoredUnderANewId() {
        String id = one.createWith("v", "a");
        SessionFacade held = two.join(id);
        request(one, id, "b");
        held.setAttribute("v", "c");
        assertThatThrownBy(held::save).isInstanceOf(SessionUnavailableException.class);
        String next = held.changeId();
        held.save();
        held.release();
        assertThat(request(one, next, null)).isEqualTo("c");
    }

    @Test
    void eachRequestReadsOneVersion() {
        String id = one.createWith("v", "a");
        request(two, id, null);
        vault.versions = 0;
        request(two, id, null);
        assertThat(vault.versions).isEqualTo(1);
        SessionFacade held = two.join(id);
        request(two, id, null);
        assertThat(vault.versions).isEqualTo(3);
        held.release();
    }
}
