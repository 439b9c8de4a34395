package dev.serval.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.Serval;
import dev.serval.http.Method;
import dev.serval.policy.Counter;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Routes, filters and exchanges of applications, over sockets.
@EveryMode
@Timeout(120)
final class AppTest {
    @TempDir private Path folder;

    private static AppFixture serve(UnaryOperator<Serval.Builder> app) throws IOException {
        return new AppFixture(app);
    }

    @Test
    void routeAnswersOnlyItsPathAndMethod() throws IOException {
        try (AppFixture app = serve(b -> b.get("/hello", x -> x.text("Hello")))) {
            RawResponse hello = app.get("/hello");
            assertThat(hello.status()).isEqualTo(200);
            assertThat(hello.text()).isEqualTo("Hello");
            assertThat(hello.field("Content-Type")).isEqualTo("text/plain; charset=utf-8");
            assertThat(hello.field("Content-Length")).isEqualTo("5");
            assertThat(app.get("/hello/any/thing").status()).isEqualTo(404);
            assertThat(app.get("/hello/").status()).isEqualTo(404);
            assertThat(app.get("//hello").text()).isEqualTo("Hello");
            assertThat(app.get("/hel%6Co?x=1").text()).isEqualTo("Hello");
            for (String other : List.of("DELETE", "TRACE")) {
                RawResponse refused = app.ask(other, "/hello", "");
                assertThat(refused.status()).isEqualTo(405);
                assertThat(refused.field("Allow")).isEqualTo("GET, HEAD, OPTIONS");
            }
        }
    }

    @Test
    void answersHeadAndOptionsWithoutTheirOwnRoutes() throws IOException {
        try (AppFixture app =
                serve(b -> b.get("/x", x -> x.text("Hello")).put("/x", x -> x.status(204)))) {
            RawResponse head = app.ask("HEAD", "/x", "");
            assertThat(head.status()).isEqualTo(200);
            assertThat(head.field("Content-Length")).isEqualTo("5");
            RawResponse options = app.ask("OPTIONS", "/x", "");
            assertThat(options.status()).isEqualTo(204);
            assertThat(options.field("Allow")).isEqualTo("GET, HEAD, PUT, OPTIONS");
            RawResponse put = app.ask("PUT", "/x", "");
            assertThat(put.status()).isEqualTo(204);
            assertThat(put.has("Content-Length")).isFalse();
            assertThat(app.ask("OPTIONS", "/y", "").status()).isEqualTo(404);
        }
        try (AppFixture app =
                serve(b ->
                        b.route(Method.HEAD, "/x", x -> x.field("Seen", "head"))
                                .route(Method.OPTIONS, "/x", x -> x.field("Seen", "options")))) {
            assertThat(app.ask("HEAD", "/x", "").field("Seen")).isEqualTo("head");
            assertThat(app.ask("OPTIONS", "/x", "").field("Seen")).isEqualTo("options");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/users/7, 7",
        "/users/a%20b, a b",
        "/users/%C3%A4, ä",
        "/users/a+b, a+b",
        "/users/a;v=1, a;v=1",
        "/files/, <>",
        "/files/a/b%20c/, <a/b c/>",
        "/files//a/./b/../c, <a/c>"
    })
    void parametersAreDecodedTextOfThePath(String target, String value) throws IOException {
        try (AppFixture app =
                serve(b ->
                        b.get("/users/{id}", x -> x.text(x.param("id")))
                                .get("/files/{p...}", x -> x.text("<" + x.param("p") + ">")))) {
            assertThat(app.get(target).text()).isEqualTo(value);
        }
    }

    @ParameterizedTest
    @CsvSource({"/docs, <>", "/docs/, <>", "/docs/a/b, <a/b>"})
    void restOfTheMountItselfIsEmpty(String target, String value) throws IOException {
        App docs = App.builder().get("/{p...}", x -> x.text("<" + x.param("p") + ">")).build();
        try (AppFixture app = serve(b -> b.mount("/docs", docs))) {
            assertThat(app.get(target).text()).isEqualTo(value);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/users/a%2Fb", "/users/a%5Cb", "/users/%00", "/users/%ff", "/users/%"})
    void ambiguousPathReachesNoHandler(String target) throws IOException {
        try (AppFixture app = serve(b -> b.get("/{any...}", x -> x.text(x.param("any"))))) {
            assertThat(app.get(target).status()).isEqualTo(400);
        }
    }

    @Test
    void mountedAppSeesPathsBelowItsPrefix() throws IOException {
        App api =
                App.builder()
                        .get("/", x -> x.text("root"))
                        .get("/users/{id}", x -> x.text(x.param("id") + " at " + x.path()))
                        .filter("/users", (x, next) -> next.handle(x.field("Seen", "yes")))
                        .files("/static", site())
                        .build();
        try (AppFixture app = serve(b -> b.mount("/api", api).mount("/", x -> x.pass()))) {
            assertThat(app.get("/api").text()).isEqualTo("root");
            assertThat(app.get("/api/").text()).isEqualTo("root");
            RawResponse user = app.get("/api/users/7");
            assertThat(user.text()).isEqualTo("7 at /api/users/7");
            assertThat(user.field("Seen")).isEqualTo("yes");
            assertThat(app.get("/users/7").status()).isEqualTo(404);
            assertThat(app.get("/api/static/a.txt").text()).isEqualTo("file a");
            assertThat(app.get("/api/static").field("Location")).isEqualTo("/api/static/");
        }
    }

    @Test
    void refusesRoutesThatMatchTheSamePathsAndNamesBoth() {
        App.Builder twice = App.builder().get("/users/{id}", x -> {}).get("/users/{name}", x -> {});
        assertThatThrownBy(twice::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "GET /users/{name} and GET /users/{id} match the same paths, and neither is"
                                + " more specific: remove one.");
        assertThatThrownBy(() -> App.builder().get("/a", x -> {}).get("/a", x -> {}).build())
                .hasMessage("GET /a is registered twice: each method of a path has one handler.");
        assertThatThrownBy(() -> App.builder().get("/{p...}", x -> {}).files("/", folder).build())
                .hasMessageContaining("files at / and GET /{p...} match the same paths");
        assertThatThrownBy(() -> App.builder().files("/d", folder).get("/d", x -> {}).build())
                .hasMessageContaining("GET /d and files at /d match the same paths");
        assertThatThrownBy(() -> App.builder().route(Method.TRACE, "/", x -> {}))
                .hasMessageContaining("refuses TRACE");
        assertThatThrownBy(() -> Serval.listen(0).get("/a", x -> {}).mount("/", x -> {}).start())
                .hasMessageContaining("Two mounts at /");
        assertThatThrownBy(() -> App.builder().filter("/a/{b}", (x, next) -> {}))
                .hasMessageContaining("without parameters");
    }

    @Test
    void filtersRunInOrderAroundTheRequestsTheyCover() throws IOException {
        List<String> log = Collections.synchronizedList(new ArrayList<>());
        try (AppFixture app =
                serve(b ->
                        b.filter(
                                        (x, next) -> {
                                            log.add("one");
                                            next.handle(x);
                                            log.add("one after " + x.status().code());
                                        })
                                .filter(
                                        "/admin",
                                        (x, next) -> {
                                            log.add("two");
                                            if (x.query("user") == null) {
                                                throw new HttpException(401, "Who are you?");
                                            }
                                            next.handle(
                                                    x.attach(
                                                            String.class,
                                                            "user " + x.query("user")));
                                            x.status(202);
                                        })
                                .get("/admin/x", x -> x.text(x.attached(String.class)))
                                .get("/administrator", x -> x.text("open")))) {
            assertThat(app.get("/administrator").text()).isEqualTo("open");
            assertThat(log).containsExactly("one", "one after 200");
            log.clear();
            RawResponse known = app.get("/admin/x?user=7");
            assertThat(known.text()).isEqualTo("user 7");
            assertThat(known.status()).isEqualTo(202);
            assertThat(log).containsExactly("one", "two", "one after 202");
            RawResponse unknown = app.get("/admin/x");
            assertThat(unknown.status()).isEqualTo(401);
            assertThat(unknown.text()).contains("Who are you?");
        }
    }

    @Test
    void refusesFilterThatCallsItsNextTwice() throws IOException {
        try (AppFixture app =
                serve(b ->
                        b.filter(
                                        (x, next) -> {
                                            next.handle(x);
                                            next.handle(x);
                                        })
                                .get("/", x -> x.text("once")))) {
            assertThat(app.get("/").status()).isEqualTo(500);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void fieldsOfFiltersReachEveryResponse(boolean onLoop) throws IOException {
        Path site = site();
        AppFilter cors =
                (x, next) -> {
                    x.field("Access-Control-Allow-Origin", "*").addField("Vary", "Origin");
                    next.handle(x.field("Cache-Control", "no-cache"));
                };
        try (AppFixture app =
                serve(b ->
                        b.files("/site", site)
                                .get("/text", x -> x.text("text"))
                                .get(
                                        "/broken",
                                        x -> {
                                            x.field("X-Own", "lost");
                                            throw new HttpException(409, "Not now.");
                                        })
                                .filter(onLoop ? AppFilter.onLoop(cors) : cors))) {
            for (String path : List.of("/text", "/site/a.txt", "/broken", "/site/absent")) {
                RawResponse answer = app.get(path);
                assertThat(answer.field("Access-Control-Allow-Origin")).isEqualTo("*");
                assertThat(answer.field("Cache-Control")).isEqualTo("no-cache");
                assertThat(answer.field("Vary")).contains("Origin");
                assertThat(answer.has("X-Own")).isFalse();
            }
            assertThat(app.get("/site/a.txt").text()).isEqualTo("file a");
            assertThat(app.get("/site/absent").status()).isEqualTo(404);
            assertThat(app.get("/broken").status()).isEqualTo(409);
            for (String path : List.of("/text", "/site/a.txt")) {
                RawResponse refused = app.ask("DELETE", path, "");
                assertThat(refused.status()).isEqualTo(405);
                assertThat(refused.field("Access-Control-Allow-Origin")).isEqualTo("*");
                RawResponse options = app.ask("OPTIONS", path, "");
                assertThat(options.status()).isEqualTo(204);
                assertThat(options.field("Allow")).contains("GET");
                assertThat(options.field("Access-Control-Allow-Origin")).isEqualTo("*");
            }
        }
    }

    @Test
    void handlerOfHttpExceptionAnswersOtherMethods() throws IOException {
        try (AppFixture app =
                serve(b ->
                        b.get("/text", x -> x.text("text"))
                                .filter((x, next) -> {
                                    x.field("Cache-Control", "no-store");
                                    next.handle(x);
                                })
                                .exception(
                                        HttpException.class,
                                        (e, x) -> x.status(e.status()).json("{}")))) {
            RawResponse refused = app.ask("DELETE", "/text", "");
            assertThat(refused.status()).isEqualTo(405);
            assertThat(refused.field("Allow")).isEqualTo("GET, HEAD, OPTIONS");
            assertThat(refused.field("Cache-Control")).isEqualTo("no-store");
            assertThat(refused.text()).isEqualTo("{}");
            assertThat(app.ask("OPTIONS", "/text", "").status()).isEqualTo(204);
        }
    }

    @Test
    void filterAnswersOptionsInsteadOfTheApplication() throws IOException {
        try (AppFixture app =
                serve(b ->
                        b.get("/text", x -> x.text("text"))
                                .filter((x, next) -> {
                                    if (x.method() == Method.OPTIONS) {
                                        x.status(204).field("Access-Control-Allow-Methods", "GET");
                                    } else {
                                        next.handle(x);
                                    }
                                }))) {
            RawResponse preflight = app.ask("OPTIONS", "/text", "");
            assertThat(preflight.status()).isEqualTo(204);
            assertThat(preflight.field("Access-Control-Allow-Methods")).isEqualTo("GET");
            assertThat(preflight.has("Allow")).isFalse();
            assertThat(app.get("/text").text()).isEqualTo("text");
        }
    }

    @Test
    void filtersCoverFiles() throws IOException {
        Path site = site();
        try (AppFixture app =
                serve(b ->
                        b.files("/", site)
                                .files("/loop", site)
                                .get("/time", x -> x.text("now"))
                                .filter(
                                        "/private",
                                        (x, next) -> {
                                            if (!"yes".equals(x.query("key"))) {
                                                throw new HttpException(403, "No key.");
                                            }
                                            next.handle(x);
                                        })
                                .filter(
                                        "/loop",
                                        AppFilter.onLoop((x, next) -> {
                                            if (x.query("no") != null) {
                                                x.status(418).text("no");
                                            } else {
                                                next.handle(x);
                                            }
                                        })))) {
            assertThat(app.get("/a.txt").text()).isEqualTo("file a");
            assertThat(app.get("/time").text()).isEqualTo("now");
            assertThat(app.ask("GET", "/a.txt", "Range: bytes=5-\r\n").text()).isEqualTo("a");
            assertThat(app.get("/private/b.txt").status()).isEqualTo(403);
            assertThat(app.get("//private/./b.txt").status()).isEqualTo(403);
            assertThat(app.get("/private/b.txt?key=yes").text()).isEqualTo("file b");
            assertThat(app.ask("GET", "/private/b.txt?key=yes", "Range: bytes=5-\r\n").status())
                    .isEqualTo(206);
            assertThat(app.ask("POST", "/private/b.txt", "").status()).isEqualTo(403);
            assertThat(app.ask("POST", "/private/b.txt?key=yes", "").status()).isEqualTo(405);
            assertThat(app.ask("POST", "/private/absent?key=yes", "").status()).isEqualTo(405);
            assertThat(app.ask("OPTIONS", "/private/b.txt", "").status()).isEqualTo(403);
            assertThat(app.ask("OPTIONS", "/private/b.txt?key=yes", "").status()).isEqualTo(204);
            assertThat(app.get("/private/absent?key=yes").status()).isEqualTo(404);
            assertThat(app.get("/loop/a.txt").text()).isEqualTo("file a");
            assertThat(app.get("/loop/a.txt?no").text()).isEqualTo("no");
            String withContent = "Content-Length: 1\r\n\r\nx";
            assertThat(
                            app.client
                                    .send(
                                            "GET /private/b.txt?key=yes HTTP/1.1\r\nHost: a\r\n"
                                                    + withContent)
                                    .answer("GET")
                                    .text())
                    .isEqualTo("file b");
        }
    }

    @Test
    void otherwiseAnswersMissingRoutesAndFiles() throws IOException {
        Path site = site();
        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        try (AppFixture app =
                serve(b ->
                        b.files("/files", site)
                                .filter((x, next) -> {
                                    seen.add(x.path());
                                    next.handle(x);
                                })
                                .otherwise(x -> x.status(404).text("nowhere " + x.path())))) {
            assertThat(app.get("/x").text()).isEqualTo("nowhere /x");
            assertThat(app.get("/files/a.txt").text()).isEqualTo("file a");
            RawResponse absent = app.get("/files/absent");
            assertThat(absent.status()).isEqualTo(404);
            assertThat(absent.text()).isEqualTo("nowhere /files/absent");
            assertThat(seen).containsExactly("/x", "/files/a.txt", "/files/absent");
        }
    }

    @Test
    void nearestTypeAnswersExceptionAndDiscardsResponse() throws IOException {
        try (AppFixture app =
                serve(b ->
                        b.exception(IOException.class, (e, x) -> x.status(502).text("io"))
                                .exception(
                                        FileNotFoundException.class,
                                        (e, x) -> x.status(404).text("no " + e.getMessage()))
                                .exception(
                                        HttpException.class,
                                        (e, x) -> x.status(e.status()).text("http"))
                                .exception(
                                        IllegalStateException.class,
                                        (e, x) -> {
                                            throw new IOException("again");
                                        })
                                .get(
                                        "/io",
                                        x -> {
                                            x.field("X-Set", "1").text("never seen");
                                            throw new IOException("x");
                                        })
                                .get(
                                        "/absent",
                                        x -> {
                                            throw new FileNotFoundException("file");
                                        })
                                .get(
                                        "/http",
                                        x -> {
                                            throw new HttpException(409, "x");
                                        })
                                .get(
                                        "/twice",
                                        x -> {
                                            throw new IllegalStateException("x");
                                        })
                                .get(
                                        "/other",
                                        x -> {
                                            throw new Exception("secret");
                                        }))) {
            RawResponse io = app.get("/io");
            assertThat(io.status()).isEqualTo(502);
            assertThat(io.text()).isEqualTo("io");
            assertThat(io.has("X-Set")).isFalse();
            assertThat(app.get("/absent").text()).isEqualTo("no file");
            assertThat(app.get("/http").status()).isEqualTo(409);
            assertThat(faults(app)).isZero();
            assertThat(app.get("/twice").status()).isEqualTo(500);
            assertThat(app.get("/other").status()).isEqualTo(500);
            assertThat(app.get("/other").text()).doesNotContain("secret", "Exception");
            assertThat(faults(app)).isEqualTo(3);
        }
    }

    private static long faults(AppFixture app) {
        return app.server.metrics().sum(Counter.HANDLER_FAULTS);
    }

    @Test
    void handlersOnTheLoopRunThereAndMustNotBlock() throws IOException {
        try (AppFixture app =
                serve(b ->
                        b.get("/loop", AppHandler.onLoop(x -> x.text(thread())))
                                .get("/worker", x -> x.text(thread()))
                                .get(
                                        "/{id}",
                                        AppHandler.onLoop(x -> x.status(201).text(x.param("id"))))
                                .post("/body", AppHandler.onLoop(x -> x.json(x.body())))
                                .get(
                                        "/refused",
                                        AppHandler.onLoop(x -> {
                                            throw new HttpException(410, "Gone");
                                        }))
                                .get(
                                        "/checked",
                                        AppHandler.onLoop(x -> {
                                            throw new IOException("x");
                                        }))
                                .get("/blocked/x", AppHandler.onLoop(x -> x.text(thread())))
                                .filter("/blocked", (x, next) -> next.handle(x)))) {
            assertThat(app.get("/loop").text()).startsWith("platform serval-loop-");
            assertThat(app.get("/worker").text()).startsWith("virtual ");
            assertThat(app.get("/blocked/x").text()).startsWith("virtual ");
            assertThat(app.get("/7").text()).isEqualTo("7");
            assertThat(app.get("/refused").status()).isEqualTo(410);
            assertThat(app.get("/checked").status()).isEqualTo(500);
            assertThat(app.post("/body", "a/b", "c").status()).isEqualTo(500);
        }
    }

    private static String thread() {
        Thread thread = Thread.currentThread();
        return (thread.isVirtual() ? "virtual " : "platform ") + thread.getName();
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
