package dev.serval.examples.shop.store;

import static dev.serval.examples.shop.store.TestStore.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.examples.shop.store.TestStore.Kind;
import dev.serval.testkit.Await;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Purchases, on both databases, by many buyers at once.
@ParameterizedClass
@EnumSource
@Timeout(120)
final class PurchasesTest {
    private static final TestStore STORE = new TestStore();
    private static final Address TO =
            new Address("Ann Ash", "Street 1", "Arden", "12345", "Caldria");
    private static final Basket.Payment PAY = new Basket.Payment("Heron", "4242");
    private static final int BUYERS = 8;

    private final Clock clock = Clock.fixed(Instant.parse("2026-02-03T04:05:06Z"), ZoneOffset.UTC);
    private final Database database;
    private final Purchases purchases;

    PurchasesTest(Kind kind) throws Exception {
        database = STORE.filled(kind);
        purchases = restocking(0);
    }

    @AfterEach
    void close() {
        database.close();
    }

    @AfterAll
    static void stop() {
        STORE.close();
    }

    /// Returns a basket that asks for the right total.
    private Basket basket(String ticket, int customer, Line... lines) {
        long total = 0;
        int copies = 0;
        for (Line line : lines) {
            total +=
                    line.quantity()
                            * number(database, "SELECT cents FROM book WHERE id = " + line.book());
            copies += line.quantity();
        }
        total += Shipping.cents(copies);
        return new Basket(ticket, customer, List.of(lines), total, TO, PAY);
    }

    private long stock(int book) {
        return number(database, "SELECT stock FROM book WHERE id = " + book);
    }

    /// Sets the copies of a book, as if others had never come.
    private void setStock(int book, int copies) {
        database.change(connection ->
                TestStore.update(
                        connection,
                        "UPDATE book SET received = received - stock + %d, stock = %d WHERE id = %d"
                                .formatted(copies, copies, book)));
    }

    private Purchases restocking(int restock) {
        return new Purchases(database, clock, restock);
    }

    private void agrees() {
        assertThat(database.read(Audit::faults)).isEmpty();
    }

    @Test
    void lastCopyIsSoldOnce() throws Exception {
        setStock(7, 1);
        Line last = new Line(7, 1);
        List<Outcome> outcomes =
                Await.together(BUYERS, i -> purchases.buy(basket("t" + i, i + 1, last)));
        assertThat(outcomes).filteredOn(Outcome.Bought.class::isInstance).hasSize(1);
        assertThat(outcomes).filteredOn(new Outcome.SoldOut(7, 0)::equals).hasSize(BUYERS - 1);
        assertThat(stock(7)).isZero();
        agrees();
    }

    @Test
    void manyBuyersGetEveryCopyOnceAndTheSumsAgree() throws Exception {
        for (int book = 1; book <= 4; book++) {
            setStock(book, 30);
        }
        List<Integer> sold =
                Await.together(
                        BUYERS,
                        i -> {
                            Random random = new Random(i);
                            int copies = 0;
                            for (int round = 0; round < 20; round++) {
                                int first = 1 + random.nextInt(4);
                                int second = 1 + (first + random.nextInt(3)) % 4; // in both orders
                                Basket basket =
                                        basket(
                                                i + "-" + round,
                                                i + 1,
                                                new Line(first, 1),
                                                new Line(second, 2));
                                copies += purchases.buy(basket) instanceof Outcome.Bought ? 3 : 0;
                            }
                            return copies;
                        });
        long left = 0;
        for (int book = 1; book <= 4; book++) {
            left += stock(book);
        }
        assertThat(left + sold.stream().mapToInt(Integer::intValue).sum()).isEqualTo(4 * 30);
        assertThat(left).isLessThan(30);
        agrees();
    }

    @Test
    void ticketBuysOnce() throws Exception {
        long before = stock(3);
        List<Outcome> outcomes =
                Await.together(BUYERS, _ -> purchases.buy(basket("same", 2, new Line(3, 1))));
        assertThat(outcomes).hasSize(BUYERS).containsOnly(outcomes.getFirst());
        assertThat(outcomes.getFirst()).isInstanceOf(Outcome.Bought.class);
        assertThat(stock(3)).isEqualTo(before - 1);
        assertThat(purchases.byTicket(2, "same")).isNotNull();
        assertThat(purchases.byTicket(1, "same")).isNull();
        assertThat(purchases.byTicket(2, "other")).isNull();
        agrees();
    }

    /// As when the session of a purchase was not stored, and the customer chooses other books.
    @Test
    void usedTicketWithOtherBooksBuysNothing() {
        Outcome first = purchases.buy(basket("same", 2, new Line(4, 1), new Line(3, 2)));
        assertThat(first).isInstanceOf(Outcome.Bought.class);
        int purchase = ((Outcome.Bought) first).purchase();
        long before = stock(3);
        for (Basket other :
                List.of(
                        basket("same", 2, new Line(3, 2)),
                        basket("same", 2, new Line(3, 1), new Line(4, 1)),
                        basket("same", 2, new Line(3, 2), new Line(4, 1), new Line(5, 1)))) {
            assertThat(purchases.buy(other)).isEqualTo(new Outcome.Used(purchase));
        }
        assertThat(purchases.buy(basket("same", 2, new Line(3, 2), new Line(4, 1))))
                .isEqualTo(first);
        assertThat(stock(3)).isEqualTo(before);
        agrees();
    }

    @Test
    void ticketOfAnotherCustomerBuysNothing() {
        assertThat(purchases.buy(basket("same", 2, new Line(3, 1))))
                .isInstanceOf(Outcome.Bought.class);
        long before = stock(3);
        Basket forged = basket("same", 1, new Line(3, 1));
        assertThatThrownBy(() -> purchases.buy(forged)).isInstanceOf(DatabaseFailure.class);
        assertThat(stock(3)).isEqualTo(before);
    }

    @Test
    void changedPriceIsNotCharged() {
        Basket basket = basket("t", 1, new Line(5, 2));
        long before = stock(5);
        new Catalogue(database, System::nanoTime).revise(5, 12_345);
        assertThat(purchases.buy(basket)).isEqualTo(new Outcome.Repriced());
        assertThat(stock(5)).isEqualTo(before);
        assertThat(purchases.buy(basket("t", 1, new Line(5, 2))))
                .isInstanceOf(Outcome.Bought.class);
        agrees();
    }

    @Test
    void basketWithASoldOutBookTakesNothing() {
        setStock(9, 2);
        long before = stock(8);
        Basket basket = basket("t", 1, new Line(8, 1), new Line(9, 3));
        assertThat(purchases.buy(basket)).isEqualTo(new Outcome.SoldOut(9, 2));
        assertThat(stock(8)).isEqualTo(before);
        assertThat(stock(9)).isEqualTo(2);
        agrees();
    }

    @Test
    void emptyBasketIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> basket("t", 1))
                .withMessageContaining("without books");
    }

    @Test
    void newCopiesComeWhenFewAreLeft() {
        setStock(4, 12);
        Purchases restocking = restocking(21);
        restocking.buy(basket("a", 1, new Line(4, 2)));
        assertThat(stock(4)).isEqualTo(10);
        restocking.buy(basket("b", 1, new Line(4, 1)));
        assertThat(stock(4)).isEqualTo(9 + 21);
        agrees();
        setStock(4, 12);
        purchases.buy(basket("c", 1, new Line(4, 12)));
        assertThat(stock(4)).isZero();
        agrees();
    }

    @Test
    void onlyItsCustomerSeesAPurchase() {
        Basket basket = basket("t", 6, new Line(2, 1), new Line(1, 2));
        Outcome outcome = purchases.buy(basket);
        int id = ((Outcome.Bought) outcome).purchase();
        Purchase purchase = Objects.requireNonNull(purchases.of(6, id));
        assertThat(purchase.placed()).isEqualTo(LocalDateTime.parse("2026-02-03T04:05:06"));
        assertThat(purchase.to()).isEqualTo(TO);
        assertThat(purchase.lastDigits()).isEqualTo("4242");
        assertThat(purchase.shipping()).isEqualTo(600);
        assertThat(purchase.total()).isEqualTo(basket.total());
        assertThat(purchase.items())
                .extracting(item -> new Line(item.book(), item.quantity()))
                .containsExactly(new Line(1, 2), new Line(2, 1));
        assertThat(purchases.of(5, id)).isNull();
        assertThat(purchases.of(6).getFirst())
                .isEqualTo(new Receipt(id, purchase.placed(), purchase.total(), 3));
        assertThat(purchases.of(5)).extracting(Receipt::id).doesNotContain(id);
        assertThat(purchases.last(6)).isEqualTo(id);
    }

    @Test
    void lastTwentyPurchasesAreListedWithTheNewestFirst() {
        Purchases restocking = restocking(21);
        List<Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < 21; i++) {
            outcomes.addFirst(restocking.buy(basket("t" + i, 6, new Line(3, 1))));
        }
        assertThat(purchases.of(6))
                .extracting(receipt -> (Outcome) new Outcome.Bought(receipt.id()))
                .isEqualTo(outcomes.subList(0, 20));
    }
}
