package dev.serval.servlet.users;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Users of a database, with a small driver in place of one. It answers a query and a name by rows.
final class JdbcUsersTest {
    private static final PasswordHash HASH = PasswordHash.of("s3cret", 1_000, new SecureRandom());
    private static final String DIGEST = "0123456789abcdef".repeat(4);
    private static final String PASSWORD = "SELECT hash FROM users WHERE name = ?";
    private static final String ROLES = "SELECT role FROM roles WHERE name = ?";

    private final List<String> open = new ArrayList<>(); // what was opened and not closed
    private final Map<String, List<String>> rows =
            Map.of(
                    PASSWORD + "ada", List.of(HASH.text()),
                    PASSWORD + "eve", List.of("plain text"),
                    PASSWORD + "dan", List.of(HASH.text() + " digest-sha256:shop:" + DIGEST),
                    ROLES + "ada", List.of("staff", "admin"));
    private final List<String> asked = new ArrayList<>();
    private boolean broken;

    private <T> T fake(Class<T> type, InvocationHandler calls) {
        open.add(type.getSimpleName());
        InvocationHandler closing =
                (proxy, method, args) -> {
                    if (method.getName().equals("close")) {
                        open.remove(type.getSimpleName());
                        return null;
                    }
                    return calls.invoke(proxy, method, args);
                };
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, closing));
    }

    private Object statement(String sql) {
        StringBuilder name = new StringBuilder();
        return fake(
                PreparedStatement.class,
                (_, method, args) ->
                        switch (method.getName()) {
                            case "setString" -> name.append(args[1]) == name ? null : "";
                            case "executeQuery" -> {
                                asked.add(sql + name);
                                yield results(rows.getOrDefault(sql + name, List.of()));
                            }
                            default -> null;
                        });
    }

    private ResultSet results(List<String> values) {
        Iterator<String> rest = values.iterator();
        return fake(
                ResultSet.class,
                (_, method, _) ->
                        switch (method.getName()) {
                            case "next" -> rest.hasNext();
                            case "getString" -> rest.next();
                            default -> null;
                        });
    }

    private JdbcUsers users() {
        DataSource source =
                (DataSource)
                        Proxy.newProxyInstance(
                                DataSource.class.getClassLoader(),
                                new Class<?>[] {DataSource.class},
                                (_, _, _) -> {
                                    if (broken) {
                                        throw new SQLException("gone");
                                    }
                                    return fake(
                                            Connection.class,
                                            (_, _, args) -> statement(String.valueOf(args[0])));
                                });
        return new JdbcUsers(source, PASSWORD, ROLES);
    }

    @Test
    void findsPasswordAndRoles() throws IOException {
        @Nullable Account ada = users().find("ada");
        assertThat(ada).isNotNull();
        assertThat(ada == null ? List.of() : ada.roles())
                .containsExactlyInAnyOrder("staff", "admin");
        assertThat(ada != null && ada.secret().matches("s3cret")).isTrue();
        assertThat(users().find("bob")).isNull();
        assertThat(open).isEmpty();
    }

    /// The time of the queries does not tell which names exist.
    @Test
    void asksAsMuchForANameThatDoesNotExist() throws IOException {
        assertThat(users().find("bob")).isNull();
        assertThat(asked).containsExactly(PASSWORD + "bob", ROLES + "bob");
    }

    @Test
    void columnMayHaveAHashForDigest() throws IOException {
        @Nullable Account dan = users().find("dan");
        assertThat(dan).isNotNull();
        if (dan != null) {
            assertThat(dan.secret().matches("s3cret")).isTrue();
            assertThat(dan.secret().digest("dan", "shop", "SHA-256")).isEqualTo(DIGEST);
            assertThat(dan.secret().digest("dan", "other", "SHA-256")).isNull();
            assertThat(dan.secret().digest("dan", "shop", "MD5")).isNull();
        }
    }

    @Test
    void tellsWhatIsWrong() {
        assertThatThrownBy(() -> users().find("eve"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no hash for the user eve");
        broken = true;
        assertThatThrownBy(() -> users().find("ada"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(
                        "The database failed to find a user (gone): check that it runs");
        assertThat(open).isEmpty();
    }
}
