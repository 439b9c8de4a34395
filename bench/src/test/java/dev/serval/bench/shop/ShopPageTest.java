package dev.serval.bench.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class ShopPageTest {
    private static final ShopPage PAGE =
            new ShopPage(
                    """
                    <head><link rel="stylesheet" href="/shop.css">
                    <link rel="icon" type="image/svg+xml" href="/mark.svg"></head>
                    <img src="/mark.svg" alt=""><img class="cover" src="/cover/3-0-large.svg">
                    <a href="/book?id=3">x</a><a href="/book?id=12"><img src="/cover/12-0.svg"></a>
                    <form class="find" action="/results" role="search"><input name="q"></form>
                    <form method="post" action="/register">
                    <input type="hidden" name="form" value="known"><input name="name" value="">
                    </form>
                    <form method="post" action="/register">
                    <input type="hidden" name="form" value="new"><input id="user" name="user" value="a &amp; &#34;b&#34;">
                    <select id="card" name="card">
                    <option selected>Blue &lt;card&gt;</option><option>Red card</option></select>
                    </form>
                    <input form="change" id="copies-3" name="copies-3" type="number" value="2">
                    </html>
                    """);

    @Test
    void hasEachImageOnce() {
        assertThat(PAGE.images())
                .containsExactly(
                        "/shop.css", "/mark.svg", "/cover/3-0-large.svg", "/cover/12-0.svg");
    }

    @Test
    void linksToBooks() {
        assertThat(PAGE.books()).containsExactly("3", "12");
    }

    @Test
    void formHasWhatABrowserWouldSend() {
        assertThat(PAGE.form("/register", "value=\"new\""))
                .isEqualTo(Map.of("form", "new", "user", "a & \"b\"", "card", "Blue <card>"));
        assertThat(PAGE.form("/register", "")).isEqualTo(Map.of("form", "known", "name", ""));
        assertThat(PAGE.form("/buy", "")).isEmpty();
    }

    @Test
    void inputsOutsideOfTheirFormAreFound() {
        assertThat(PAGE.inputsOf("change")).isEqualTo(Map.of("copies-3", "2"));
        assertThat(PAGE.inputsOf("other")).isEmpty();
    }

    @Test
    void summaryHasTheHeadingAndWhatIsWrong() {
        ShopPage refused =
                new ShopPage(
                        """
                        <h1>Who are you?</h1>
                        <span class="wrong" id="secret-error">There is no such customer.</span>
                        """);
        assertThat(refused.summary()).isEqualTo(", Who are you?, There is no such customer.");
        assertThat(PAGE.summary()).isEmpty();
    }

    @Test
    void pageThatWasCutIsNotComplete() {
        assertThat(PAGE.isComplete()).isTrue();
        assertThat(new ShopPage("<html><h1>Check out</h1>").isComplete()).isFalse();
    }
}
