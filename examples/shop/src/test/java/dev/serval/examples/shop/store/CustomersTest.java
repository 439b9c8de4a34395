package dev.serval.examples.shop.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.examples.shop.store.TestStore.Kind;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
final class CustomersTest {
    private static final TestStore STORE = new TestStore();

    @AfterAll
    static void stop() {
        STORE.close();
    }

    private static NewCustomer person(String userName, String password) {
        return new NewCustomer(
                userName, password, "Ann", "Ash", "a@b", "Street 1", "Arden", "12", "Caldria");
    }

    @ParameterizedTest
    @EnumSource
    void registersOnceForEachName(Kind kind) throws Exception {
        try (Database database = STORE.filled(kind)) {
            Customers customers = new Customers(database, TestStore.HASH);
            Customer ann =
                    Objects.requireNonNull(customers.register(person("ann", "correct horse")));
            assertThat(ann.address())
                    .isEqualTo(new Address("Ann Ash", "Street 1", "Arden", "12", "Caldria"));
            assertThat(customers.register(person("ann", "another"))).isNull();
            assertThat(customers.register(person("reader1", "another"))).isNull();
            assertThat(customers.byId(ann.id())).isEqualTo(ann);
            assertThat(customers.byId(0)).isNull();
            assertThat(customers.signIn("ann", "correct horse")).isEqualTo(ann);
        }
    }

    @ParameterizedTest
    @EnumSource
    void onlyTheRightPasswordSignsIn(Kind kind) throws Exception {
        try (Database database = STORE.filled(kind)) {
            Customers customers = new Customers(database, TestStore.HASH);
            assertThat(customers.signIn("reader3", "reading")).isNotNull();
            assertThat(customers.signIn("reader3", "Reading")).isNull();
            assertThat(customers.signIn("reader3", "")).isNull();
            assertThat(customers.signIn("nobody", "reading")).isNull();
            assertThat(customers.signIn("nobody", "")).isNull();
            assertThat(customers.signIn("' OR 1=1 --", "reading")).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource(names = "H2")
    void passwordIsStoredAsAHash(Kind kind) throws Exception {
        try (Database database = STORE.filled(kind)) {
            new Customers(database, TestStore.HASH).register(person("ann", "correct horse"));
            String stored =
                    database.read(connection -> {
                        try (Statement statement = connection.createStatement();
                                ResultSet row =
                                        statement.executeQuery(
                                                "SELECT password FROM customer WHERE user_name = 'ann'")) {
                            row.next();
                            return row.getString(1);
                        }
                    });
            assertThat(stored).startsWith("pbkdf2$10$").doesNotContain("horse");
        }
    }
}
