package dev.serval.examples.shop.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.examples.shop.store.TestStore.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
final class AuditTest {
    private static List<String> faultsAfter(String... changes) throws Exception {
        try (TestStore store = new TestStore();
                Database database = store.filled(Kind.H2)) {
            return database.read(connection -> {
                for (String change : changes) {
                    TestStore.update(connection, change);
                }
                return Audit.faults(connection);
            });
        }
    }

    @Test
    void newDatabaseAgrees() throws Exception {
        assertThat(faultsAfter()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "UPDATE book SET stock = stock + 1 WHERE id = 3|1 books whose copies in stock and copies sold are not those received: 3",
                "UPDATE book SET received = 0|40 books whose copies in stock and copies sold are not those received: 1, 2, 3, 4, 5, …",
                "UPDATE purchase SET total = total + 1, shipping = shipping + 1 WHERE id = 2|1 purchases without a payment of the total: 2",
                "UPDATE purchase SET shipping = shipping + 1 WHERE id = 2|1 purchases whose subtotal and shipping are not the total: 2",
                "UPDATE purchase_line SET cents = cents + 1 WHERE purchase = 2 AND place = 0|1 purchases whose lines do not add up to the subtotal: 2",
                "DELETE FROM payment WHERE purchase = 2|1 purchases without a payment of the total: 2",
                "UPDATE payment SET cents = 1 WHERE purchase = 2|1 purchases without a payment of the total: 2"
            })
    void eachSumIsChecked(String change, String fault) throws Exception {
        assertThat(faultsAfter(change)).containsExactly(fault);
    }

    @Test
    void purchaseWithoutLinesIsAFault() throws Exception {
        assertThat(
                        faultsAfter(
                                "UPDATE book SET received = stock + COALESCE((SELECT SUM(quantity)"
                                        + " FROM purchase_line l WHERE l.book = book.id"
                                        + " AND l.purchase <> 2), 0)",
                                "DELETE FROM purchase_line WHERE purchase = 2",
                                "UPDATE purchase SET subtotal = 0, total = shipping WHERE id = 2",
                                "UPDATE payment SET cents = (SELECT total FROM purchase WHERE id = 2)"
                                        + " WHERE purchase = 2"))
                .containsExactly("1 purchases whose lines do not add up to the subtotal: 2");
    }
}
