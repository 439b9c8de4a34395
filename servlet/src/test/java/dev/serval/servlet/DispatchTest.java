package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Forward, include and asynchronous dispatch: what the target sees, and which filters run (Servlet
/// 6.1 §6.2.5, §9).
@EveryMode
@Timeout(60)
final class DispatchTest {
    /// Prints how the request looks, and the attributes of the kinds of dispatch.
    private static void show(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add(request.getDispatcherType().toString());
        lines.add(
                String.join(
                        " ",
                        request.getRequestURI(),
                        request.getServletPath(),
                        String.valueOf(request.getPathInfo()),
                        String.valueOf(request.getQueryString()),
                        request.getHttpServletMapping().getPattern()));
        lines.add(String.valueOf(Arrays.toString(request.getParameterValues("q"))));
        for (String kind : List.of("forward", "include", "async")) {
            String prefix = "jakarta.servlet." + kind + ".";
            Object mapping = request.getAttribute(prefix + "mapping");
            if (request.getAttribute(prefix + "request_uri") == null) {
                assertThat(mapping).isNull();
                continue;
            }
            lines.add(
                    kind
                            + " "
                            + request.getAttribute(prefix + "request_uri")
                            + " "
                            + request.getAttribute(prefix + "context_path")
                            + " "
                            + request.getAttribute(prefix + "servlet_path")
                            + " "
                            + request.getAttribute(prefix + "path_info")
                            + " "
                            + request.getAttribute(prefix + "query_string")
                            + " "
                            + (mapping instanceof HttpServletMapping known
                                    ? known.getPattern()
                                    : mapping));
        }
        response.getWriter().print(String.join("\n", lines));
    }

    private static void dispatch(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        String how = request.getParameter("how");
        String to = request.getParameter("to");
        switch (how) {
            case "forward" -> request.getRequestDispatcher(to).forward(request, response);
            case "include" -> request.getRequestDispatcher(to).include(request, response);
            default -> request.startAsync().dispatch(to);
        }
    }

    private static ServletServer serve() throws IOException {
        return ServletServer.start(
                WebApp.at("/app")
                        .servlet("/from/*", new CodeServlet(DispatchTest::dispatch))
                        .servlet("/show/*", new CodeServlet(DispatchTest::show))
                        .servlet(
                                "/again",
                                new CodeServlet((request, response) ->
                                        request.getRequestDispatcher("/show/last")
                                                .forward(request, response)))
                        .servlet(
                                "/more",
                                new CodeServlet((request, response) ->
                                        request.getRequestDispatcher("/show/last?q=2")
                                                .forward(request, response)))
                        .servlet(
                                "/then",
                                new CodeServlet((request, response) ->
                                        request.getRequestDispatcher("/show/last")
                                                .include(request, response)))
                        .servlet(
                                "/async",
                                new CodeServlet((request, _) ->
                                        request.startAsync().dispatch("/show/last"))));
    }

    @Test
    void fragmentOfAPathIsLeftOut() throws Exception {
        try (ServletServer server = serve()) {
            assertThat(server.get("/app/from?how=forward&to=/show/x%23a/b").text())
                    .contains("/app/show/x /show /x ");
            assertThat(server.get("/app/from?how=forward&to=/show/x%23a?b").text())
                    .contains("/app/show/x /show /x ");
        }
    }

    @Test
    void forwardShowsTheTargetAndKeepsTheFirstPathInAttributes() throws Exception {
        try (ServletServer server = serve()) {
            assertThat(server.get("/app/from/a%20b?how=forward&to=/show/x?q=1&q=2").text())
                    .isEqualTo(
                            """
                            FORWARD
                            /app/show/x /show /x q=1 /show/*
                            [1, 2]
                            forward /app/from/a%20b /app /from /a b how=forward&to=/show/x?q=1&q=2 /from/*\
                            """);
            assertThat(server.get("/app/from?how=forward&to=/show").text())
                    .isEqualTo(
                            """
                            FORWARD
                            /app/show /show null how=forward&to=/show /show/*
                            null
                            forward /app/from /app /from null how=forward&to=/show /from/*\
                            """);
        }
    }

    @Test
    void secondForwardKeepsTheAttributesOfTheFirst() throws Exception {
        try (ServletServer server = serve()) {
            assertThat(server.get("/app/from/1?how=forward&to=/again").text())
                    .isEqualTo(
                            """
                            FORWARD
                            /app/show/last /show /last how=forward&to=/again /show/*
                            null
                            forward /app/from/1 /app /from /1 how=forward&to=/again /from/*\
                            """);
        }
    }

    @Test
    void parametersOfTheLastDispatchComeFirst() throws Exception {
        try (ServletServer server = serve()) {
            assertThat(server.get("/app/from/1?how=forward&to=/more?q=1").text())
                    .contains("FORWARD\n/app/show/last /show /last q=2 /show/*\n[2, 1]\n");
        }
    }

    @Test
    void includeShowsTheIncludingPathAndTheTargetInAttributes() throws Exception {
        try (ServletServer server = serve()) {
            assertThat(server.get("/app/from/1?how=include&to=/show/x?q=1&q=2").text())
                    .isEqualTo(
                            """
                            INCLUDE
                            /app/from/1 /from /1 how=include&to=/show/x?q=1&q=2 /from/*
                            [1, 2]
                            include /app/show/x /app /show /x q=1 /show/*\
                            """);
            assertThat(server.get("/app/from/1?how=include&to=/show").text())
                    .endsWith("include /app/show /app /show null null /show/*");
        }
    }

    @Test
    void includeInAForwardHasTheAttributesOfBoth() throws Exception {
        try (ServletServer server = serve()) {
            assertThat(server.get("/app/from/1?how=forward&to=/then").text())
                    .isEqualTo(
                            """
                            INCLUDE
                            /app/then /then null how=forward&to=/then /then
                            null
                            forward /app/from/1 /app /from /1 how=forward&to=/then /from/*
                            include /app/show/last /app /show /last null /show/*\
                            """);
        }
    }

    @Test
    void forwardInAnIncludeForgetsTheAttributesOfTheInclude() throws Exception {
        try (ServletServer server = serve()) {
            assertThat(server.get("/app/from/1?how=include&to=/again").text())
                    .isEqualTo(
                            """
                            FORWARD
                            /app/show/last /show /last how=include&to=/again /show/*
                            null
                            forward /app/from/1 /app /from /1 how=include&to=/again /from/*\
                            """);
        }
    }

    @Test
    void asyncDispatchShowsTheTargetAndKeepsTheOriginalPathInAttributes() throws Exception {
        try (ServletServer server = serve()) {
            assertThat(server.get("/app/from/1?how=async&to=/show/x?q=1&q=2").text())
                    .isEqualTo(
                            """
                            ASYNC
                            /app/show/x /show /x q=1 /show/*
                            [1, 2]
                            async /app/from/1 /app /from /1 how=async&to=/show/x?q=1&q=2 /from/*\
                            """);
            // They are those of the client's request after several dispatches (§9.7.2).
            assertThat(server.get("/app/from/1?how=async&to=/async").text())
                    .endsWith("async /app/from/1 /app /from /1 how=async&to=/async /from/*");
            // Also if a forward or an include led to the servlet that starts it.
            for (String how : List.of("forward", "include")) {
                String query = "how=" + how + "&to=/async";
                assertThat(server.get("/app/from/1?" + query).text())
                        .contains("ASYNC\n/app/show/last /show /last ")
                        .doesNotContain(how + " /app")
                        .endsWith("async /app/from/1 /app /from /1 " + query + " /from/*");
            }
        }
    }

    @Test
    void viewOfTheCallerReturnsAfterADispatch() throws Exception {
        CodeServlet outer =
                new CodeServlet((request, response) -> {
                    String before = request.getRequestURI() + request.getQueryString();
                    request.setAttribute("own", "kept");
                    request.getRequestDispatcher("/inner?x=1").include(request, response);
                    assertThat(request.getRequestURI() + request.getQueryString())
                            .isEqualTo(before);
                    assertThat(request.getDispatcherType()).isEqualTo(DispatcherType.REQUEST);
                    assertThat(request.getAttribute(RequestDispatcher.INCLUDE_REQUEST_URI))
                            .isNull();
                    assertThat(request.getParameter("x")).isNull();
                    response.getWriter().print(" outer");
                });
        CodeServlet inner =
                new CodeServlet((request, response) -> {
                    response.setStatus(410);
                    response.setHeader("X-Inner", "no");
                    response.getWriter()
                            .print(
                                    "inner "
                                            + request.getParameter("x")
                                            + request.getAttribute("own"));
                    response.getWriter().close();
                });
        try (ServletServer server =
                ServletServer.start(
                        WebApp.at("").servlet("/outer", outer).servlet("/inner", inner))) {
            RawResponse response = server.get("/outer");
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.has("X-Inner")).isFalse();
            assertThat(response.text()).isEqualTo("inner 1kept outer");
        }
    }

    @Test
    void forwardDropsWhatWasWrittenBefore() throws Exception {
        CodeServlet outer =
                new CodeServlet((request, response) -> {
                    response.setHeader("X-Outer", "kept");
                    response.getWriter().print("lost");
                    request.getRequestDispatcher("/inner").forward(request, response);
                });
        CodeServlet inner = new CodeServlet((_, response) -> response.getWriter().print("inner"));
        try (ServletServer server =
                ServletServer.start(
                        WebApp.at("").servlet("/outer", outer).servlet("/inner", inner))) {
            RawResponse response = server.get("/outer");
            assertThat(response.text()).isEqualTo("inner");
            assertThat(response.field("X-Outer")).isEqualTo("kept");
        }
    }

    @Test
    void forwardAfterTheCommitIsRefused() throws Exception {
        try (ServletServer server =
                ServletServer.start(
                        WebApp.at("")
                                .servlet(
                                        "/s",
                                        new CodeServlet((request, response) -> {
                                            response.getWriter().print("sent");
                                            response.flushBuffer();
                                            assertThatIllegalStateException()
                                                    .isThrownBy(() ->
                                                            request.getRequestDispatcher("/s")
                                                                    .forward(request, response));
                                        })))) {
            assertThat(server.get("/s").text()).isEqualTo("sent");
        }
    }

    // Filters

    /// Prints its name before and after the rest of the chain.
    private record Named(String name) implements Filter {
        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            List<String> trace = trace(request);
            trace.add(name);
            chain.doFilter(request, response);
            trace.add("/" + name);
        }
    }

    @SuppressWarnings("unchecked")
    private static List<String> trace(ServletRequest request) {
        Object known = request.getAttribute("trace");
        if (known == null) {
            known = new ArrayList<String>();
            request.setAttribute("trace", known);
        }
        return (List<String>) known;
    }

    private static ServletContextListener filters() {
        return new ServletContextListener() {
            @Override
            public void contextInitialized(ServletContextEvent event) {
                for (DispatcherType type : DispatcherType.values()) {
                    for (String number : List.of("1", "2")) {
                        String name = type.toString().charAt(0) + number;
                        FilterRegistration.Dynamic added =
                                event.getServletContext().addFilter(name, new Named(name));
                        added.setAsyncSupported(true);
                        added.addMappingForUrlPatterns(EnumSet.of(type), true, "/*");
                    }
                }
            }
        };
    }

    @ParameterizedTest
    @CsvSource({
        "none, R1 R2 servlet",
        "forward, R1 R2 servlet F1 F2 target /F2 /F1",
        "include, R1 R2 servlet I1 I2 target /I2 /I1",
        "async, R1 R2 servlet /R2 /R1 A1 A2 target",
    })
    void filtersOfTheKindOfDispatchRunInOrder(String how, String expected) throws Exception {
        CodeServlet first =
                new CodeServlet((request, response) -> {
                    trace(request).add("servlet");
                    switch (how) {
                        case "forward" ->
                                request.getRequestDispatcher("/t").forward(request, response);
                        case "include" ->
                                request.getRequestDispatcher("/t").include(request, response);
                        case "async" -> request.startAsync().dispatch("/t");
                        default -> {}
                    }
                    if (!how.equals("async") && !response.isCommitted()) {
                        response.getWriter().print(String.join(" ", trace(request)));
                    }
                });
        CodeServlet second =
                new CodeServlet((request, response) -> {
                    trace(request).add("target");
                    if (how.equals("async")) {
                        response.getWriter().print(String.join(" ", trace(request)));
                    } else if (how.equals("forward")) {
                        response.getWriter().print(String.join(" ", trace(request)) + " /F2 /F1");
                    }
                });
        try (ServletServer server =
                ServletServer.start(
                        WebApp.at("")
                                .servlet("/s", first)
                                .servlet("/t", second)
                                .listener(filters()))) {
            assertThat(server.get("/s").text()).isEqualTo(expected);
        }
    }

    @Test
    void filterMayCallTheRestOfTheChainTwiceOrNotAtAll() throws Exception {
        Filter outer =
                (request, response, chain) -> {
                    if (request.getParameter("stop") != null) {
                        response.getWriter().print("stopped");
                        return;
                    }
                    chain.doFilter(request, response);
                    chain.doFilter(request, response);
                };
        Filter inner =
                (request, response, chain) -> {
                    response.getWriter().print("[");
                    chain.doFilter(request, response);
                    response.getWriter().print("]");
                };
        try (ServletServer server =
                ServletServer.start(
                        WebApp.at("")
                                .filter("/*", outer)
                                .filter("/s", inner)
                                .servlet(
                                        "/s",
                                        new CodeServlet((_, response) ->
                                                response.getWriter().print("s"))))) {
            assertThat(server.get("/s").text()).isEqualTo("[s][s]");
            assertThat(server.get("/s?stop=1").text()).isEqualTo("stopped");
        }
    }

    @Test
    void chainContinuesAfterAFilterCaughtItsException() throws Exception {
        Filter outer =
                (request, response, chain) -> {
                    try {
                        chain.doFilter(request, response);
                    } catch (ServletException e) {
                        request.setAttribute("again", true);
                        chain.doFilter(request, response);
                    }
                };
        CodeServlet servlet =
                new CodeServlet((request, response) -> {
                    if (request.getAttribute("again") == null) {
                        throw new ServletException("wanted");
                    }
                    response.getWriter().print("again");
                });
        try (ServletServer server =
                ServletServer.start(WebApp.at("").filter("/*", outer).servlet("/s", servlet))) {
            assertThat(server.get("/s").text()).isEqualTo("again");
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler calls) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, calls));
    }

    /// As Spring injects them.
    @ParameterizedTest
    @ValueSource(strings = {"forward", "include", "named"})
    void dispatchTakesProxiesOfTheContainersObjects(String how) throws Exception {
        CodeServlet.Code code =
                (request, response) -> {
                    HttpServletRequest q =
                            proxy(
                                    HttpServletRequest.class,
                                    (_, m, args) -> m.invoke(request, args));
                    HttpServletResponse r =
                            proxy(
                                    HttpServletResponse.class,
                                    (_, m, args) -> m.invoke(response, args));
                    switch (how) {
                        case "forward" -> q.getRequestDispatcher("/t").forward(q, r);
                        case "include" ->
                                q.getRequestDispatcher("/t")
                                        .include(new HttpServletRequestWrapper(q), r);
                        default -> q.getServletContext().getNamedDispatcher("t").forward(q, r);
                    }
                };
        CodeServlet target =
                new CodeServlet((request, response) ->
                        response.getWriter()
                                .print(
                                        request.getDispatcherType()
                                                + " "
                                                + Collections.list(request.getAttributeNames())
                                                        .contains("dev.serval.dispatch.request")));
        ServletContextListener adding =
                new ServletContextListener() {
                    @Override
                    public void contextInitialized(ServletContextEvent event) {
                        event.getServletContext().addServlet("t", target).addMapping("/t");
                    }
                };
        try (ServletServer server =
                ServletServer.start(
                        WebApp.at("").servlet("/s", new CodeServlet(code)).listener(adding))) {
            assertThat(server.get("/s").text())
                    .isEqualTo((how.equals("include") ? "INCLUDE" : "FORWARD") + " false");
        }
    }

    @Test
    void dispatchRefusesARequestThatIsNotTheContainers() throws Exception {
        CodeServlet.Code code =
                (request, response) -> {
                    HttpServletRequest other = proxy(HttpServletRequest.class, (_, _, _) -> null);
                    RequestDispatcher to = request.getRequestDispatcher("/s");
                    assertThatThrownBy(() -> to.forward(other, response))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("§9.2");
                    response.getWriter().print("checked");
                };
        try (ServletServer server =
                ServletServer.start(WebApp.at("").servlet("/s", new CodeServlet(code)))) {
            assertThat(server.get("/s").text()).isEqualTo("checked");
        }
    }

    @Test
    void asyncDispatchAboveTheRootIsRefused() throws Exception {
        try (ServletServer server =
                ServletServer.start(
                        WebApp.at("")
                                .servlet(
                                        "/s",
                                        new CodeServlet((request, response) -> {
                                            AsyncContext async = request.startAsync();
                                            assertThatThrownBy(() -> async.dispatch("/none/../.."))
                                                    .isInstanceOf(IllegalArgumentException.class);
                                            response.getWriter().print("checked");
                                            async.complete();
                                        })))) {
            assertThat(server.get("/s").text()).isEqualTo("checked");
        }
    }

    @ParameterizedTest
    @CsvSource({"M\u00fcller", "\u540d", "\ud83d\ude00", "a%C3%BCb"})
    void queryOfATargetMayHaveAnyCharacter(String value) throws Exception {
        CodeServlet.Code code =
                (request, response) ->
                        request.getRequestDispatcher("/result?q=" + value)
                                .forward(request, response);
        CodeServlet.Code result =
                (request, response) -> {
                    response.setContentType("text/plain;charset=UTF-8");
                    response.getWriter().print(String.join(",", request.getParameterValues("q")));
                };
        try (ServletServer server =
                ServletServer.start(
                        WebApp.at("")
                                .servlet("/s", new CodeServlet(code))
                                .servlet("/result", new CodeServlet(result)))) {
            byte[] body = server.get("/s?q=first").body();
            assertThat(new String(body, StandardCharsets.UTF_8))
                    .isEqualTo(value.replace("%C3%BC", "\u00fc") + ",first");
        }
    }
}
