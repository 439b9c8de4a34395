package dev.serval.applications;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

/// The example shop in a browser without scripts, used by the keyboard only. Each page is looked at on a
/// wide screen and on a phone, light and dark.
@Timeout(300)
final class ShopPagesTest {
    private static final int TABS_MAX = 120;

    /// Fields without a label.
    private static final String NAMELESS =
            "[...document.querySelectorAll('input:not([type=hidden]), select')]"
                    + ".filter(field => field.labels.length === 0).length";

    /// Pictures that have not loaded.
    private static final String BROKEN =
            "[...document.images].filter(image => image.naturalWidth === 0).length";

    private static final String NO_BOOK =
            "No book was found. Each word must begin a word of the title, or of the author’s name.";

    private static final String DOUBLE_IDS =
            "(ids => ids.length - new Set(ids).size)"
                    + "([...document.querySelectorAll('[id]')].map(one => one.id))";

    @TempDir private static Path folder;

    private static @Nullable AppServer started;

    @BeforeAll
    static void start() throws Exception {
        started = new Shop(folder).start();
    }

    @AfterAll
    static void stop() {
        if (started != null) {
            started.close();
        }
    }

    private static String at(String path) {
        return Objects.requireNonNull(started).at(path).toString();
    }

    @Test
    void personBuysABookByTheKeyboard() throws Exception {
        Shop shop = new Shop(folder);
        try (Browser browser = Browser.open()) {
            browser.withoutScripts();
            browser.open(at(""));
            looksRight(browser, "home");
            shop.update("UPDATE book SET title = 'The Lantern of Rosmere' WHERE id = 5");
            browser.open(at("results?by=subject&q=Cooking"));
            looksRight(browser, "results");
            browser.open(at("book?id=5"));
            looksRight(browser, "book");
            press(browser, "main form button.main", Keys.ENTER);
            browser.await("h1", "Your cart");
            looksRight(browser, "cart");
            type(browser, "#copies-5", Keys.chord(Keys.CONTROL, "a"), "2");
            press(browser, ".actions button", Keys.SPACE);
            browser.awaitTrue("document.querySelector('#copies-5').getAttribute('value') === '2'");
            press(browser, ".actions a.main", Keys.ENTER);
            browser.await("h1", "Who are you?");
            looksRight(browser, "register");
            register(browser);
            browser.await("h1", "Check out");
            looksRight(browser, "buy");
            assertThat(browser.find(By.id("recipient")).getAttribute("value"))
                    .isEqualTo("Ann Ash-Ásgeir");
            type(browser, "#number", "4000123456789010");
            press(browser, "main form button.main", Keys.ENTER);
            browser.await("[role=status]", "Thank you! Your books are on their way.");
            looksRight(browser, "order");
            assertThat(browser.texts(".lines tbody th a"))
                    .containsExactly("The Lantern of Rosmere");
            assertThat(browser.texts(".lines tbody td")).contains("2");
            assertThat(browser.text()).contains("number ending in 9010", "Hello, Ann.");
            browser.open(at("inquiry"));
            looksRight(browser, "orders");
            assertThat(browser.texts("tbody th")).hasSize(1);
        }
        assertThat(shop.check()).contains("agree");
    }

    private static void register(Browser browser) {
        type(browser, "#user", "ann");
        type(browser, "#password", "correct horse");
        type(browser, "#given", "Ann");
        type(browser, "#family", "Ash-Ásgeir");
        type(browser, "#email", "ann@example.org");
        type(browser, "#street", "Quiet Street 7");
        type(browser, "#postcode", "12345");
        type(browser, "#town", "Arden");
        type(browser, "#country", "Caldria");
        press(browser, "section:last-child button.main", Keys.ENTER);
    }

    @Test
    void everyOtherPageLooksRight() throws Exception {
        try (Browser browser = Browser.open()) {
            browser.withoutScripts();
            for (String page :
                    List.of(
                            "new?subject=Novels",
                            "best?subject=Novels",
                            "search",
                            "results?q=nothing+of+this",
                            "results?by=author&q=a",
                            "cart",
                            "inquiry",
                            "admin?id=5")) {
                browser.open(at(page));
                looksRight(browser, page.replaceAll("[?].*", page.contains("of+this") ? "-0" : ""));
            }
            browser.open(at("inquiry"));
            type(browser, "#name", "reader1");
            type(browser, "#secret", "wrong");
            press(browser, "main form button.main", Keys.ENTER);
            browser.await(".wrong", "There is no customer with this name and password.");
            looksRight(browser, "inquiry-wrong");
            assertThat(
                            browser.value(
                                    "document.getElementById('secret').getAttribute('aria-describedby')"))
                    .isEqualTo("secret-error");
            browser.open(at("no/such/page"));
            browser.await("h1", "Not found");
            List<String> console = browser.console();
            assertThat(console).allMatch(line -> line.contains("404"));
            looksRight(browser, "missing");
        }
    }

    @Test
    void clerkSetsAPriceByTheKeyboard() throws Exception {
        try (Browser browser = Browser.open()) {
            browser.withoutScripts();
            browser.open(at("admin?id=6"));
            type(browser, "#price", "77,70");
            type(browser, "#password", "wrong");
            press(browser, "main form.narrow button.main", Keys.ENTER);
            browser.await("#password-error", "This is not the password of the clerk.");
            looksRight(browser, "admin-wrong");
            assertThat(browser.value("document.getElementById('price').value")).isEqualTo("77,70");
            type(browser, "#password", Shop.CLERK);
            press(browser, "main form.narrow button.main", Keys.SPACE);
            browser.await("[role=status]", "The book has a new price and a new cover.");
            looksRight(browser, "admin-done");
            assertThat(browser.texts(".cost").getFirst()).contains("77.70");
        }
    }

    @Test
    void personFindsBooksByTheKeyboard() throws Exception {
        try (Browser browser = Browser.open()) {
            browser.withoutScripts();
            String hostile = "<img src=x onerror=alert(1)> \"'&";
            browser.open(at("search"));
            type(browser, "#q", hostile, Keys.ENTER);
            browser.await("main .empty", NO_BOOK);
            assertThat(browser.texts("h1")).containsExactly("Results for “" + hostile + "”");
            assertThat(browser.value("document.getElementById('q').value")).isEqualTo(hostile);
            assertThat(count(browser, "[onerror]")).isZero();
            looksRight(browser, "results-hostile");
            type(browser, "#q", Keys.chord(Keys.CONTROL, "a"), "a");
            type(browser, "#by", "in authors");
            press(browser, "main form button.main", Keys.ENTER);
            browser.await("h1", "Results for “a”");
            assertThat(browser.value("document.getElementById('by').value")).isEqualTo("author");
            assertThat(browser.texts("main ul.books .author"))
                    .isNotEmpty()
                    .allMatch(name -> name.matches("(?i)(.* )?a.*"));
        }
    }

    @Test
    void refusalsLookRight() throws Exception {
        Shop shop = new Shop(folder);
        try (Browser browser = Browser.open()) {
            browser.withoutScripts();
            browser.open(at("book?id=7"));
            browser.forgetCookies();
            press(browser, "main form button.main", Keys.ENTER);
            browser.await("h1", "This form has expired");
            assertThat(browser.console()).hasSize(1).allMatch(line -> line.contains("403"));
            looksRight(browser, "expired");
            shop.update("ALTER TABLE book_related RENAME TO away");
            try {
                browser.open(at("book?id=7"));
                browser.await("h1", "Something went wrong");
            } finally {
                shop.update("ALTER TABLE away RENAME TO book_related");
            }
            assertThat(browser.text()).doesNotContain("Exception", "SQL");
            assertThat(browser.console()).hasSize(1).allMatch(line -> line.contains("500"));
            looksRight(browser, "failed");
            press(browser, "main a.button", Keys.ENTER);
            browser.awaitTrue("location.pathname === '/'");
        }
    }

    @Test
    void keyboardSkipsToTheContent() throws Exception {
        try (Browser browser = Browser.open()) {
            browser.withoutScripts();
            browser.open(at("search"));
            browser.find(By.tagName("body")).sendKeys(Keys.TAB);
            assertThat(browser.value("document.activeElement.className")).isEqualTo("skip");
            assertThat(browser.value("document.activeElement.getBoundingClientRect().left >= 0"))
                    .isEqualTo(true);
            browser.active().sendKeys(Keys.ENTER);
            assertThat(browser.value("location.hash")).isEqualTo("#main");
            browser.active().sendKeys(Keys.TAB);
            assertThat(browser.value("document.activeElement.id")).isEqualTo("q");
            assertThat(browser.value("getComputedStyle(document.activeElement).outlineStyle"))
                    .isEqualTo("solid");
        }
    }

    /// Goes to an element by the Tab key, and presses a key there.
    private static void press(Browser browser, String selector, Keys key) {
        reach(browser, selector);
        browser.active().sendKeys(key);
    }

    private static void type(Browser browser, String selector, CharSequence... text) {
        reach(browser, selector);
        browser.active().sendKeys(text);
    }

    private static void reach(Browser browser, String selector) {
        String here = "document.activeElement.matches('" + selector + "')";
        for (int tabs = 0; tabs < TABS_MAX; tabs++) {
            if (Boolean.TRUE.equals(browser.value(here))) {
                return;
            }
            browser.active().sendKeys(Keys.TAB);
        }
        throw new AssertionError("The Tab key does not reach " + selector);
    }

    /// Nothing is wider than the screen, the scheme is the user's, everything has its label, all
    /// pictures are there, and the browser complains of nothing.
    private static void looksRight(Browser browser, String name) throws IOException {
        for (int width : new int[] {1280, 400}) {
            for (boolean dark : new boolean[] {false, true}) {
                browser.show(width, dark);
                assertThat(browser.value("window.innerWidth")).isEqualTo((long) width);
                assertThat(browser.value("document.documentElement.scrollWidth"))
                        .as(name + ": a page without a bar for sideways scrolling at " + width)
                        .isEqualTo(browser.value("document.documentElement.clientWidth"));
                assertThat(browser.value("getComputedStyle(document.body).backgroundColor"))
                        .isEqualTo(dark ? "rgb(24, 21, 18)" : "rgb(251, 248, 243)");
                if (dark == (width == 400)) { // two pictures tell people enough
                    keep(browser, name + "-" + width + (dark ? "-dark" : "-light"));
                }
            }
        }
        assertThat(browser.value("document.title").toString())
                .matches(Pattern.compile(".+ · Savanna Books"));
        assertThat(count(browser, "h1")).as(name).isEqualTo(1);
        assertThat(count(browser, "table:not(:has(caption))")).isZero();
        assertThat(count(browser, "img:not([alt])")).isZero();
        assertThat(count(browser, "script, [style]")).isZero();
        assertThat(browser.value(NAMELESS)).as(name + ": fields without a label").isEqualTo(0L);
        assertThat(browser.value(BROKEN)).as(name + ": broken pictures").isEqualTo(0L);
        assertThat(browser.value(DOUBLE_IDS)).as(name + ": ids used twice").isEqualTo(0L);
        assertThat(browser.console()).as(name).isEmpty();
    }

    private static long count(Browser browser, String selector) {
        return (Long) browser.value("document.querySelectorAll('" + selector + "').length");
    }

    /// Keeps a picture for people, beside the results of the tests.
    private static void keep(Browser browser, String name) throws IOException {
        Path pictures = Files.createDirectories(Path.of("target/pictures"));
        Files.write(pictures.resolve("shop-" + name + ".png"), browser.picture());
    }
}
