package dev.serval.applications;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.Await;
import dev.serval.testkit.TestKeys;
import java.net.HttpCookie;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The example shop on Serval, used by visitors without a browser.
@Timeout(300)
final class ShopTest {
    private static final List<String> FORMS =
            List.of("cart", "register", "leave", "buy", "inquiry", "admin");
    private static final String HOSTILE = "<script>alert(1)</script>\"'&";
    private static final String ESCAPED = "&lt;script&gt;alert(1)&lt;/script&gt;&#34;&#39;&amp;";

    /// The tests that neither stop the server nor deploy use one, and other books.
    @TempDir private static Path common;

    private static Shop shop = new Shop(Path.of(""));
    private static @Nullable AppServer started;

    @TempDir Path folder;

    @BeforeAll
    static void start() throws Exception {
        shop = new Shop(common);
        started = shop.start();
    }

    @AfterAll
    static void stop() throws Exception {
        if (started != null) {
            started.close();
        }
        assertThat(shop.check()).contains("agree");
    }

    private static AppServer server() {
        return Objects.requireNonNull(started);
    }

    private static Shopper visitor() {
        return new Shopper(server().at(""));
    }

    private static void isBought(HttpResponse<String> page) {
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.uri().getPath()).endsWith("/order");
        assertThat(page.body()).contains("Thank you!", "number ending in 9010");
    }

    @Test
    void formWithoutTheTokenOfItsSessionIsRefused() throws Exception {
        try (Shopper ann = visitor();
                Shopper other = visitor()) {
            for (String form : FORMS) {
                assertThat(other.post(form, Map.of()).statusCode()).as(form).isEqualTo(403);
            }
            ann.add(3);
            ann.signIn(1);
            other.add(4);
            String foreign = Shopper.form(other.get("cart"), "cart", "").get("token");
            for (String form : FORMS) {
                for (String token : List.of("", "x", foreign)) {
                    HttpResponse<String> refused = ann.post(form, Map.of("token", token));
                    assertThat(refused.statusCode()).as(form).isEqualTo(403);
                    assertThat(refused.body()).contains("This form has expired");
                }
            }
            assertThat(ann.get("cart").body()).contains("copies-3", "Hello, ");
        }
    }

    @Test
    void namesAndTitlesAreNeverMarkup() throws Exception {
        try (Shopper ann = visitor()) {
            shop.update("UPDATE book SET title = '" + HOSTILE.replace("'", "''") + "'");
            shop.update("UPDATE author SET name = '" + HOSTILE.replace("'", "''") + "'");
            List<HttpResponse<String>> pages = new ArrayList<>();
            ann.add(3);
            pages.add(ann.get("register?to=" + "%22%3E%3Cscript%3E"));
            Map<String, String> fields =
                    Shopper.form(ann.get("register?to=buy"), "register", "value=\"new\"");
            fields.replaceAll((name, value) -> value.isEmpty() ? HOSTILE : value);
            fields.put("postcode", "<b>\"'&");
            pages.add(ann.post("register", fields)); // the address of the mail is wrong
            assertThat(pages.getLast().body()).contains("This is not an e-mail address", ESCAPED);
            fields.put("email", "<script>@b");
            HttpResponse<String> buying = ann.post("register", fields);
            pages.add(buying);
            assertThat(buying.uri().getPath()).endsWith("/buy");
            Map<String, String> paying = Shopper.paying(buying);
            Map<String, String> wrong = new LinkedHashMap<>(paying);
            wrong.put("number", HOSTILE);
            wrong.put("street", HOSTILE);
            pages.add(ann.post("buy", wrong));
            wrong.put("number", "4000 1234 5678 9010");
            HttpResponse<String> order = ann.post("buy", wrong);
            isBought(order);
            pages.add(order);
            for (String path :
                    List.of(
                            "",
                            "new",
                            "best",
                            "search",
                            "results?q=" + "%3Cscript%3E%22%27",
                            "results?by=subject&q=%22%3E%3Cscript%3E",
                            "book?id=3",
                            "cart",
                            "inquiry",
                            "admin?id=3",
                            "nothing/%3Cscript%3E")) {
                pages.add(ann.get(path));
            }
            for (HttpResponse<String> page : pages) {
                assertThat(page.body())
                        .as(page.uri().toString())
                        .doesNotContain("<script", "\"'&\"")
                        .contains("Savanna Books");
                assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
                        .as(page.uri().toString())
                        .contains("default-src 'none'");
            }
            assertThat(order.body()).contains(ESCAPED);
            assertThat(ann.get("cover/3-0.svg").body()).doesNotContain("<script");
        }
    }

    @Test
    void passwordHasEightToTwoHundredCharacters() throws Exception {
        for (int length : new int[] {7, 8, 200, 201}) {
            try (Shopper ann = visitor()) {
                Map<String, String> fields =
                        Shopper.form(ann.get("register"), "register", "value=\"new\"");
                fields.replaceAll((name, value) -> value.isEmpty() ? name + length : value);
                fields.put("email", "ann@example.org");
                fields.put("password", "p".repeat(length));
                assertThat(ann.post("register", fields).body())
                        .as("%d characters", length)
                        .contains(
                                length == 8 || length == 200
                                        ? "Hello, given" + length
                                        : "Please use 8 to 200 characters");
            }
        }
    }

    @Test
    void signInChangesTheSession() throws Exception {
        try (Shopper ann = visitor();
                Shopper other = visitor()) {
            ann.add(3);
            String before = ann.session();
            HttpResponse<String> page = ann.signIn(1);
            assertThat(page.uri().getPath()).endsWith("/buy");
            assertThat(ann.session()).isNotEmpty().isNotEqualTo(before);
            assertThat(page.body()).contains("Hello, ");
            isBought(ann.post("buy", Shopper.paying(page)));
            String last = ann.get("order").body();
            other.signIn(2);
            int order = Integer.parseInt(last.replaceAll("(?s).*<h1>Order (\\d+)</h1>.*", "$1"));
            assertThat(other.get("order?id=" + order).statusCode()).isEqualTo(404);
            ann.post("leave", Shopper.form(ann.get("cart"), "leave", ""));
            assertThat(ann.get("order?id=" + order).uri().getPath()).endsWith("/inquiry");
        }
    }

    /// Clients send the cookie of the session by https only.
    @ParameterizedTest
    @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
    void purchaseByTls(HttpClient.Version version) throws Exception {
        TestKeys keys = TestKeys.local();
        Shop other = new Shop(folder);
        HttpClient.Builder settings =
                HttpClient.newBuilder().sslContext(keys.trusting()).version(version);
        try (AppServer server = other.start("--tls", keys.certificate() + "," + keys.key());
                Shopper ann = new Shopper(server.at(""), settings)) {
            assertThat(server.at("").getScheme()).isEqualTo("https");
            ann.becomesACustomerAndBuys("ann", 5);
            assertThat(ann.get("").version()).isEqualTo(version);
            assertThat(ann.cookies()).isNotEmpty().allMatch(HttpCookie::getSecure);
        }
        assertThat(other.check()).contains("agree");
    }

    @Test
    void purchaseSurvivesARestartWithSessionsInFiles() throws Exception {
        survivesARestart("files=" + folder.resolve("sessions"));
    }

    @Test
    @Tag("long")
    void purchaseSurvivesARestartWithSessionsInADatabase() throws Exception {
        survivesARestart("jdbc:h2:file:" + folder.resolve("sessions/s"));
    }

    private void survivesARestart(String sessions) throws Exception {
        Shop own = new Shop(folder);
        HttpResponse<String> buying;
        Shopper ann;
        try (AppServer server = own.start("--sessions", sessions)) {
            ann = new Shopper(server.at(""));
            ann.add(3);
            ann.add(4);
            buying = ann.signIn(1);
        }
        try (AppServer server = own.start("--sessions", sessions);
                ann) {
            ann.moveTo(server.at(""));
            HttpResponse<String> order = ann.post("buy", Shopper.paying(buying));
            isBought(order);
            assertThat(order.body()).contains("book?id=3", "book?id=4");
            assertThat(ann.get("cart").body()).contains("Your cart is empty");
        }
        assertThat(own.check()).contains("agree");
    }

    @Test
    void purchaseSurvivesARedeployWhileOthersVisit() throws Exception {
        Shop own = new Shop(folder);
        try (AppServer server = own.start();
                Shopper ann = new Shopper(server.at(""));
                Shopper other = new Shopper(server.at(""));
                ExecutorService threads = Executors.newFixedThreadPool(1)) {
            ann.add(3);
            HttpResponse<String> buying = ann.signIn(1);
            AtomicBoolean done = new AtomicBoolean();
            Future<Set<Integer>> visit =
                    threads.submit(() -> {
                        Set<Integer> statuses = new HashSet<>();
                        while (!done.get()) {
                            statuses.add(other.get("book?id=5").statusCode());
                            statuses.add(other.add(5).statusCode());
                        }
                        return statuses;
                    });
            String printed;
            try {
                printed = server.command("deploy", "/=" + Shop.war());
            } finally {
                done.set(true);
            }
            assertThat(visit.get()).containsExactly(200);
            assertThat(printed).contains("takes requests");
            isBought(ann.post("buy", Shopper.paying(buying)));
            // The database has been handed from the former version to this one.
            isBought(ann.post("buy", Shopper.paying(buyAgain(ann))));
        }
        assertThat(own.check()).contains("agree");
    }

    private static HttpResponse<String> buyAgain(Shopper shopper) throws Exception {
        shopper.add(6);
        return shopper.get("buy");
    }

    @Test
    void lastCopyIsSoldToOneOfManyAndAFormBuysOnce() throws Exception {
        List<Shopper> shoppers = new ArrayList<>();
        List<Map<String, String>> forms = new ArrayList<>();
        for (int customer = 1; customer <= 6; customer++) {
            Shopper shopper = visitor();
            shopper.add(7);
            forms.add(Shopper.paying(shopper.signIn(customer)));
            shoppers.add(shopper);
        }
        shop.update("UPDATE book SET received = received - stock + 1, stock = 1 WHERE id = 7");
        List<HttpResponse<String>> answers =
                Await.together(6, i -> shoppers.get(i).post("buy", forms.get(i)));
        assertThat(answers).filteredOn(answer -> answer.body().contains("Thank you!")).hasSize(1);
        assertThat(answers)
                .filteredOn(answer -> answer.body().contains("only 0 copies of"))
                .hasSize(5);
        Shopper hasty = shoppers.getFirst();
        hasty.post("cart", removed(hasty, 7));
        hasty.add(8);
        long before = shop.number("SELECT COUNT(*) FROM purchase");
        Map<String, String> form = Shopper.paying(hasty.get("buy"));
        List<HttpResponse<String>> same = Await.together(4, _ -> hasty.post("buy", form));
        assertThat(same).allMatch(answer -> answer.uri().getPath().endsWith("/order"));
        assertThat(shop.number("SELECT COUNT(*) FROM purchase")).isEqualTo(before + 1);
        shoppers.forEach(Shopper::close);
    }

    private static Map<String, String> removed(Shopper shopper, int book) throws Exception {
        String token = Shopper.form(shopper.get("book?id=1"), "cart", "").get("token");
        return Map.of("token", token, "remove", Integer.toString(book));
    }

    /// As when the server was killed between a purchase and the storing of its session.
    @Test
    void usedTicketKeepsAnotherCart() throws Exception {
        try (Shopper ann = visitor()) {
            ann.add(3);
            Map<String, String> first = Shopper.paying(ann.signIn(1));
            isBought(ann.post("buy", first));
            ann.add(4);
            Map<String, String> next = Shopper.paying(ann.get("buy"));
            shop.update(
                    "UPDATE purchase SET ticket = '%s' WHERE ticket = '%s'"
                            .formatted(next.get("ticket"), first.get("ticket")));
            long before = shop.number("SELECT COUNT(*) FROM purchase");
            String order = ann.post("buy", next).body();
            assertThat(order)
                    .contains("Nothing was bought now", "Your cart is as it was", "book?id=3")
                    .doesNotContain("Thank you!", "book?id=4");
            assertThat(shop.number("SELECT COUNT(*) FROM purchase")).isEqualTo(before);
            assertThat(ann.get("cart").body()).contains("copies-4");
            isBought(ann.post("buy", Shopper.paying(ann.get("buy"))));
        }
    }

    @Test
    void emptyCartBuysNothing() throws Exception {
        try (Shopper ann = visitor()) {
            ann.add(3);
            Map<String, String> form = Shopper.paying(ann.signIn(1));
            ann.post("cart", removed(ann, 3));
            form.put("total", "0");
            long before = shop.number("SELECT COUNT(*) FROM purchase");
            assertThat(ann.post("buy", form).body()).contains("Your cart is empty");
            assertThat(shop.number("SELECT COUNT(*) FROM purchase")).isEqualTo(before);
        }
    }

    @Test
    void tabsOfOneSessionLoseNoBook() throws Exception {
        try (Shopper ann = visitor()) {
            ann.add(10);
            HttpResponse<String> buying = ann.signIn(1);
            Map<String, String> adding =
                    Shopper.form(ann.get("book?id=11"), "cart", "name=\"add\"");
            int tabs = 8;
            int books = 5;
            Await.together(
                    tabs,
                    tab -> {
                        HttpResponse<String> last = buying;
                        for (int i = 0; i < books; i++) {
                            Map<String, String> form = new LinkedHashMap<>(adding);
                            form.put("add", Integer.toString(11 + tab * books + i));
                            last = ann.post("cart", form);
                        }
                        return last;
                    });
            HttpResponse<String> cart = ann.get("cart");
            for (int book = 10; book < 11 + tabs * books; book++) {
                assertThat(cart.body()).contains("\"copies-" + book + "\"");
            }
            // The tab with the page for buying knows only the first book.
            HttpResponse<String> again = ann.post("buy", Shopper.paying(buying));
            assertThat(again.body()).contains("Nothing was bought: a price or your cart");
            Map<String, String> form = Shopper.paying(again);
            isBought(ann.post("buy", form));
            isBoughtBefore(ann.post("buy", form));
            assertThat(ann.get("cart").body()).contains("Your cart is empty");
        }
    }

    private static void isBoughtBefore(HttpResponse<String> page) {
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.uri().getPath()).endsWith("/order");
        assertThat(page.body()).contains("number ending in 9010").doesNotContain("Thank you!");
    }

    /// As after a sign-in or a sign-out in another tab.
    @Test
    void formOfATabFromBeforeASignInHasExpired() throws Exception {
        try (Shopper ann = visitor()) {
            Map<String, String> before = Shopper.form(ann.get("book?id=3"), "cart", "name=\"add\"");
            ann.signIn(1);
            HttpResponse<String> refused = ann.post("cart", before);
            assertThat(refused.statusCode()).isEqualTo(403);
            assertThat(refused.body()).contains("This form has expired", "Hello, ");
            Map<String, String> later = Shopper.form(ann.get("book?id=3"), "cart", "name=\"add\"");
            ann.post("leave", Shopper.form(ann.get("cart"), "leave", ""));
            assertThat(ann.post("cart", later).statusCode()).isEqualTo(403);
        }
    }

    @Test
    void signOutInOneTabIsNoErrorInOthers() throws Exception {
        try (Shopper ann = visitor()) {
            Map<String, String> adding = Shopper.form(ann.get("book?id=3"), "cart", "name=\"add\"");
            List<HttpResponse<String>> answers =
                    Await.together(
                            6,
                            tab -> {
                                HttpResponse<String> last = ann.get("cart");
                                for (int i = 0; i < 5 && tab > 0; i++) {
                                    last = ann.post("cart", adding);
                                }
                                return tab > 0 ? last : ann.post("leave", adding);
                            });
            assertThat(answers).allMatch(answer -> Set.of(200, 403).contains(answer.statusCode()));
            assertThat(ann.post("cart", adding).statusCode()).isEqualTo(403);
        }
    }

    @Test
    void guessedPasswordsAreBraked() throws Exception {
        try (Shopper ann = visitor();
                Shopper other = visitor()) {
            for (String page : List.of("register", "inquiry")) {
                String name = page.equals("register") ? "reader40" : "reader41";
                Map<String, String> form = Shopper.form(ann.get(page), page, "name=\"secret\"");
                form.put("name", name);
                form.put("secret", "wrong");
                for (int i = 0; i < 5; i++) {
                    HttpResponse<String> wrong = ann.post(page, form);
                    assertThat(wrong.statusCode()).isEqualTo(200);
                    assertThat(wrong.body())
                            .contains("There is no customer with this name and password.");
                }
                form.put("secret", "reading");
                HttpResponse<String> refused = ann.post(page, form);
                assertThat(refused.statusCode()).as(page).isEqualTo(429);
                assertThat(refused.headers().firstValueAsLong("Retry-After").orElseThrow())
                        .isBetween(1L, 600L);
                assertThat(refused.body())
                        .contains("There were too many wrong passwords", "Savanna Books");
            }
            other.add(3);
            assertThat(other.signIn(42).uri().getPath()).endsWith("/buy");
        }
    }

    @Test
    @Tag("long")
    void sessionOfAnotherDatabaseIsThatOfAStranger() throws Exception {
        Shop own = new Shop(folder);
        String sessions = "files=" + folder.resolve("sessions");
        Map<String, String> buying;
        Map<String, String> adding;
        Shopper ann;
        try (AppServer server = own.start("--sessions", sessions)) {
            ann = new Shopper(server.at(""));
            ann.add(110);
            ann.add(4);
            buying = Shopper.paying(ann.signIn(40));
            adding = Shopper.form(ann.get("book?id=3"), "cart", "name=\"add\"");
        }
        String session = ann.session();
        Shop next = new Shop(folder, own.url().replace("database/shop", "database/next"));
        try (AppServer server = next.startWith("20", "10", "--sessions", sessions);
                ann) {
            ann.moveTo(server.at(""));
            clerkIsBraked(ann);
            assertThat(ann.get("order").uri().getPath()).endsWith("/inquiry");
            assertThat(ann.session()).isEqualTo(session);
            for (String page : List.of("", "cart", "buy", "inquiry", "register", "book?id=4")) {
                HttpResponse<String> shown = ann.get(page);
                assertThat(shown.statusCode()).as(page).isEqualTo(200);
                assertThat(shown.body()).as(page).doesNotContain("Hello, ", "copies-4");
            }
            assertThat(ann.get("cart").body()).contains("Your cart is empty");
            assertThat(ann.post("buy", buying).statusCode()).isEqualTo(403);
            assertThat(ann.post("cart", adding).statusCode()).isEqualTo(403);
            ann.becomesACustomerAndBuys("ann", 4);
        }
        assertThat(next.check()).contains("agree");
        assertThat(own.check()).contains("agree");
    }

    /// Uses up the attempts of the clerk, so no test with the common server may do it.
    private static void clerkIsBraked(Shopper shopper) throws Exception {
        Map<String, String> form = Shopper.form(shopper.get("admin?id=9"), "admin", "");
        form.put("price", "10");
        form.put("password", "wrong");
        for (int i = 0; i < 5; i++) {
            assertThat(shopper.post("admin", form).body())
                    .contains("not the password of the clerk");
        }
        form.put("password", Shop.CLERK);
        HttpResponse<String> refused = shopper.post("admin", form);
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.body()).contains("There were too many wrong passwords");
    }

    @Test
    void changedPriceIsShownBeforeItIsPaid() throws Exception {
        try (Shopper ann = visitor()) {
            ann.add(3);
            HttpResponse<String> buying = ann.signIn(1);
            shop.update("UPDATE book SET cents = cents + 100 WHERE id = 3");
            HttpResponse<String> again = ann.post("buy", Shopper.paying(buying));
            assertThat(again.body()).contains("Nothing was bought: a price or your cart");
            isBought(ann.post("buy", Shopper.paying(again)));
        }
    }

    @Test
    void clerkChangesABook() throws Exception {
        try (Shopper clerk = visitor()) {
            Map<String, String> fields = Shopper.form(clerk.get("admin?id=9"), "admin", "");
            fields.put("price", "77.70");
            fields.put("password", "wrong");
            assertThat(clerk.post("admin", fields).body())
                    .contains("not the password of the clerk");
            fields.put("password", Shop.CLERK);
            for (String price : List.of("", "0", "-1", "1.5", "1e3", "1000", "10001")) {
                fields.put("price", price);
                assertThat(clerk.post("admin", fields).body())
                        .as(price)
                        .contains("Please type a price");
            }
            fields.put("price", "77.70");
            assertThat(clerk.post("admin", fields).body()).contains("77.70", "cover/9-1-large.svg");
            fields.put("price", "999,99");
            assertThat(clerk.post("admin", fields).body()).contains("999.99");
        }
    }

    @Test
    void coversAreKeptByBrowsers() throws Exception {
        HttpResponse<String> cover = server().get("cover/3-0.svg");
        assertThat(cover.headers().firstValue("Content-Type")).hasValue("image/svg+xml");
        assertThat(cover.headers().firstValue("Cache-Control"))
                .hasValue("public, max-age=31536000, immutable");
        String tag = cover.headers().firstValue("ETag").orElseThrow();
        HttpResponse<String> same =
                server().send(
                                HttpRequest.newBuilder(server().at("cover/3-0.svg"))
                                        .header("If-None-Match", tag));
        assertThat(same.statusCode()).isEqualTo(304);
        HttpResponse<String> future = server().get("cover/3-7.svg");
        assertThat(future.body()).isEqualTo(cover.body());
        assertThat(future.headers().firstValue("Cache-Control")).hasValue("no-cache");
        shop.update("UPDATE book SET cover = 7 WHERE id = 3");
        assertThat(server().get("cover/3-7.svg").body()).isNotEqualTo(cover.body());
        for (String none : List.of("cover/", "cover/3.svg", "cover/999-0.svg", "cover/0-0.svg")) {
            assertThat(server().get(none).statusCode()).as(none).isEqualTo(404);
        }
    }
}
