package dev.serval.servlet.kept;

import static dev.serval.servlet.session.SessionFixture.SECOND;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.servlet.session.SessionCounters;
import dev.serval.servlet.session.SessionFacade;
import dev.serval.servlet.session.SessionFixture;
import dev.serval.servlet.session.SessionLimits;
import dev.serval.servlet.session.SessionUnavailableException;
import dev.serval.servlet.vault.DamagedSessionException;
import dev.serval.servlet.vault.JdbcVault;
import dev.serval.servlet.vault.SessionKey;
import dev.serval.servlet.vault.StoredSession;
import dev.serval.servlet.vault.VaultLimits;
import dev.serval.testkit.database.PostgresServer;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

/// Sessions in a database, of one server and of two that share it.
final class JdbcSessionsTest {
    private static final SessionLimits LIMITS =
            new SessionLimits(1_000, 100, 10, 0, 60 * SECOND, 10 * SECOND);

    private static final Set<String> STEPS = Set.of("commit", "rollback", "close");

    private static @Nullable PostgresServer postgres;

    private boolean down;

    enum Database {
        H2,
        POSTGRESQL
    }

    @AfterAll
    static void stop() throws Exception {
        if (postgres != null) {
            postgres.close();
            postgres = null;
        }
    }

    @BeforeEach
    void up() {
        down = false;
    }

    private DataSource source(Database database) throws Exception {
        DataSource real =
                switch (database) {
                    case H2 -> {
                        JdbcDataSource h2 = new JdbcDataSource();
                        h2.setURL("jdbc:h2:mem:sessions;DB_CLOSE_DELAY=-1");
                        yield h2;
                    }
                    case POSTGRESQL -> {
                        if (postgres == null) {
                            assumeThat(PostgresServer.isInstalled())
                                    .as(PostgresServer.NEEDED)
                                    .isTrue();
                            postgres = PostgresServer.start();
                        }
                        PGSimpleDataSource source = new PGSimpleDataSource();
                        source.setUrl(postgres.url());
                        yield source;
                    }
                };
        try (Connection connection = real.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("drop table if exists serval_session");
        }
        return switched(real);
    }

    /// Returns a database that can be down.
    private DataSource switched(DataSource real) {
        return (DataSource)
                Proxy.newProxyInstance(
                        JdbcSessionsTest.class.getClassLoader(),
                        new Class<?>[] {DataSource.class},
                        (_, method, _) -> {
                            if (!method.getName().equals("getConnection")) {
                                throw new UnsupportedOperationException(method.getName());
                            }
                            if (down) {
                                throw new SQLException("down for the test");
                            }
                            return real.getConnection();
                        });
    }

    private static SessionFixture server(DataSource source) throws IOException {
        return SessionFixture.over(
                JdbcVault.open(source, "/shop", VaultLimits.STANDARD), LIMITS, true, true);
    }

    private static String create(SessionFixture server, Object value) {
        SessionFacade created = server.sessions.create();
        created.setAttribute("v", value);
        created.save();
        created.release();
        return created.getId();
    }

    private static @Nullable Object request(
            SessionFixture server, String id, @Nullable Object next) {
        return server.request(id, "v", next);
    }

    @ParameterizedTest
    @EnumSource
    void sessionMovesBetweenServers(Database database) throws Exception {
        DataSource source = source(database);
        SessionFixture one = server(source);
        SessionFixture two = server(source);
        String id = create(one, "a");
        assertThat(request(two, id, "b")).isEqualTo("a");
        assertThat(request(one, id, "c")).isEqualTo("b");
        assertThat(request(one, id, null)).isEqualTo("c");
        assertThat(request(two, id, null)).isEqualTo("c");
    }

    @ParameterizedTest
    @EnumSource
    void sessionsSurviveAStop(Database database) throws Exception {
        DataSource source = source(database);
        SessionFixture one = server(source);
        String id = create(one, "a");
        one.sessions.close();
        SessionFixture two = server(source);
        assertThat(request(two, id, null)).isEqualTo("a");
        assertThat(two.takeEvents()).doesNotContain("created");
    }

    @ParameterizedTest
    @EnumSource
    void requestThatWouldOverwriteAnotherServersChangeFails(Database database) throws Exception {
        DataSource source = source(database);
        SessionFixture one = server(source);
        SessionFixture two = server(source);
        String id = create(one, "a");
        SessionFacade early = one.join(id);
        early.setAttribute("v", "of one");
        request(two, id, "of two");
        assertThatThrownBy(early::save)
                .isInstanceOf(SessionUnavailableException.class)
                .hasMessageContaining("Another server");
        early.release();
        assertThat(one.sessions.counters().lost(SessionCounters.Loss.CONFLICT)).isEqualTo(1);
        assertThat(request(one, id, "again")).isEqualTo("of two");
        assertThat(request(two, id, null)).isEqualTo("again");
    }

    @ParameterizedTest
    @EnumSource
    void invalidationReachesTheOtherServer(Database database) throws Exception {
        DataSource source = source(database);
        SessionFixture one = server(source);
        SessionFixture two = server(source);
        String id = create(one, "a");
        request(two, id, null);
        one.find(id).invalidate();
        assertThat(two.sessions.join(id)).isNull();
        assertThat(one.sessions.join(id)).isNull();
    }

    @ParameterizedTest
    @EnumSource
    void changedIdReplacesTheOldOneOnBothServers(Database database) throws Exception {
        DataSource source = source(database);
        SessionFixture one = server(source);
        SessionFixture two = server(source);
        String id = create(one, "a");
        SessionFacade session = one.join(id);
        String next = session.changeId();
        session.save();
        session.release();
        assertThat(one.sessions.join(id)).isNull();
        assertThat(two.sessions.join(id)).isNull();
        assertThat(request(two, next, null)).isEqualTo("a");
    }

    @ParameterizedTest
    @EnumSource
    void overdueSessionsOfADeadServerEnd(Database database) throws Exception {
        DataSource source = source(database);
        SessionFixture one = server(source);
        String id = create(one, "a");
        request(one, id, null);
        SessionFixture two = server(source);
        two.passWithTicks(31 * 60 + 20);
        assertThat(two.takeEvents()).contains("destroyed", "removed v=a");
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                var rows = statement.executeQuery("select count(*) from serval_session")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getInt(1)).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void timeoutOnOneServerLeavesASessionThatAnotherUses(Database database) throws Exception {
        DataSource source = source(database);
        SessionFixture one = server(source);
        SessionFixture two = server(source);
        String id = create(one, "a");
        request(one, id, null);
        one.takeEvents();
        for (int i = 0; i < 40; i++) {
            two.passWithTicks(60);
            one.passWithTicks(60);
            request(two, id, null);
        }
        assertThat(one.takeEvents()).isEmpty();
        assertThat(one.sessions.figures().inMemory()).isZero();
        assertThat(request(one, id, null)).isEqualTo("a");
    }

    @ParameterizedTest
    @EnumSource
    void sessionThatAnotherServerHasConfirmedStays(Database database) throws Exception {
        DataSource source = source(database);
        SessionFixture one = server(source);
        SessionFixture two = server(source);
        String id = create(one, "a");
        request(two, id, null);
        one.takeEvents();
        one.passWithTicks(70); // unconfirmed here
        assertThat(one.takeEvents()).isEmpty();
        assertThat(request(two, id, null)).isEqualTo("a");
        assertThat(one.sessions.counters().active()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void idleSessionThatAnotherServerHasUsedIsFound(Database database) throws Exception {
        DataSource source = source(database);
        SessionFixture one = server(source);
        SessionFixture two = server(source);
        String id = create(one, "a");
        request(one, id, null);
        one.pass(31 * 60 * SECOND);
        two.pass(29 * 60 * SECOND);
        request(two, id, null);
        assertThat(request(one, id, null)).isEqualTo("a");
    }

    @ParameterizedTest
    @EnumSource
    void databaseThatIsDownFailsRequestsWithASessionAndRecovers(Database database)
            throws Exception {
        DataSource source = source(database);
        SessionFixture one = server(source);
        String id = create(one, "a");
        down = true;
        assertThatThrownBy(() -> one.sessions.join(id))
                .isInstanceOf(SessionUnavailableException.class);
        SessionFacade created = one.sessions.create();
        assertThatThrownBy(created::save).isInstanceOf(SessionUnavailableException.class);
        created.release();
        assertThat(one.logged).hasSize(1);
        assertThat(one.logged.getFirst())
                .contains("Serval failed to read or store sessions in the table serval_session")
                .contains(" of jdbc:", "the database failed to ", " of the application /shop")
                .contains("down for the test", "503");
        down = false;
        assertThat(request(one, id, null)).isEqualTo("a");
    }

    /// Otherwise the client would believe that it has logged out, and the other server accept its session.
    @ParameterizedTest
    @EnumSource
    void logoutFailsIfTheDatabaseIsDown(Database database) throws Exception {
        DataSource source = source(database);
        SessionFixture one = server(source);
        SessionFixture two = server(source);
        String id = create(one, "a");
        SessionFacade session = requireNonNull(one.sessions.join(id));
        down = true;
        session.invalidate();
        assertThatThrownBy(session::save)
                .isInstanceOf(SessionUnavailableException.class)
                .hasMessageContaining("other servers accept it");
        session.release();
        assertThat(one.logged).hasSize(1);
        down = false;
        assertThat(request(two, id, null)).isEqualTo("a");
        one.passWithTicks(1);
        assertThat(two.sessions.join(id)).as("removed later").isNull();
        String other = create(one, "b");
        SessionFacade removed = requireNonNull(one.sessions.join(other));
        removed.invalidate();
        removed.save();
        removed.release();
    }

    @ParameterizedTest
    @EnumSource
    void attributeThatCannotMoveIsRefused(Database database) throws Exception {
        SessionFixture one = server(source(database));
        SessionFacade session = one.sessions.create();
        assertThatThrownBy(() -> session.setAttribute("t", new Thread()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("java.lang.Thread")
                .hasMessageContaining("distributable");
        session.release();
    }

    @ParameterizedTest
    @EnumSource
    void inventedIdIsNotAdopted(Database database) throws Exception {
        SessionFixture one = server(source(database));
        assertThat(one.sessions.join("AAAAAAAAAAAAAAAAAAAAAA")).isNull();
    }

    @ParameterizedTest
    @EnumSource
    void largeContentIsKept(Database database) throws Exception {
        DataSource source = source(database);
        String id = create(server(source), "x".repeat(1_000_000));
        Object value = request(server(source), id, null);
        assertThat(String.valueOf(value)).hasSize(1_000_000);
    }

    /// The use of a session is recorded at most once a minute.
    @ParameterizedTest
    @EnumSource
    void sessionOfAnotherServerDoesNotEndBeforeItsTimeout(Database database) throws Exception {
        DataSource source = source(database);
        SessionFixture one = server(source);
        SessionFixture two = server(source);
        String id = create(one, "a");
        request(one, id, null);
        one.pass(50 * SECOND);
        request(one, id, null);
        two.passWithTicks(30 * 60 + 25);
        assertThat(two.takeEvents()).isEmpty();
        one.pass((29 * 60 + 35) * SECOND);
        assertThat(request(one, id, null)).isEqualTo("a");
    }

    /// A page has many files, each requested with the cookie of the session.
    @ParameterizedTest
    @EnumSource
    void requestForAFileReadsARowOnlyIfItsTimeIsOld(Database database) throws Exception {
        DataSource source = source(database);
        SessionFixture one = server(source);
        SessionFixture two = server(source);
        String id = create(one, "a");
        down = true;
        assertThat(one.sessions.touch(List.of(id))).as("confirmed").isFalse();
        assertThat(one.sessions.access("AAAAAAAAAAAAAAAAAAAAAA")).as("unknown").isFalse();
        assertThat(one.sessions.access(id)).isTrue();
        assertThat(one.sessions.unconfirmed()).isZero();
        one.pass(60 * SECOND);
        assertThat(one.sessions.touch(List.of(id))).isTrue();
        assertThat(one.sessions.access(id)).isTrue();
        one.pass(SECOND);
        assertThat(one.sessions.touch(List.of(id))).isFalse();
        assertThat(one.sessions.access(id)).isFalse();
        down = false;
        assertThat(request(one, id, "b")).isEqualTo("a");
        assertThat(request(one, id, null)).isEqualTo("b");
        assertThat(one.sessions.touch(List.of(id))).as("renewed").isTrue();
        assertThat(two.sessions.touch(List.of(id))).as("not in memory").isFalse();
    }

    /// Two servers may record their uses in any order.
    @ParameterizedTest
    @EnumSource
    void laterUseCounts(Database database) throws Exception {
        JdbcVault vault = JdbcVault.open(source(database), "/shop", VaultLimits.STANDARD);
        SessionKey key = SessionKey.of("AAAAAAAAAAAAAAAAAAAAAA");
        long _ =
                vault.write(
                        key,
                        new StoredSession(
                                "AAAAAAAAAAAAAAAAAAAAAA", true, 1, 2, 3, 60, 0, new byte[1]));
        vault.touch(key, 5_000, 60);
        vault.touch(key, 4_000, 60);
        assertThat(requireNonNull(vault.read(key)).accessedMillis()).isEqualTo(5_000);
        assertThat(vault.overdue(65_000, 10)).isEmpty();
        assertThat(vault.overdue(65_001, 10)).containsExactly(key);
    }

    @ParameterizedTest
    @EnumSource
    void damagedRowIsRemoved(Database database) throws Exception {
        DataSource source = source(database);
        JdbcVault vault = JdbcVault.open(source, "/shop", VaultLimits.STANDARD);
        SessionKey key = SessionKey.of("AAAAAAAAAAAAAAAAAAAAAA");
        StoredSession large =
                new StoredSession(
                        "AAAAAAAAAAAAAAAAAAAAAA", true, 1, 2, 3, 60, /* version */ 0, new byte[11]);
        long _ = vault.write(key, large);
        VaultLimits lower = new VaultLimits(1, /* sessionMaxBytes */ 10, 1, 1);
        JdbcVault later = JdbcVault.open(source, "/shop", lower);
        assertThatThrownBy(() -> later.read(key)).isInstanceOf(DamagedSessionException.class);
        assertThat(vault.read(key)).isNull();
    }

    @ParameterizedTest
    @EnumSource
    void sessionThatARequestUsesSurvivesTheStopOfItsServer(Database database) throws Exception {
        DataSource source = source(database);
        SessionFixture one = server(source);
        SessionFixture two = server(source);
        String id = create(one, "a");
        SessionFacade used = one.join(id);
        one.sessions.close();
        assertThat(request(two, id, null)).isEqualTo("a");
        used.release();
        assertThat(request(two, id, null)).isEqualTo("a");
    }

    /// A stream of events may use a session for longer than its timeout.
    @ParameterizedTest
    @EnumSource
    void sessionThatARequestHoldsDoesNotEndOnAnotherServer(Database database) throws Exception {
        DataSource source = source(database);
        SessionFixture one = server(source);
        SessionFixture two = server(source);
        String id = create(one, "a");
        String brief = create(one, "b");
        SessionFacade used = one.join(id);
        SessionFacade usedBriefly = one.join(brief);
        usedBriefly.setMaxInactiveInterval(8);
        usedBriefly.save();
        for (int i = 0; i < 32 * 60; i++) {
            one.passWithTicks(1);
            two.passWithTicks(1);
        }
        assertThat(two.takeEvents()).isEmpty();
        assertThat(request(two, id, null)).isEqualTo("a");
        assertThat(request(two, brief, null)).isEqualTo("b");
        used.release();
        usedBriefly.release();
    }

    /// A source may give connections that commit only when they are told to.
    @ParameterizedTest
    @EnumSource
    void connectionIsGivenBackWithoutAnOpenTransaction(Database database) throws Exception {
        List<String> steps = new ArrayList<>();
        DataSource source = manual(source(database), steps);
        JdbcVault vault = JdbcVault.open(source, "/shop", VaultLimits.STANDARD);
        assertThat(steps).endsWith("commit", "close");
        SessionKey key = SessionKey.of("AAAAAAAAAAAAAAAAAAAAAA");
        StoredSession session =
                new StoredSession("AAAAAAAAAAAAAAAAAAAAAA", true, 1, 2, 3, 60, 0, new byte[11]);
        long _ = vault.write(key, session);
        JdbcVault lower = JdbcVault.open(source, "/shop", new VaultLimits(1, 10, 1, 1));
        steps.clear();
        assertThatThrownBy(() -> lower.read(key)).isInstanceOf(DamagedSessionException.class);
        assertThat(steps).containsExactly("rollback", "close", "commit", "close");
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("drop table serval_session");
            connection.commit();
        }
        steps.clear();
        assertThatThrownBy(() -> vault.read(key)).isInstanceOf(IOException.class);
        assertThat(steps).containsExactly("rollback", "close");
    }

    /// Returns a source whose connections do not commit by themselves.
    private static DataSource manual(DataSource source, List<String> steps) {
        ClassLoader loader = JdbcSessionsTest.class.getClassLoader();
        return (DataSource)
                Proxy.newProxyInstance(
                        loader,
                        new Class<?>[] {DataSource.class},
                        (_, _, _) -> {
                            Connection real = source.getConnection();
                            real.setAutoCommit(false);
                            return Proxy.newProxyInstance(
                                    loader,
                                    new Class<?>[] {Connection.class},
                                    (_, method, arguments) -> {
                                        String name = method.getName();
                                        if (STEPS.contains(name)) {
                                            steps.add(name);
                                        }
                                        try {
                                            return method.invoke(real, arguments);
                                        } catch (InvocationTargetException e) {
                                            throw e.getCause();
                                        }
                                    });
                        });
    }
}
