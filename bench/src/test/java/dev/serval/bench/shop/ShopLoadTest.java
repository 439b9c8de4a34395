package dev.serval.bench.shop;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.serval.bench.load.Fate;
import dev.serval.bench.peer.Protocol;
import dev.serval.bench.scenario.ShopCell;
import dev.serval.testkit.TestKeys;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A shop with a single page, which is the right answer to every interaction.
@Timeout(60)
final class ShopLoadTest {
    private static final String PAGE =
            """
            <link rel="stylesheet" href="/shop.css">
            <h1>Books for curious people</h1><h1>New: x</h1><h1>Best sellers: x</h1>
            <h1>Find a book</h1><h1>Results for “x</h1><h1>Your cart</h1><h1>Who are you?</h1>
            <h1>Check out</h1><h1>Your orders</h1><h1>Order 1</h1><h1>Change “x</h1>
            Thank you! number ending in 9010 The book has a new price
            <a href="/book?id=4"><img src="/cover/4-0.svg"><img src="/cover/4-0-large.svg">
            <span class="title">Garden</span></a><span class="author">Moss</span>
            <a href="/new?subject=Crime">Crime</a>
            <form method="post" action="/cart"><input name="token" value="t"><input name="add" value="4"></form>
            <input form="change" name="copies-4" value="1">
            <form method="post" action="/register"><input name="form" value="known"><input name="user" value="new"></form>
            <form method="post" action="/buy"><input name="ticket" value="k"></form>
            <form method="post" action="/inquiry"><input name="name" value=""></form>
            <form method="post" action="/admin"><input name="id" value="4"></form>
            </html>
            """;

    private final Collection<String> requests = new ConcurrentLinkedQueue<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server =
            begun(
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50));
    private volatile String page = PAGE;
    private volatile int imageStatus = 200;

    /// Later requests wait until the answers are released.
    private volatile int requestsMax = Integer.MAX_VALUE;

    private final CountDownLatch released = new CountDownLatch(1);

    ShopLoadTest() throws IOException {}

    private HttpServer begun(HttpServer made) {
        made.createContext("/", this::handle);
        made.setExecutor(threads);
        made.start();
        return made;
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().toString();
        String cookie = String.valueOf(exchange.getRequestHeaders().getFirst("Cookie"));
        String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        requests.add(exchange.getRequestMethod() + " " + path + " " + cookie + " " + form);
        if (requests.size() > requestsMax) {
            await();
        }
        if (exchange.getRequestMethod().equals("POST")) {
            exchange.getResponseHeaders().set("Location", "/after?of=" + path.substring(1));
            exchange.sendResponseHeaders(303, -1);
            exchange.close();
            return;
        }
        boolean image = path.contains(".svg") || path.contains(".css");
        if (cookie.equals("null")) {
            exchange.getResponseHeaders().set("Set-Cookie", "ID=" + requests.size() + "; HttpOnly");
        }
        byte[] content = (image ? "<svg/>" : page).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(image ? imageStatus : 200, image ? content.length : 0);
        exchange.getResponseBody().write(content);
        exchange.close();
    }

    private void await() throws IOException {
        try {
            released.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the test has ended");
        }
    }

    private ShopLoad load() {
        ShopHabits habits = new ShopHabits(0.01, 0.05, 100, 2, 30);
        ShopChain chain = ShopChain.of(ShopCell.Mix.ORDERING);
        int port = server.getAddress().getPort();
        return new ShopLoad(Protocol.HTTP, port, chain, habits, 10, "newcomer");
    }

    private ShopTally load(double sessionSeconds, double answerSeconds) throws IOException {
        return load(Protocol.HTTP, server, sessionSeconds, answerSeconds);
    }

    private static ShopTally load(
            Protocol protocol, HttpServer from, double sessionSeconds, double answerSeconds)
            throws IOException {
        ShopHabits habits = new ShopHabits(0.01, 0.05, sessionSeconds, 2, answerSeconds);
        ShopChain chain = ShopChain.of(ShopCell.Mix.ORDERING);
        int port = from.getAddress().getPort();
        try (ShopLoad load = new ShopLoad(protocol, port, chain, habits, 10, "newcomer")) {
            load.settle(6, 0.2);
            load.settle(3, 0.1);
            return load.measure(1.5);
        }
    }

    private long count(String start) {
        return requests.stream().filter(one -> one.startsWith(start)).count();
    }

    @Test
    void rightAnswersAreCountedByInteraction() throws IOException {
        ShopTally tally = load(100, 30);
        assertThat(tally.firstFault()).isEmpty();
        assertThat(tally.ended()).isGreaterThan(20);
        assertThat(tally.failed()).isZero();
        assertThat(tally.share()).isGreaterThan(0.9);
        assertThat(tally.count(Interaction.PRODUCT_DETAIL)).isPositive();
        assertThat(tally.millis(90)).isPositive();
        assertThat(count("POST /cart ")).isPositive();
        assertThat(count("GET /after?of=cart ")).isPositive();
        assertThat(requests)
                .filteredOn(one -> one.startsWith("POST /cart "))
                .allSatisfy(one -> assertThat(one).endsWith("token=t&add=4"));
    }

    /// Six browsers have no cookie and no image at first. All later requests have the cookie.
    @Test
    void browserKeepsItsCookieAndItsImages() throws IOException {
        ShopTally tally = load(100, 30);
        assertThat(tally.ended()).isGreaterThan(20);
        assertThat(requests)
                .filteredOn(one -> one.contains(" null "))
                .hasSize(6)
                .allSatisfy(one -> assertThat(one).startsWith("GET /home "));
        for (String image : new String[] {"/shop.css", "/cover/4-0.svg", "/cover/4-0-large.svg"}) {
            assertThat(count("GET " + image)).as(image).isEqualTo(6);
        }
    }

    @Test
    void newSessionHasANewBrowser() throws IOException {
        load(0.1, 30);
        assertThat(count("GET /home null")).isGreaterThan(6);
        long unfinished = 3; // pages, as the load ends with three users
        assertThat(count("GET /home null") - count("GET /shop.css")).isBetween(0L, unfinished);
    }

    @Test
    void browsersVisitAShopOverTls() throws IOException {
        HttpsServer secure =
                HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        secure.setHttpsConfigurator(
                new HttpsConfigurator(TestKeys.local().showing(TestKeys.local())));
        begun(secure);
        try {
            ShopTally tally = load(Protocol.HTTPS, secure, 0.5, 30);
            assertThat(tally.firstFault()).isEmpty();
            assertThat(tally.ended()).isGreaterThan(20);
            assertThat(tally.failed()).isZero();
        } finally {
            secure.stop(0);
        }
    }

    /// Ten thousand browsers keep the same images.
    @Test
    void addressesOfImagesAreKeptOnce() {
        ShopChain chain = ShopChain.of(ShopCell.Mix.ORDERING);
        ShopHabits habits = new ShopHabits(1, 1, 1, 2, 1);
        try (ShopLoad load = new ShopLoad(Protocol.HTTP, 1, chain, habits, 10, "newcomer")) {
            String first = load.shared("/cover/4.svg");
            assertThat(load.shared("/cover/" + first.charAt(7) + ".svg")).isSameAs(first);
            assertThat(load.shared("/cover/5.svg")).isEqualTo("/cover/5.svg");
        }
    }

    @Test
    void wrongPageIsWrong() throws IOException {
        page = "<h1>Something went wrong</h1></html>";
        ShopTally tally = load(100, 30);
        assertThat(tally.wrong()).isPositive().isEqualTo(tally.ended());
        assertThat(tally.share()).isZero();
        assertThat(tally.firstFault()).isEqualTo("home: wrong, status 200, Something went wrong");
    }

    @Test
    void missingImageIsWrong() throws IOException {
        imageStatus = 404;
        ShopTally tally = load(100, 30);
        assertThat(tally.wrong()).isPositive().isEqualTo(tally.ended());
        assertThat(tally.firstFault()).startsWith("home: wrong, /").endsWith("has status 404");
    }

    /// The users of the wrong shop have left before the measurement.
    @Test
    void wrongPageIsCountedBeforeTheMeasurement() {
        try (ShopLoad load = load()) {
            page = "<h1>Something went wrong</h1></html>";
            load.settle(6, 0.5);
            load.settle(0, 0);
            assertThat(load.aside().wrong()).isPositive().isEqualTo(load.aside().ended());
            assertThat(load.aside().firstFault())
                    .isEqualTo("home: wrong, status 200, Something went wrong");
            page = PAGE;
            load.settle(3, 0);
            assertThat(load.measure(0.5).wrong()).isZero();
        }
    }

    /// During the measurement the shop stops to answer. The answers that come afterwards are wrong.
    @Test
    void wrongPageIsCountedAfterTheMeasurement() {
        try (ShopLoad load = load()) {
            load.settle(6, 0.5);
            requestsMax = requests.size() + 100;
            ShopTally tally = load.measure(2);
            page = "<h1>Something went wrong</h1></html>";
            released.countDown();
            load.settle(0, 0);
            assertThat(tally.wrong()).isZero();
            assertThat(load.aside().wrong()).isPositive();
        }
    }

    @Test
    void refusalIsNoWrongAnswer() throws IOException {
        imageStatus = 503;
        ShopTally tally = load(100, 30);
        assertThat(tally.wrong()).isZero();
        assertThat(tally.count(Fate.UNAVAILABLE)).isPositive().isEqualTo(tally.failed());
    }

    @Test
    void answerThatDoesNotComeIsNotInTime() {
        ShopTally tally = new ShopTally(1_000);
        tally.ended(Interaction.HOME, Fate.RIGHT, 1_000, "");
        tally.ended(Interaction.HOME, Fate.RIGHT, 1_001, "");
        tally.pending(1_000);
        tally.pending(1_001);
        tally.close(1);
        assertThat(tally.share()).isEqualTo(1.0 / 3);
        assertThat(tally.ended(Interaction.HOME, Fate.RIGHT, 1_000, "")).isFalse();
        assertThat(tally.ended()).isEqualTo(2);
    }
}
