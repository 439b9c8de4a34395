package dev.serval.bench.shop;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/// What a visitor sees and types during one session. Makes the request of each interaction from the
/// page before, and checks the page that answers it. Does no I/O and reads no clock.
final class ShopVisitor {
    /// The password of the shop's clerk.
    static final String CLERK = "change a price";

    /// Four of five visitors are customers of before.
    private static final double KNOWN_SHARE = 0.8;

    private static final int COPIES_MAX = 3;

    /// Beyond so many different books, a cart takes no more.
    private static final int LINES_MAX = 50;

    private static final int WORD_MIN = 4;
    private static final String PASSWORD = "reading";
    private static final String NEW_PASSWORD = "reading on";
    private static final String CARD = "4000123456789010";
    private static final String NOTHING_BOUGHT = "Nothing was bought";

    private static final ShopPage NO_PAGE = new ShopPage("");

    private final RandomGenerator random;
    private final int customers;
    private boolean known;
    private String user;
    private ShopPage page = NO_PAGE;
    private List<String> books = List.of("1");
    private List<String> titles = List.of();
    private List<String> authors = List.of();
    private List<String> subjects = List.of();
    private String book = "1"; // of the last page of a book
    private String added = ""; // to the cart by the present request

    /// Makes a visitor.
    ///
    /// @param customers of before, from 1 to this number
    /// @param newName what the visitor is called if it is none of them
    ShopVisitor(RandomGenerator random, int customers, String newName) {
        this.random = random;
        this.known = random.nextDouble() < KNOWN_SHARE;
        this.customers = customers;
        this.user = known ? reader() : newName;
    }

    private String reader() {
        return "reader" + (1 + random.nextInt(customers));
    }

    /// A request.
    ///
    /// @param form the content of a POST; empty for a GET
    record Ask(String path, String form) {
        static Ask get(String path) {
            return new Ask(path, "");
        }

        static Ask post(String path, Map<String, String> fields) {
            StringBuilder form = new StringBuilder();
            fields.forEach((name, value) -> {
                form.append(form.isEmpty() ? "" : "&").append(encoded(name));
                form.append('=').append(encoded(value));
            });
            return new Ask(path, form.toString());
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /// Returns the request of an interaction, to which the last page leads. The visitor does not keep
    /// that page, so that thousands who think need little memory.
    Ask ask(Interaction what) {
        Ask next = next(what);
        page = NO_PAGE;
        return next;
    }

    private Ask next(Interaction what) {
        added = "";
        return switch (what) {
            case HOME -> Ask.get("/home"); // Grizzly has no page at the root
            case NEW_PRODUCTS -> Ask.get("/new?subject=" + encoded(any(subjects)));
            case BEST_SELLERS -> Ask.get("/best?subject=" + encoded(any(subjects)));
            case PRODUCT_DETAIL -> {
                book = any(books);
                yield Ask.get("/book?id=" + book);
            }
            case SEARCH_REQUEST -> Ask.get("/search");
            case SEARCH_RESULTS -> search();
            case SHOPPING_CART -> cart();
            case CUSTOMER_REGISTRATION ->
                    Ask.get(isSignedIn() ? "/register?to=buy" : "/buy"); // which leads to it
            case BUY_REQUEST -> register();
            case BUY_CONFIRM -> buy();
            case ORDER_INQUIRY -> Ask.get("/inquiry");
            case ORDER_DISPLAY -> order();
            case ADMIN_REQUEST -> Ask.get("/admin?id=" + book);
            case ADMIN_CONFIRM -> {
                Map<String, String> fields = form("/admin", "");
                fields.put("price", 5 + random.nextInt(40) + ".50");
                fields.put("password", CLERK);
                yield Ask.post("/admin", fields);
            }
        };
    }

    private boolean isSignedIn() {
        return page.has("<div class=\"who\">");
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    /// Copies a form of the page, so that it can be filled in.
    private Map<String, String> form(String action, String part) {
        return new LinkedHashMap<>(page.form(action, part));
    }

    /// Searches for a word of a title or an author that the visitor has seen, or for a subject.
    private Ask search() {
        return switch (random.nextInt(3)) {
            case 0 -> Ask.get("/results?by=title&q=" + encoded(word(titles)));
            case 1 -> Ask.get("/results?by=author&q=" + encoded(word(authors)));
            default -> Ask.get("/results?by=subject&q=" + encoded(any(subjects)));
        };
    }

    private String word(List<String> texts) {
        String[] words = any(texts).split("[^\\p{L}]+", -1);
        String longest = "";
        for (String one : words) {
            if (one.length() >= WORD_MIN && (longest.isEmpty() || random.nextBoolean())) {
                return one;
            }
            longest = one.length() > longest.length() ? one : longest;
        }
        return longest;
    }

    /// Adds the book of the page, changes the copies of the cart on the page, or looks at the cart.
    private Ask cart() {
        Map<String, String> adding = form("/cart", "name=\"add\"");
        if (!adding.isEmpty()) {
            added = adding.getOrDefault("add", "");
            return Ask.post("/cart", adding);
        }
        Map<String, String> copies = new LinkedHashMap<>(page.inputsOf("change"));
        if (copies.isEmpty()) {
            return Ask.get("/cart");
        }
        copies.replaceAll((_, _) -> String.valueOf(1 + random.nextInt(COPIES_MAX)));
        Map<String, String> fields = form("/cart", "name=\"token\"");
        fields.putAll(copies);
        return Ask.post("/cart", fields);
    }

    private Ask register() {
        if (known) {
            Map<String, String> fields = form("/register", "value=\"known\"");
            fields.put("name", user);
            fields.put("secret", password());
            return Ask.post("/register", fields);
        }
        Map<String, String> fields = form("/register", "value=\"new\"");
        fields.put("user", user);
        fields.put("password", NEW_PASSWORD);
        fields.put("given", "Ann");
        fields.put("family", "Newcomer");
        fields.put("email", user + "@example.org");
        fields.put("street", "1 Long Street");
        fields.put("town", "Port Arden");
        fields.put("postcode", "12345");
        fields.put("country", "Caldria");
        known = true; // from now on
        return Ask.post("/register", fields);
    }

    private String password() {
        return user.startsWith("reader") ? PASSWORD : NEW_PASSWORD;
    }

    private Ask buy() {
        Map<String, String> fields = form("/buy", "name=\"ticket\"");
        fields.put("number", CARD);
        return Ask.post("/buy", fields);
    }

    /// Signs in to see the last order, or follows the first link to an order.
    private Ask order() {
        Map<String, String> fields = form("/inquiry", "");
        if (fields.isEmpty()) {
            List<String> orders = page.values("/order?id=", 1);
            return Ask.get(orders.isEmpty() ? "/order" : "/order?id=" + orders.getFirst());
        }
        if (!known) { // the shop does not know the name yet
            user = reader();
            known = true;
        }
        fields.put("name", user);
        fields.put("secret", password());
        return Ask.post("/inquiry", fields);
    }

    /// Looks at the page that answers an interaction.
    ///
    /// @return whether it is the right page
    boolean isRight(Interaction what, ShopPage answer) {
        boolean right = answer.isComplete() && isOf(what, answer);
        if (right) {
            look(answer);
        }
        return right;
    }

    private boolean isOf(Interaction what, ShopPage answer) {
        return switch (what) {
            case HOME -> answer.has("<h1>Books for curious people</h1>") && lists(answer);
            case NEW_PRODUCTS -> answer.has("<h1>New: ") && lists(answer);
            case BEST_SELLERS -> answer.has("<h1>Best sellers: ");
            case PRODUCT_DETAIL ->
                    answer.has("name=\"add\" value=\"" + book + "\"") && lists(answer);
            case SEARCH_REQUEST -> answer.has("<h1>Find a book</h1>") && lists(answer);
            case SEARCH_RESULTS -> answer.has("<h1>Results for “") && lists(answer);
            case SHOPPING_CART -> isCart(answer);
            case CUSTOMER_REGISTRATION -> answer.has("<h1>Who are you?</h1>");
            case BUY_REQUEST ->
                    answer.has("<h1>Check out</h1>") && answer.has("name=\"ticket\" value=\"");
            case BUY_CONFIRM -> isOrder(answer) || isRefusal(answer);
            case ORDER_INQUIRY -> answer.has("<h1>Your orders</h1>");
            case ORDER_DISPLAY ->
                    answer.has("<h1>Order ") || answer.has("You have not bought anything yet.");
            case ADMIN_REQUEST ->
                    answer.has("<h1>Change “") && answer.has("name=\"id\" value=\"" + book + "\"");
            case ADMIN_CONFIRM -> answer.has("The book has a new price");
        };
    }

    private static boolean lists(ShopPage answer) {
        return answer.has("/book?id=");
    }

    private boolean isCart(ShopPage answer) {
        Map<String, String> copies = answer.inputsOf("change");
        return answer.has("<h1>Your cart</h1>")
                && !copies.isEmpty()
                && (added.isEmpty()
                        || copies.containsKey("copies-" + added)
                        || copies.size() >= LINES_MAX);
    }

    private static boolean isOrder(ShopPage answer) {
        return answer.has("Thank you!") && answer.has("number ending in 9010");
    }

    /// Returns whether the shop has refused a purchase with a reason, which is right: another visitor
    /// has bought the last copies, or a price has changed.
    static boolean isRefusal(ShopPage answer) {
        return answer.has("<h1>Check out</h1>") && answer.has(NOTHING_BOUGHT);
    }

    /// Notes what the page shows.
    private void look(ShopPage answer) {
        page = answer;
        List<String> found = answer.books();
        books = found.isEmpty() ? books : found;
        List<String> shown = answer.texts("<span class=\"title\">", "</span>", 10);
        titles = shown.isEmpty() ? titles : shown;
        List<String> by = answer.texts("<span class=\"author\">", "</span>", 10);
        authors = by.isEmpty() ? authors : by;
        if (subjects.isEmpty()) {
            subjects = answer.texts("/new?subject=", "\"", 100);
        }
    }
}
