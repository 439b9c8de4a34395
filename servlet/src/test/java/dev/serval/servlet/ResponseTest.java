package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import dev.serval.testkit.mode.Mode;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UnsupportedEncodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Responses over sockets (Servlet 6.1 §5).
@EveryMode
@Timeout(120)
final class ResponseTest {
    private static final String GET = "GET /s HTTP/1.1\r\nHost: a\r\n\r\n";

    private static ServletServer serve(CodeServlet.Code code) throws IOException {
        return ServletServer.start(WebApp.at("").servlet("/s/*", new CodeServlet(code)));
    }

    /// A rule of the content type.
    record TypeRule(String name, CodeServlet.Code code, @Nullable String field) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static TypeRule rule(String name, @Nullable String field, CodeServlet.Code code) {
        return new TypeRule(name, code, field);
    }

    static Stream<TypeRule> contentTypes() {
        return Stream.concat(typesOfWriters(), Stream.concat(typesOfLocales(), laterTypes()));
    }

    private static Stream<TypeRule> typesOfWriters() {
        return Stream.of(
                rule("none", null, (_, r) -> r.getWriter().print("x")),
                rule(
                        "charset alone",
                        null,
                        (_, r) -> {
                            r.setCharacterEncoding("Shift_JIS");
                            assertThat(r.getContentType()).isNull();
                            assertThat(r.getCharacterEncoding()).isEqualTo("Shift_JIS");
                        }),
                rule(
                        "writer adds the default",
                        "text/html;charset=UTF-8",
                        (_, r) -> {
                            r.setContentType("text/html");
                            r.getWriter().print("x");
                        }),
                rule(
                        "type after the writer",
                        "text/xml;charset=UTF-8",
                        (_, r) -> {
                            r.getWriter().print("x");
                            r.setContentType("text/xml;charset=KOI8-R");
                            r.setCharacterEncoding("UTF-16");
                            r.setLocale(Locale.JAPAN);
                            assertThat(r.getCharacterEncoding()).isEqualTo("UTF-8");
                        }),
                rule(
                        "stream adds none",
                        "text/html",
                        (_, r) -> {
                            r.setContentType("text/html");
                            r.getOutputStream().print("x");
                        }),
                rule(
                        "a later type keeps the charset",
                        "text/xml;charset=Shift_Jis",
                        (_, r) -> {
                            r.setContentType("text/html;charset=Shift_Jis");
                            r.setContentType("text/xml");
                        }));
    }

    private static Stream<TypeRule> typesOfLocales() {
        return Stream.of(
                rule(
                        "explicit charset beats the locale",
                        "text/html;charset=gb18030",
                        (_, r) -> {
                            r.setCharacterEncoding("utf-8");
                            r.setLocale(Locale.JAPAN);
                            assertThat(r.getCharacterEncoding()).isEqualTo("utf-8");
                            r.setContentType("text/html;charset=gb18030");
                            r.setLocale(Locale.JAPAN);
                        }),
                rule(
                        "locale without a charset of its own",
                        "text/html;charset=UTF-8",
                        (_, r) -> {
                            r.setLocale(Locale.JAPAN);
                            r.setContentType("text/html");
                            r.getWriter().print("x");
                        }),
                rule(
                        "null undoes",
                        "text/html",
                        (_, r) -> {
                            r.setContentType("text/html;charset=KOI8-R");
                            r.setCharacterEncoding((String) null);
                            assertThat(r.getCharacterEncoding()).isEqualTo("UTF-8");
                        }));
    }

    private static Stream<TypeRule> laterTypes() {
        return Stream.of(
                rule(
                        "unknown charset until reset",
                        "text/plain;charset=UTF-8",
                        (_, r) -> {
                            r.setCharacterEncoding("does-not-exist");
                            assertThat(r.getCharacterEncoding()).isEqualTo("does-not-exist");
                            assertThatThrownBy(r::getWriter)
                                    .isInstanceOf(UnsupportedEncodingException.class);
                            r.reset();
                            r.setContentType("text/plain");
                            r.getWriter().print("x");
                        }),
                rule(
                        "nothing changes after the flush",
                        "text/plain;charset=UTF-8",
                        (_, r) -> {
                            r.setContentType("text/plain;charset=UTF-8");
                            r.flushBuffer();
                            r.setContentType("text/html");
                            r.setCharacterEncoding("UTF-16");
                        }),
                rule(
                        "by header",
                        "text/a;charset=UTF-8",
                        (_, r) -> {
                            r.setHeader("content-type", "text/a; charset=\"UTF-8\"");
                            r.getWriter().print("x");
                        }),
                rule(
                        "other parameters stay",
                        "text/a;x=\"a;b\";charset=UTF-8",
                        (_, r) -> r.setContentType("text/a;x=\"a;b\";charset=UTF-8")));
    }

    @ParameterizedTest
    @MethodSource("contentTypes")
    void contentTypeFollowsTheRules(TypeRule rule) throws Exception {
        try (ServletServer server = serve(rule.code)) {
            RawResponse response = server.get("/s");
            assertThat(response.status()).isEqualTo(200);
            @Nullable String field = response.field("Content-Type");
            assertThat(field == null ? null : field.replace(" ", "")).isEqualTo(rule.field);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "5, 3, false",
        "5, 3, true",
        "3, 5, false",
        "3, 5, true",
        "0, 5, false",
        "0, 5, true",
        "5, 0, false",
        "5, 0, true",
        "20000, 10000, false",
        "10000, 20000, false",
    })
    void wrongLengthNeverReachesTheNextExchange(int promised, int written, boolean flush)
            throws Exception {
        try (ServletServer server =
                        serve((request, response) -> {
                            if (request.getPathInfo() != null) {
                                response.getWriter().print("second");
                                return;
                            }
                            response.setContentLength(promised);
                            ServletOutputStream out = response.getOutputStream();
                            if (flush) {
                                out.flush();
                            }
                            out.write("x".repeat(written).getBytes(StandardCharsets.US_ASCII));
                        });
                RawClient client = server.client()) {
            client.send(GET + "GET /s/second HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            String all = new String(client.rest(), StandardCharsets.ISO_8859_1);
            int head = all.indexOf("\r\n\r\n");
            assertThat(all).startsWith("HTTP/1.1 ");
            String content = all.substring(head + 4);
            if (all.startsWith("HTTP/1.1 500")) {
                return; // nothing was sent, so the server could say so
            }
            assertThat(all.substring(0, head)).contains("Content-Length: " + promised);
            if (content.contains("HTTP/1.1 ")) {
                assertThat(content.indexOf("HTTP/1.1 ")).isEqualTo(promised);
                assertThat(content).endsWith("second");
            } else {
                assertThat(content.length()).isLessThanOrEqualTo(promised);
            }
            assertThat(content.replace("x", "")).doesNotStartWith("HTTP/1.1 500");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nSet-Cookie: x=y", "a\nb", "a\rb", "a\0b"})
    void lineEndsInValuesAreRefused(String value) throws Exception {
        List<CodeServlet.Code> calls =
                List.of(
                        (_, r) -> r.setHeader("X-A", value),
                        (_, r) -> r.addHeader("X-A", value),
                        (_, r) -> r.setContentType("text/plain;a=" + value),
                        (_, r) -> r.setHeader("X-" + value, "a"),
                        (_, r) -> r.addCookie(new Cookie("a", value)),
                        (_, r) -> r.sendRedirect("/" + value),
                        (_, r) -> {
                            Cookie cookie = new Cookie("a", "b");
                            cookie.setPath("/" + value);
                            r.addCookie(cookie);
                        },
                        (_, r) -> r.setCharacterEncoding("UTF-8" + value),
                        (_, r) -> r.sendError(404, value));
        for (CodeServlet.Code call : calls) {
            try (ServletServer server = serve(call)) {
                RawResponse response = server.get("/s");
                assertThat(response.has("Set-Cookie") && response.all("Set-Cookie").contains("x=y"))
                        .isFalse();
                assertThat(response.fields()).noneMatch(f -> f.name().equals("b"));
                assertThat(String.valueOf(response.field("X-A"))).doesNotContain("\0", "\r");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 10, 8192, 20_000})
    void headHasTheFieldsOfGet(int length) throws Exception {
        try (ServletServer server =
                        serve((_, response) -> {
                            response.setContentType("text/plain");
                            response.setHeader("X-A", "1");
                            response.addCookie(new Cookie("a", "b"));
                            response.getWriter().print("x".repeat(length));
                        });
                RawClient client = server.client()) {
            RawResponse get = client.exchange(GET);
            RawResponse head = client.exchange("HEAD /s HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(head.body()).isEmpty();
            assertThat(fields(head)).containsAllEntriesOf(without(fields(get)));
            if (length > 0 && get.has("Content-Length")) {
                assertThat(head.field("Content-Length")).isEqualTo(get.field("Content-Length"));
            }
            assertThat(client.exchange(GET).body()).hasSize(length);
        }
    }

    private static Map<String, String> fields(RawResponse response) {
        Map<String, String> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        response.fields().forEach(f -> fields.put(f.name(), f.value()));
        return fields;
    }

    private static Map<String, String> without(Map<String, String> fields) {
        for (String name : List.of("Date", "Content-Length", "Transfer-Encoding")) {
            String _ = fields.remove(name);
        }
        return fields;
    }

    /// A charset with a state begins anew, and half a character does not stay.
    @Test
    void textAfterAResetOfTheBufferIsTheFirst() throws Exception {
        try (ServletServer server =
                serve((request, response) -> {
                    response.setContentType("text/plain; charset=" + request.getQueryString());
                    PrintWriter out = response.getWriter();
                    out.print("\u65e5\u672c");
                    out.print('\ud83d');
                    response.resetBuffer();
                    out.print("\u65e5");
                })) {
            assertThat(server.get("/s?ISO-2022-JP").body())
                    .isEqualTo("\u65e5".getBytes(Charset.forName("ISO-2022-JP")));
            assertThat(server.get("/s?UTF-8").body())
                    .isEqualTo("\u65e5".getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void bufferRules() throws Exception {
        try (ServletServer server =
                serve((_, response) -> {
                    ServletOutputStream out = response.getOutputStream();
                    response.setBufferSize(20_000);
                    assertThat(response.getBufferSize()).isGreaterThanOrEqualTo(20_000);
                    out.print("dropped");
                    response.setStatus(201);
                    response.setHeader("X-A", "1");
                    response.resetBuffer();
                    assertThat(response.getStatus()).isEqualTo(201);
                    assertThat(response.containsHeader("X-A")).isTrue();
                    out.print("dropped");
                    response.reset();
                    assertThat(response.getStatus()).isEqualTo(200);
                    assertThat(response.containsHeader("X-A")).isFalse();
                    out.print("a");
                    assertThat(response.isCommitted()).isFalse();
                    assertThatIllegalStateException().isThrownBy(() -> response.setBufferSize(1));
                    response.flushBuffer();
                    assertThat(response.isCommitted()).isTrue();
                    response.setHeader("X-B", "1");
                    response.setStatus(404);
                    assertThatIllegalStateException().isThrownBy(response::reset);
                    assertThatIllegalStateException().isThrownBy(response::resetBuffer);
                    assertThatIllegalStateException().isThrownBy(() -> response.sendError(500));
                    assertThatIllegalStateException().isThrownBy(() -> response.sendRedirect("/x"));
                    assertThatIllegalStateException()
                            .isThrownBy(() -> response.setTrailerFields(Map::of));
                    out.print("b");
                })) {
            RawResponse response = server.get("/s");
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.text()).isEqualTo("ab");
            assertThat(response.has("X-B")).isFalse();
        }
    }

    @Test
    void flushSendsAtOnce() throws Exception {
        CountDownLatch seen = new CountDownLatch(1);
        try (ServletServer server =
                        serve((_, response) -> {
                            response.getWriter().print("first");
                            response.getWriter().flush();
                            Await.open("the client saw it", seen);
                            response.getWriter().print("second");
                        });
                RawClient client = server.client()) {
            client.send(GET);
            assertThat(client.until("first")).contains("200");
            seen.countDown();
            assertThat(client.until("0\r\n\r\n")).contains("second");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/x, http://test/x",
        "x?a=b, http://test/s/x?a=b",
        "../x, http://test/x",
        "?a, http://test/s/y?a",
        "//other/x, http://other/x",
        "https://other/x, https://other/x",
        "x:y, x:y",
        "./x:y, http://test/s/x:y",
        "/\u00f6, http://test/%C3%B6",
    })
    void redirectsAreAbsolute(String location, String field) throws Exception {
        try (ServletServer server =
                serve((_, response) -> {
                    response.setContentLength(100);
                    response.getWriter().print("dropped");
                    response.sendRedirect(location);
                    response.getWriter().print("ignored");
                })) {
            RawResponse response = server.get("/s/y?q=1");
            assertThat(response.status()).isEqualTo(302);
            assertThat(response.field("Location"))
                    .isEqualTo(field.replace("http:", Mode.current().scheme() + ":"));
            assertThat(response.text()).doesNotContain("dropped", "ignored");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-8", "UTF-16BE", "GB18030", "ISO-8859-1", "US-ASCII", "Shift_JIS"})
    void halvesOfACharacterMayComeInTwoWrites(String charset) throws Exception {
        String text = "a\ud83d\ude00b\u00e4\ud83d";
        try (ServletServer server =
                serve((_, response) -> {
                    response.setContentType("text/plain;charset=" + charset);
                    PrintWriter out = response.getWriter();
                    for (int i = 0; i < text.length(); i++) {
                        if (i % 2 == 0) {
                            out.write(text.charAt(i));
                        } else {
                            out.write(text, i, 1);
                        }
                        out.flush();
                    }
                })) {
            assertThat(server.get("/s").body()).isEqualTo(text.getBytes(Charset.forName(charset)));
        }
    }

    /// As compiled pages write. The pieces of odd lengths cut characters into halves.
    @ParameterizedTest
    @ValueSource(strings = {"UTF-8", "UTF-16BE", "GB18030", "ISO-8859-1", "US-ASCII", "Shift_JIS"})
    void arraysAreEncodedAsTextIs(String charset) throws Exception {
        String text = "plain text \u00e4\u20ac\ud83d\ude00 \ud83d alone \ude00 ".repeat(300);
        char[] array = ("<<" + text + ">>").toCharArray();
        try (ServletServer server =
                serve((_, response) -> {
                    response.setContentType("text/plain;charset=" + charset);
                    PrintWriter out = response.getWriter();
                    int length = 251;
                    for (int at = 0; at < text.length(); length += 13) {
                        int end = Math.min(text.length(), at + length);
                        if (length % 5 == 0) {
                            out.write(text, at, end - at);
                        } else {
                            out.write(array, at + 2, end - at);
                        }
                        at = end;
                    }
                })) {
            assertThat(server.get("/s").body()).isEqualTo(text.getBytes(Charset.forName(charset)));
        }
    }

    @Test
    void redirectThatIsRefusedLeavesTheStatus() throws Exception {
        try (ServletServer server =
                serve((_, response) -> {
                    assertThatThrownBy(() -> response.sendRedirect("/a\r\nX: b"))
                            .isInstanceOf(IllegalArgumentException.class);
                    response.getWriter().print(response.getHeader("Location"));
                })) {
            RawResponse response = server.get("/s");
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.text()).isEqualTo("null");
        }
    }

    @Test
    void trailersGoBothWays() throws Exception {
        try (ServletServer server =
                        serve((request, response) -> {
                            response.setTrailerFields(() -> Map.of("X-Sum", "7"));
                            byte[] all = request.getInputStream().readAllBytes();
                            assertThat(request.isTrailerFieldsReady()).isTrue();
                            response.getOutputStream().write(all);
                            response.getOutputStream()
                                    .print(String.valueOf(request.getTrailerFields()));
                        });
                RawClient client = server.client()) {
            client.send(
                    """
                    POST /s HTTP/1.1\r
                    Host: a\r
                    TE: trailers\r
                    Transfer-Encoding: chunked\r
                    \r
                    3\r
                    abc\r
                    0\r
                    X-In: 1\r
                    \r
                    """);
            RawResponse response = client.answer("POST");
            assertThat(response.text()).isEqualTo("abc{x-in=1}");
            assertThat(response.trailers()).containsExactly(new RawResponse.Field("X-Sum", "7"));
            assertThat(client.exchange(GET).text()).isEqualTo("{}");
        }
    }

    @Test
    void clientThatWaitsGets100AtTheFirstRead() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (ServletServer server =
                        serve((request, response) -> {
                            if (request.getPathInfo() == null) {
                                Await.open("the test goes on", go);
                                String line = request.getReader().readLine();
                                response.getWriter().print(line);
                            } else {
                                response.sendError(HttpServletResponse.SC_FORBIDDEN);
                            }
                        });
                RawClient client = server.client()) {
            String fields =
                    " HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n";
            client.send("POST /s" + fields);
            go.countDown();
            assertThat(client.next("POST").status()).isEqualTo(100);
            client.send("text");
            RawResponse answer = client.next("POST");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.text()).isEqualTo("text");
            client.send("POST /s/unread" + fields);
            assertThat(client.next("POST").status()).isEqualTo(403);
        }
    }

    @Test
    void cookies() throws Exception {
        try (ServletServer server =
                serve((request, response) -> {
                    Cookie ends = new Cookie("a", "1");
                    ends.setMaxAge(0);
                    response.addCookie(ends);
                    Cookie session = new Cookie("b", "2");
                    session.setHttpOnly(true);
                    session.setSecure(true);
                    session.setPath("/p");
                    session.setAttribute("SameSite", "Strict");
                    response.addCookie(session);
                    List<String> seen = new ArrayList<>();
                    Cookie @Nullable [] all = request.getCookies();
                    for (Cookie one : all == null ? new Cookie[0] : all) {
                        seen.add(one.getName() + "=" + one.getValue());
                    }
                    response.getWriter().print(seen);
                })) {
            RawResponse response = server.get("/s", "Cookie: x=1; y=\"2\"; z=");
            assertThat(response.text()).isEqualTo("[x=1, y=\"2\", z=]");
            List<String> set = response.all("Set-Cookie");
            assertThat(set).hasSize(2);
            assertThat(set.get(0)).startsWith("a=1").contains("Expires=").doesNotContain("Max-Age");
            assertThat(set.get(1))
                    .startsWith("b=2")
                    .contains("Path=/p", "Secure", "HttpOnly", "SameSite=Strict")
                    .doesNotContain("Expires", "Max-Age");
            assertThat(server.get("/s").text()).isEqualTo("[]");
        }
    }
}
