package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.policy.AddressRange;
import dev.serval.policy.TrustedProxies;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import dev.serval.testkit.mode.Mode;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Applications over sockets, from the request to the answer.
@EveryMode
@Timeout(60)
final class WebAppTest {
    /// The code of a servlet.
    private interface Code {
        void run(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException;
    }

    private static final class Servlet extends HttpServlet {
        private static final long serialVersionUID = 1;
        private final transient Code code;

        Servlet(Code code) {
            this.code = code;
        }

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            code.run(request, response);
        }
    }

    private static ServletServer serve(Code code) throws IOException {
        return ServletServer.start(WebApp.at("/app").servlet("/s/*", new Servlet(code)));
    }

    @Test
    void answersWithText() throws Exception {
        try (ServletServer server =
                serve((request, response) -> {
                    response.setContentType("text/plain;charset=UTF-8");
                    response.getWriter().print("hello " + request.getParameter("name"));
                })) {
            RawResponse response = server.get("/app/s/x?name=W%C3%B6rld");
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.field("Content-Type")).isEqualTo("text/plain;charset=UTF-8");
            assertThat(response.field("Content-Length")).isEqualTo("12");
            assertThat(response.text()).isEqualTo("hello Wörld");
        }
    }

    @Test
    void requestShowsItsParts() throws Exception {
        try (ServletServer server =
                serve((request, response) ->
                        response.getWriter()
                                .print(
                                        String.join(
                                                "|",
                                                request.getMethod(),
                                                request.getRequestURI(),
                                                request.getContextPath(),
                                                request.getServletPath(),
                                                request.getPathInfo(),
                                                request.getQueryString(),
                                                request.getRequestURL(),
                                                request.getHttpServletMapping().getPattern(),
                                                request.getServerName(),
                                                request.getHeader("x-a"))))) {
            assertThat(server.get("/app/s/a%20b;v=1?q", "X-A: 1").text())
                    .isEqualTo(
                            "GET|/app/s/a%20b;v=1|/app|/s|/a b|q|"
                                    + ServletServer.origin()
                                    + "/app/s/a%20b;v=1|/s/*"
                                    + "|test|1");
        }
    }

    @Test
    void requestNamesItsProtocolAndItsStream() throws Exception {
        Mode mode = Mode.current();
        String alpn =
                switch (mode) {
                    case H1, H1_TLS -> "http/1.1";
                    case H2C -> "h2c";
                    case H2 -> "h2";
                };
        try (ServletServer server =
                        serve((request, response) ->
                                response.getWriter()
                                        .print(
                                                String.join(
                                                        "|",
                                                        request.getProtocol(),
                                                        request.getServletConnection()
                                                                .getProtocol(),
                                                        request.getProtocolRequestId(),
                                                        request.getScheme(),
                                                        String.valueOf(request.isSecure()))));
                RawClient client = server.client()) {
            String get = "GET /app/s HTTP/1.1\r\nHost: a\r\n\r\n";
            String start = mode.protocol() + "|" + alpn + "|";
            String end = "|" + mode.scheme() + "|" + mode.isTls();
            assertThat(client.exchange(get).text())
                    .isEqualTo(start + (mode.isHttp2() ? "1" : "") + end);
            assertThat(client.exchange(get).text())
                    .isEqualTo(start + (mode.isHttp2() ? "3" : "") + end);
        }
    }

    @Test
    void requestShowsTheClientThatATrustedProxyNames() throws Exception {
        try (ServletServer server =
                serve((request, response) ->
                        response.getWriter()
                                .print(
                                        String.join(
                                                "|",
                                                request.getRemoteAddr(),
                                                request.getRemoteHost(),
                                                String.valueOf(request.getRemotePort()),
                                                request.getScheme(),
                                                String.valueOf(request.isSecure()),
                                                request.getServerName(),
                                                String.valueOf(request.getServerPort()),
                                                request.getRequestURL(),
                                                String.valueOf(
                                                        request.getServletConnection()
                                                                .isSecure()))))) {
            server.server()
                    .trustedProxies(new TrustedProxies(List.of(AddressRange.of("127.0.0.0/8"))));
            assertThat(
                            server.get(
                                            "/app/s",
                                            "Forwarded: for=\"[2001:db8::7]:99\";proto=https;"
                                                    + "host=shop.example")
                                    .text())
                    .isEqualTo(
                            "2001:db8:0:0:0:0:0:7|2001:db8:0:0:0:0:0:7|99|https|true|shop.example"
                                    + "|443|https://shop.example/app/s|"
                                    + Mode.current().isTls());
            server.server().trustedProxies(null);
            assertThat(server.get("/app/s", "X-Forwarded-For: 203.0.113.7").text())
                    .startsWith("127.0.0.1|127.0.0.1|")
                    .endsWith(
                            String.join(
                                    "|",
                                    "",
                                    Mode.current().scheme(),
                                    String.valueOf(Mode.current().isTls()),
                                    "test",
                                    Mode.current().isTls() ? "443" : "80",
                                    ServletServer.origin() + "/app/s",
                                    String.valueOf(Mode.current().isTls())));
        }
    }

    @Test
    void formParametersFollowThoseOfTheQuery() throws Exception {
        try (ServletServer server =
                serve((request, response) ->
                        response.getWriter()
                                .print(String.join(",", request.getParameterValues("a"))))) {
            assertThat(
                            server.post(
                                            "/app/s?a=1",
                                            "a=2&b=3&a=4",
                                            "Content-Type: application/x-www-form-urlencoded")
                                    .text())
                    .isEqualTo("1,2,4");
        }
    }

    @Test
    void contentThatTheClientSentWrongIsNotTheServersFault() throws Exception {
        String form = "Content-Type: application/x-www-form-urlencoded";
        try (ServletServer server =
                serve((request, response) ->
                        response.getWriter().print(request.getParameterMap().size()))) {
            assertThat(server.get("/app/s?a=%25zz").status()).isEqualTo(200);
            assertThat(server.post("/app/s", "a=%zz", form).status()).isEqualTo(400);
            assertThat(server.post("/app/s", "a=1&".repeat(1000), form).status()).isEqualTo(200);
            assertThat(server.post("/app/s", "a=1&".repeat(1001), form).status()).isEqualTo(400);
            assertThat(server.post("/app/s", "a=" + "x".repeat(2 << 20), form).status())
                    .isEqualTo(413);
        }
    }

    @Test
    void exceptionGives500WithoutTrace() throws Exception {
        try (ServletServer server =
                serve((_, _) -> {
                    throw new IllegalStateException("secret");
                })) {
            RawResponse response = server.get("/app/s");
            assertThat(response.status()).isEqualTo(500);
            assertThat(response.text()).doesNotContain("IllegalStateException");
        }
    }

    @Test
    void sendErrorAnswersWithAPage() throws Exception {
        try (ServletServer server =
                serve((_, response) -> {
                    response.getWriter().print("dropped");
                    response.setHeader("X-Kept", "yes");
                    response.sendError(409, "A <conflict>");
                })) {
            RawResponse response = server.get("/app/s");
            assertThat(response.status()).isEqualTo(409);
            assertThat(response.field("X-Kept")).isEqualTo("yes");
            assertThat(response.text()).contains("A &lt;conflict&gt;").doesNotContain("dropped");
        }
    }

    @Test
    void unknownPathsAreNotFound() throws Exception {
        try (ServletServer server = serve((_, _) -> {})) {
            assertThat(server.get("/app/none").status()).isEqualTo(404);
            assertThat(server.get("/app/WEB-INF/web.xml").status()).isEqualTo(404);
            assertThat(server.get("/app").status()).isEqualTo(302);
            assertThat(server.get("/app").field("Location")).isEqualTo("/app/");
            assertThat(server.get("/other").status()).isEqualTo(404);
        }
    }

    @Test
    void sessionLastsOverRequests() throws Exception {
        try (ServletServer server =
                        serve((request, response) -> {
                            Integer count = (Integer) request.getSession().getAttribute("n");
                            int next = count == null ? 1 : count + 1;
                            request.getSession().setAttribute("n", next);
                            response.getWriter().print(next);
                        });
                RawClient client = server.client()) {
            RawResponse first = client.exchange("GET /app/s HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(first.text()).isEqualTo("1");
            String cookie = Objects.requireNonNull(first.field("Set-Cookie"));
            assertThat(cookie)
                    .matches("JSESSIONID=[A-Za-z0-9_-]{22}; .*")
                    .contains("HttpOnly")
                    .contains("SameSite=Lax")
                    .contains("Path=/app");
            String id = cookie.substring(0, cookie.indexOf(';'));
            RawResponse second =
                    client.exchange("GET /app/s HTTP/1.1\r\nHost: a\r\nCookie: " + id + "\r\n\r\n");
            assertThat(second.text()).isEqualTo("2");
            assertThat(second.has("Set-Cookie")).isFalse();
        }
    }

    @Test
    void asyncRequestIsCompletedByAnotherThread() throws Exception {
        try (ServletServer server =
                serve((request, response) -> {
                    AsyncContext async = request.startAsync();
                    async.start(() -> {
                        try {
                            async.getResponse().getWriter().print("later");
                        } catch (IOException e) {
                            throw new IllegalStateException(e);
                        }
                        async.complete();
                    });
                })) {
            for (int i = 0; i < 200; i++) {
                assertThat(server.get("/app/s").text()).isEqualTo("later");
            }
        }
    }

    @Test
    void asyncRequestIsDispatched() throws Exception {
        try (ServletServer server =
                ServletServer.start(
                        WebApp.at("")
                                .servlet(
                                        "/first",
                                        new Servlet((request, _) -> {
                                            AsyncContext async = request.startAsync();
                                            async.start(() -> async.dispatch("/second?x=1"));
                                        }))
                                .servlet(
                                        "/second",
                                        new Servlet((request, response) ->
                                                response.getWriter()
                                                        .print(
                                                                request.getDispatcherType()
                                                                        + request.getRequestURI()
                                                                        + request.getParameter("x")
                                                                        + request.getAttribute(
                                                                                AsyncContext
                                                                                        .ASYNC_REQUEST_URI)))))) {
            for (int i = 0; i < 200; i++) {
                assertThat(server.get("/first").text()).isEqualTo("ASYNC/second1/first");
            }
        }
    }

    @Test
    void asyncTimeoutGives500() throws Exception {
        try (ServletServer server = serve((request, _) -> request.startAsync().setTimeout(20))) {
            assertThat(server.get("/app/s").status()).isEqualTo(500);
        }
    }

    @Test
    void forwardReplacesTheAnswerAndIncludeAddsToIt() throws Exception {
        try (ServletServer server =
                ServletServer.start(
                        WebApp.at("")
                                .servlet(
                                        "/forward",
                                        new Servlet((request, response) -> {
                                            response.getWriter().print("dropped");
                                            request.getRequestDispatcher("/target?b=2")
                                                    .forward(request, response);
                                        }))
                                .servlet(
                                        "/include",
                                        new Servlet((request, response) -> {
                                            response.getWriter().print("[");
                                            request.getRequestDispatcher("target?b=2")
                                                    .include(request, response);
                                            response.getWriter().print("]");
                                        }))
                                .servlet(
                                        "/target",
                                        new Servlet((request, response) -> {
                                            response.setHeader("X-Target", "1");
                                            response.getWriter()
                                                    .print(
                                                            request.getDispatcherType()
                                                                    + " "
                                                                    + request.getServletPath()
                                                                    + " "
                                                                    + request.getParameter("a")
                                                                    + request.getParameter("b"));
                                        })))) {
            RawResponse forward = server.get("/forward?a=1");
            assertThat(forward.text()).isEqualTo("FORWARD /target 12");
            assertThat(forward.field("X-Target")).isEqualTo("1");
            RawResponse include = server.get("/include?a=1");
            assertThat(include.text()).isEqualTo("[INCLUDE /include 12]");
            assertThat(include.has("X-Target")).isFalse();
        }
    }

    @Test
    void requestThatWasKeptFailsAfterItsEnd() throws Exception {
        AtomicReference<HttpServletRequest> kept = new AtomicReference<>();
        AtomicReference<HttpServletResponse> keptResponse = new AtomicReference<>();
        try (ServletServer server =
                serve((request, response) -> {
                    kept.set(request);
                    keptResponse.set(response);
                    response.getWriter().print("x");
                })) {
            server.get("/app/s", "X-Secret: 1");
            assertThat(catchThrowable(() -> kept.get().getHeader("X-Secret")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("The request has ended");
            assertThat(catchThrowable(() -> keptResponse.get().setHeader("a", "b")))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    private static Throwable catchThrowable(Runnable call) {
        return Assertions.catchThrowable(call::run);
    }

    @Test
    void applicationAtRootInLettersHasSessionsOfItsOwn(@TempDir Path folder) throws Exception {
        SessionOptions files = SessionOptions.files(folder);
        try (ServletServer server = ServletServer.start(WebApp.at("").sessions(files))) {
            WebApp _ = WebApp.at("/ROOT").sessions(files).deploy(server.container());
            try (Stream<Path> folders = Files.list(folder)) {
                assertThat(folders.map(each -> String.valueOf(each.getFileName())))
                        .containsExactlyInAnyOrder("ROOT", "#ROOT");
            }
        }
    }
}
