package dev.serval.applications;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.CookieManager;
import java.net.HttpCookie;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// A visitor of the shop without a browser: keeps cookies, follows redirects and fills in forms. Used
/// by one thread.
final class Shopper implements AutoCloseable {
    private static final Pattern FORM =
            Pattern.compile(
                    "<form[^>]*method=\"post\" action=\"([^\"]*)\".*?</form>", Pattern.DOTALL);
    private static final Pattern INPUT = Pattern.compile("<input[^>]*>");
    private static final Pattern NAME = Pattern.compile(" name=\"([^\"]*)\"");
    private static final Pattern VALUE = Pattern.compile(" value=\"([^\"]*)\"");

    private final CookieManager cookies = new CookieManager();
    private final HttpClient client;
    private URI root;

    /// @param root the address of the shop, with a slash at its end
    Shopper(URI root) {
        this(root, HttpClient.newBuilder());
    }

    /// @param root as above
    /// @param settings of the client, such as what it trusts
    Shopper(URI root, HttpClient.Builder settings) {
        this.root = root;
        this.client =
                settings.cookieHandler(cookies).followRedirects(HttpClient.Redirect.NORMAL).build();
    }

    /// Visits the same shop at another address from now on, as after a restart.
    void moveTo(URI address) {
        root = address;
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(root.resolve(path)).build(),
                HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
    }

    /// Sends a form.
    HttpResponse<String> post(String path, Map<String, String> fields)
            throws IOException, InterruptedException {
        String content =
                fields.entrySet().stream()
                        .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
                        .collect(Collectors.joining("&"));
        return client.send(
                HttpRequest.newBuilder(root.resolve(path))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(HttpRequest.BodyPublishers.ofString(content))
                        .build(),
                HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /// Returns the fields of the form of a page that is sent to a path, with their values.
    ///
    /// @param part what the form has inside, if the page has several
    static Map<String, String> form(HttpResponse<String> page, String path, String part) {
        Matcher form = FORM.matcher(page.body());
        while (form.find()) {
            if (form.group(1).endsWith("/" + path) && form.group().contains(part)) {
                Map<String, String> fields = new LinkedHashMap<>();
                Matcher input = INPUT.matcher(form.group());
                while (input.find()) {
                    Matcher name = NAME.matcher(input.group());
                    Matcher value = VALUE.matcher(input.group());
                    if (name.find()) {
                        fields.put(name.group(1), value.find() ? plain(value.group(1)) : "");
                    }
                }
                return fields;
            }
        }
        throw new AssertionError(page.uri() + " has no form for " + path + ": " + page.body());
    }

    /// Returns the text that the value of an attribute stands for.
    private static String plain(String value) {
        return value.replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&#34;", "\"")
                .replace("&#39;", "'")
                .replace("&amp;", "&");
    }

    /// Puts a book into the cart.
    HttpResponse<String> add(int book) throws IOException, InterruptedException {
        return post("cart", form(get("book?id=" + book), "cart", "name=\"add\""));
    }

    /// Signs in as an invented customer, on the way to the cash desk.
    ///
    /// @return the page for buying, if there is something to buy
    HttpResponse<String> signIn(int customer) throws IOException, InterruptedException {
        Map<String, String> fields = form(get("register?to=buy"), "register", "value=\"known\"");
        fields.put("name", "reader" + customer);
        fields.put("secret", "reading");
        return post("register", fields);
    }

    /// Puts a book into the cart, registers, buys, and looks at the order.
    ///
    /// @param name of the new user
    void becomesACustomerAndBuys(String name, int book) throws IOException, InterruptedException {
        assertThat(post("cart", Map.of("add", "3")).statusCode()).isEqualTo(403);
        assertThat(add(book).body()).contains("copies-" + book);
        String before = session();
        Map<String, String> fields = form(get("register?to=buy"), "register", "value=\"new\"");
        fields.replaceAll((field, value) -> value.isEmpty() ? field : value);
        fields.put("user", name);
        fields.put("password", "correct horse");
        fields.put("family", "Ásgeir");
        fields.put("email", "ann@example.org");
        HttpResponse<String> buying = post("register", fields);
        assertThat(buying.uri().getPath()).isEqualTo("/buy");
        assertThat(session()).isNotEqualTo(before);
        HttpResponse<String> order = post("buy", paying(buying));
        assertThat(order.uri().getPath()).isEqualTo("/order");
        assertThat(order.body())
                .contains("Thank you!", "number ending in 9010", "Ásgeir", "book?id=" + book);
        assertThat(get("order").body()).contains("number ending in 9010");
        assertThat(get("cart").body()).contains("Your cart is empty");
    }

    /// Returns the filled form of the page for buying.
    static Map<String, String> paying(HttpResponse<String> page) {
        Map<String, String> fields = form(page, "buy", "ticket");
        fields.put("card", "Heron");
        fields.put("number", "4000 1234 5678 9010");
        return fields;
    }

    /// Returns the id of the session, or an empty text.
    String session() {
        List<HttpCookie> all = cookies();
        return all.isEmpty() ? "" : all.getFirst().getValue();
    }

    /// Returns the cookies.
    List<HttpCookie> cookies() {
        return cookies.getCookieStore().getCookies();
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
