package dev.serval.bench.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The pages have the parts of the shop's pages that a visitor looks at.
final class ShopVisitorTest {
    private static final String HOME =
            """
            <h1>Books for curious people</h1>
            <a href="/book?id=4"><span class="title">A Garden of Salt</span></a>
            <span class="author">Ada Moss</span>
            <a href="/new?subject=Crime">Crime</a>
            </html>
            """;

    private static final String BOOK =
            """
            <h1>A Garden of Salt</h1><form method="post" action="/cart">
            <input type="hidden" name="token" value="t1">
            <input type="hidden" name="add" value="4"></form><a href="/book?id=4">x</a></html>
            """;

    private static final String CART =
            """
            <h1>Your cart</h1><form id="change" method="post" action="/cart"><input type="hidden" name="token" value="t1"></form>
            <input form="change" id="copies-4" name="copies-4" type="number" value="1">
            </html>
            """;

    private static final String REGISTER =
            """
            <h1>Who are you?</h1>
            <form method="post" action="/register">
            <input type="hidden" name="form" value="known"><input type="hidden" name="to" value="buy">
            <input type="hidden" name="token" value="t1"><input name="name" value=""></form>
            <form method="post" action="/register">
            <input type="hidden" name="form" value="new"><input type="hidden" name="token" value="t1">
            <input name="user" value=""></form></html>
            """;

    private static final String BUY =
            """
            <div class="who">Ann</div><h1>Check out</h1><form method="post" action="/buy">
            <input type="hidden" name="token" value="t2"><input type="hidden" name="ticket" value="k"><input name="total" value="1395">
            <input name="street" value="1 Quay"><select id="card" name="card"><option>Ibis</option></select>
            </form></html>
            """;

    private final ShopVisitor visitor = new ShopVisitor(new SplittableRandom(3), 10, "newcomer1");

    private boolean sees(Interaction what, String html) {
        return visitor.isRight(what, new ShopPage(html));
    }

    private String path(Interaction what) {
        return visitor.ask(what).path();
    }

    private String form(Interaction what) {
        return visitor.ask(what).form();
    }

    @Test
    void followsTheFormsOfThePagesToAPurchase() {
        assertThat(path(Interaction.HOME)).isEqualTo("/home");
        assertThat(sees(Interaction.HOME, HOME)).isTrue();
        assertThat(path(Interaction.NEW_PRODUCTS)).isEqualTo("/new?subject=Crime");
        assertThat(path(Interaction.PRODUCT_DETAIL)).isEqualTo("/book?id=4");
        assertThat(sees(Interaction.PRODUCT_DETAIL, BOOK)).isTrue();
        assertThat(form(Interaction.SHOPPING_CART)).isEqualTo("token=t1&add=4");
        assertThat(sees(Interaction.SHOPPING_CART, CART)).isTrue();
        assertThat(path(Interaction.CUSTOMER_REGISTRATION)).isEqualTo("/buy");
        assertThat(sees(Interaction.CUSTOMER_REGISTRATION, REGISTER)).isTrue();
        assertThat(form(Interaction.BUY_REQUEST)).contains("token=t1").containsPattern("name|user");
        assertThat(sees(Interaction.BUY_REQUEST, BUY)).isTrue();
        assertThat(form(Interaction.BUY_CONFIRM))
                .contains("token=t2&ticket=k&total=1395&street=1+Quay&card=Ibis&number=4000");
        assertThat(
                        sees(
                                Interaction.BUY_CONFIRM,
                                "Thank you! <h1>Order 7</h1> number ending in 9010</html>"))
                .isTrue();
    }

    @Test
    void changesTheCopiesOfTheCartOnThePage() {
        assertThat(sees(Interaction.SHOPPING_CART, CART)).isTrue();
        assertThat(form(Interaction.SHOPPING_CART)).matches("token=t1&copies-4=[123]");
    }

    /// Thousands of pages would otherwise be in memory while their visitors think.
    @Test
    void pageIsDroppedWhenTheNextRequestIsMade() {
        assertThat(sees(Interaction.SHOPPING_CART, CART)).isTrue();
        assertThat(visitor.ask(Interaction.SHOPPING_CART).form()).isNotEmpty();
        assertThat(visitor.ask(Interaction.SHOPPING_CART))
                .isEqualTo(new ShopVisitor.Ask("/cart", ""));
    }

    @Test
    void searchesForWordsThatItHasSeen() {
        assertThat(sees(Interaction.HOME, HOME)).isTrue();
        for (int i = 0; i < 50; i++) {
            assertThat(path(Interaction.SEARCH_RESULTS))
                    .matches("/results\\?by=(title&q=(Garden|Salt)|author&q=Moss|subject&q=Crime)");
        }
    }

    @Test
    void purchaseThatIsRefusedWithAReasonIsRight() {
        String refused = BUY.replace("</form>", "Nothing was bought: a price has changed</form>");
        assertThat(sees(Interaction.BUY_CONFIRM, refused)).isTrue();
        assertThat(sees(Interaction.BUY_CONFIRM, BUY)).isFalse();
        assertThat(ShopVisitor.isRefusal(new ShopPage(refused))).isTrue();
    }

    @Test
    void cartWithoutTheAddedBookIsWrong() {
        assertThat(sees(Interaction.HOME, HOME)).isTrue();
        assertThat(path(Interaction.PRODUCT_DETAIL)).isEqualTo("/book?id=4");
        assertThat(sees(Interaction.PRODUCT_DETAIL, BOOK)).isTrue();
        visitor.ask(Interaction.SHOPPING_CART);
        assertThat(sees(Interaction.SHOPPING_CART, CART.replace("copies-4", "copies-5"))).isFalse();
    }

    @Test
    void pageOfAnotherBookIsWrong() {
        assertThat(sees(Interaction.HOME, HOME)).isTrue();
        assertThat(path(Interaction.PRODUCT_DETAIL)).isEqualTo("/book?id=4");
        assertThat(sees(Interaction.PRODUCT_DETAIL, BOOK.replace("value=\"4\"", "value=\"5\"")))
                .isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void otherPagesAndCutPagesAreWrong(Interaction what) {
        assertThat(sees(Interaction.HOME, HOME)).isTrue();
        visitor.ask(what);
        assertThat(sees(what, "<h1>This form has expired</h1></html>")).isFalse();
        assertThat(sees(what, HOME.replace("</html>", ""))).isFalse();
    }
}
