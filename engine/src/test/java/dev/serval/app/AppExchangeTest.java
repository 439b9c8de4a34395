package dev.serval.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.Serval;
import dev.serval.policy.Counter;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What an exchange reads from its request, and how it answers, over sockets.
@EveryMode
@Timeout(120)
final class AppExchangeTest {
    private static final AppLimits SMALL =
            AppLimits.DEFAULT.with(draft -> {
                draft.bodyMaxBytes = 10;
                draft.formMaxBytes = 12;
                draft.parametersMax = 3;
                draft.cookiesMax = 2;
            });

    @TempDir private Path folder;

    private static AppFixture serve(UnaryOperator<Serval.Builder> app) throws IOException {
        return new AppFixture(app);
    }

    @Test
    void readsQueryFormAndCookiesUpToTheirLimits() throws IOException {
        try (AppFixture app =
                serve(b ->
                        b.limits(SMALL)
                                .get("/q", x -> x.text(x.query().toString()))
                                .get("/c", x -> x.text(x.cookies().toString()))
                                .post("/f", x -> x.text(x.form().toString())))) {
            assertThat(app.get("/q").text()).isEqualTo("{}");
            assertThat(app.get("/q?a=1&b=+&a=").text()).isEqualTo("{a=[1, ], b=[ ]}");
            assertThat(app.get("/q?a&b&c&d").status()).isEqualTo(400);
            assertThat(app.get("/q?a=%").text()).contains("without two hexadecimal digits");
            assertThat(app.ask("GET", "/c", "Cookie: a=1; b=2\r\n").text()).isEqualTo("{a=1, b=2}");
            assertThat(app.ask("GET", "/c", "Cookie: a=1; b=2; c=3\r\n").status()).isEqualTo(431);
            String form = "application/x-www-form-urlencoded";
            assertThat(app.post("/f", form, "a=1&b=2&c=34").text())
                    .isEqualTo("{a=[1], b=[2], c=[34]}");
            assertThat(app.post("/f", form + "; charset=utf-8", "a&b&c").status()).isEqualTo(200);
            assertThat(app.post("/f", form, "a&b&c&d").status()).isEqualTo(413);
            assertThat(app.post("/f", form, "a=1&b=2&c=345").status()).isEqualTo(413);
            assertThat(app.post("/f", form, "a=%zz").status()).isEqualTo(400);
            assertThat(app.post("/f", "multipart/form-data", "a").status()).isEqualTo(415);
            assertThat(app.ask("POST", "/f", "").status()).isEqualTo(415);
        }
    }

    @Test
    void readsContentUpToItsLimit() throws IOException {
        try (AppFixture app =
                serve(b ->
                        b.limits(SMALL)
                                .post("/echo", x -> x.json(x.body()))
                                .post("/text", x -> x.text(x.bodyText())))) {
            RawResponse echo = app.post("/echo", "application/json", "[\"123456\"");
            assertThat(echo.text()).isEqualTo("[\"123456\"");
            assertThat(echo.field("Content-Type")).isEqualTo("application/json");
            assertThat(app.post("/echo", "x/y", "1234567890").text()).isEqualTo("1234567890");
            assertThat(app.post("/echo", "x/y", "12345678901").status()).isEqualTo(413);
            String chunked = "Transfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n5\r\n67890\r\n0\r\n";
            assertThat(app.ask("POST", "/echo", chunked).text()).isEqualTo("1234567890");
            assertThat(
                            app.ask(
                                            "POST",
                                            "/echo",
                                            chunked.replace("0\r\n0\r\n", "01\r\n0\r\n")
                                                    .replace("\r\n5\r\n678", "\r\n6\r\n678"))
                                    .status())
                    .isEqualTo(413);
        }
        try (AppFixture app = serve(b -> b.post("/text", x -> x.text(x.bodyText())))) {
            assertThat(app.post("/text", "text/plain; charset=iso-8859-1", "\u00e4").text())
                    .isEqualTo("\u00e4");
            assertThat(app.post("/text", "text/plain", "\u00e4").status()).isEqualTo(400);
            assertThat(app.post("/text", "text/plain; charset=klingon", "a").status())
                    .isEqualTo(415);
        }
    }

    @Test
    void streamsLargeContentBothWays() throws IOException {
        byte[] much = new byte[3 << 20];
        for (int i = 0; i < much.length; i++) {
            much[i] = (byte) ((i * 31) >> 3);
        }
        try (AppFixture app =
                serve(b ->
                        b.post(
                                "/copy",
                                x -> {
                                    try (OutputStream out =
                                            x.field("Content-Type", "a/b").stream()) {
                                        x.bodyStream().transferTo(out);
                                    }
                                }))) {
            app.client
                    .send("POST /copy HTTP/1.1\r\nHost: a\r\nContent-Length: " + much.length)
                    .send("\r\n\r\n")
                    .send(much);
            RawResponse copy = app.client.answer("POST");
            assertThat(copy.field("Content-Type")).isEqualTo("a/b");
            assertThat(copy.body()).isEqualTo(much);
            assertThat(app.ask("POST", "/copy", "").text()).isEmpty();
        }
    }

    @Test
    void setsStatusFieldsAndContentInAnyOrder() throws IOException {
        try (AppFixture app =
                serve(b ->
                        b.get(
                                        "/a",
                                        x ->
                                                x.json("{}")
                                                        .status(201)
                                                        .field("location", "/a/1")
                                                        .field("X-A", "1")
                                                        .field("x-a", "2")
                                                        .addField("X-A", "3")
                                                        .cookie(Cookie.of("c", "1"))
                                                        .cookie(Cookie.of("d", "2")))
                                .get("/html", x -> x.html("<p>\u20ac"))
                                .get("/typed", x -> x.field("Content-Type", "text/csv").text("a,b"))
                                .get("/nothing", x -> {}))) {
            RawResponse a = app.get("/a");
            assertThat(a.status()).isEqualTo(201);
            assertThat(a.field("Location")).isEqualTo("/a/1");
            assertThat(a.all("X-A")).containsExactly("2", "3");
            assertThat(a.all("Set-Cookie")).hasSize(2);
            assertThat(app.get("/html").body())
                    .isEqualTo("<p>\u20ac".getBytes(StandardCharsets.UTF_8));
            assertThat(app.get("/typed").all("Content-Type")).containsExactly("text/csv");
            RawResponse nothing = app.get("/nothing");
            assertThat(nothing.status()).isEqualTo(200);
            assertThat(nothing.field("Content-Length")).isEqualTo("0");
        }
    }

    @Test
    void redirectStatusDependsOnMethodAndLocationIsAscii() throws IOException {
        try (AppFixture app =
                serve(b ->
                        b.get("/r", x -> x.redirect("/größe?a b"))
                                .post("/r", x -> x.redirect("/done"))
                                .put("/r", x -> x.status(308).redirect("https://example.org/")))) {
            assertThat(app.get("/r").status()).isEqualTo(302);
            assertThat(app.get("/r").field("Location")).isEqualTo("/gr%C3%B6%C3%9Fe?a%20b");
            assertThat(app.ask("POST", "/r", "").status()).isEqualTo(303);
            RawResponse put = app.ask("PUT", "/r", "");
            assertThat(put.status()).isEqualTo(308);
            assertThat(put.field("Location")).isEqualTo("https://example.org/");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/field",
                "/name",
                "/redirect",
                "/cookie",
                "/type",
                "/own",
                "/date",
                "/close"
            })
    void refusesValuesThatEndALine(String path) throws IOException {
        String evil = "a\r\nEvil: yes\r\n\r\n<p>";
        try (AppFixture app =
                serve(b ->
                        b.get("/field", x -> x.field("X-A", evil))
                                .get("/name", x -> x.addField("X-A: b\r\nEvil", "yes"))
                                .get("/redirect", x -> x.redirect(evil))
                                .get("/cookie", x -> x.cookie(Cookie.of("a", evil)))
                                .get("/type", x -> x.bytes(new byte[1], evil))
                                .get("/own", x -> x.field("content-length", "0"))
                                .get("/date", x -> x.addField("Date", "today"))
                                .get("/close", x -> x.field("Connection", "close"))
                                .get("/fine", x -> x.text("fine")))) {
            RawResponse answer = app.get(path);
            assertThat(answer.status()).isEqualTo(500);
            assertThat(answer.has("Evil")).isFalse();
            assertThat(app.get("/fine").text()).isEqualTo("fine");
        }
    }

    @Test
    void exceptionAfterStreamBeganBreaksResponse() throws IOException {
        try (AppFixture app =
                serve(b ->
                        b.exception(Exception.class, (e, x) -> x.text("too late"))
                                .get(
                                        "/",
                                        x -> {
                                            x.stream().write(new byte[100]);
                                            x.stream();
                                        })
                                .get(
                                        "/late",
                                        x -> {
                                            OutputStream out = x.stream();
                                            out.write(new byte[100]);
                                            out.flush();
                                            throw new IOException("broken");
                                        }))) {
            RawClient client = RawClient.connect(app.server.addresses().getFirst());
            client.send("GET /late HTTP/1.1\r\nHost: a\r\n\r\n");
            String all = new String(client.rest(), StandardCharsets.ISO_8859_1);
            assertThat(all).startsWith("HTTP/1.1 200").doesNotContain("too late", "\r\n0\r\n");
            client.close();
        }
    }

    @Test
    void sendsFileWithValidatorsAndRanges() throws IOException {
        Path site = site();
        Path large = Files.write(site.resolve("large.bin"), new byte[200_000]);
        try (AppFixture app =
                serve(b ->
                        b.get("/one", x -> x.field("X-A", "1").file(site.resolve("a.txt")))
                                .get("/large", x -> x.file(large))
                                .get(
                                        "/named",
                                        x ->
                                                x.field("Content-Type", "x/y")
                                                        .status(404)
                                                        .file(site.resolve("a.txt")))
                                .post("/one", x -> x.file(site.resolve("a.txt")))
                                .get(
                                        "/dropped",
                                        x -> {
                                            x.file(large);
                                            throw new HttpException(409, "x");
                                        })
                                .get("/replaced", x -> x.file(large).text("text"))
                                .get("/below/{path...}", x -> x.file(site, x.param("path")))
                                .get("/query", x -> x.file(site, x.query().first("f", ""))))) {
            RawResponse one = app.get("/one");
            assertThat(one.text()).isEqualTo("file a");
            assertThat(one.field("Content-Type")).isEqualTo("text/plain; charset=utf-8");
            assertThat(one.field("X-A")).isEqualTo("1");
            String tag = one.field("ETag");
            RawResponse same = app.ask("GET", "/one", "If-None-Match: " + tag + "\r\n");
            assertThat(same.status()).isEqualTo(304);
            assertThat(same.field("X-A")).isEqualTo("1");
            assertThat(app.ask("GET", "/one", "Range: bytes=0-3\r\n").text()).isEqualTo("file");
            assertThat(app.ask("POST", "/one", "").text()).isEqualTo("file a");
            assertThat(app.get("/large").body()).hasSize(200_000);
            assertThat(app.ask("GET", "/large", "Range: bytes=-5\r\n").body()).hasSize(5);
            RawResponse named = app.get("/named");
            assertThat(named.status()).isEqualTo(404);
            assertThat(named.all("Content-Type")).containsExactly("x/y");
            assertThat(app.get("/dropped").status()).isEqualTo(409);
            assertThat(app.get("/replaced").text()).isEqualTo("text");
            assertThat(app.get("/below/private/b.txt").text()).isEqualTo("file b");
            for (String hidden :
                    List.of(
                            ".env",
                            "../secret",
                            "/etc/passwd",
                            "",
                            "a.txt/",
                            "a.txt%00",
                            "a.txt%00.png",
                            "absent")) {
                assertThat(app.get("/query?f=" + hidden).status()).as(hidden).isEqualTo(404);
            }
        }
        Await.until("the file is closed", () -> openChannels(large) == 0);
    }

    @Test
    void closesFileAfterClientDisconnected() throws IOException {
        Path large = Files.write(folder.resolve("large.bin"), new byte[200_000]);
        CountDownLatch opened = new CountDownLatch(1);
        CountDownLatch gone = new CountDownLatch(1);
        AppFixture app =
                serve(b ->
                        b.get(
                                "/",
                                x -> {
                                    x.file(large);
                                    opened.countDown();
                                    gone.await();
                                }));
        app.client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        Await.open("the file to be opened", opened);
        app.client.reset();
        Await.until(
                "the server to notice the disconnect",
                () -> app.server.metrics().sum(Counter.PEERS_GONE) == 1);
        gone.countDown();
        app.close();
        Await.until("the file is closed", () -> openChannels(large) == 0);
    }

    /// Returns how many file descriptors of this process refer to the file.
    private static long openChannels(Path file) {
        Path descriptors = Path.of("/proc/self/fd");
        if (!Files.isDirectory(descriptors)) {
            return 0;
        }
        try (var all = Files.list(descriptors)) {
            return all.filter(link -> leadsTo(link, file)).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean leadsTo(Path link, Path file) {
        try {
            return Files.readSymbolicLink(link).equals(file.toRealPath());
        } catch (IOException e) {
            return false; // closed meanwhile
        }
    }

    private Path site() throws IOException {
        Path site = folder.resolve("site");
        Files.createDirectories(site.resolve("private"));
        Files.writeString(folder.resolve("secret"), "secret");
        Files.writeString(site.resolve(".env"), "secret");
        Files.writeString(site.resolve("a.txt"), "file a");
        Files.writeString(site.resolve("private/b.txt"), "file b");
        return site;
    }
}
