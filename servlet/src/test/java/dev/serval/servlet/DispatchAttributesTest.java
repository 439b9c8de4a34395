package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The attributes that describe a dispatch may be changed by the code that it calls, and end with it
/// (Servlet 6.1 §9.3.1, §9.4.2).
@EveryMode
@Timeout(60)
final class DispatchAttributesTest {
    private static final String PATH = RequestDispatcher.INCLUDE_SERVLET_PATH;

    private final List<String> seen = new CopyOnWriteArrayList<>();

    private void see(HttpServletRequest request, String name) {
        seen.add(
                request.getAttribute(name)
                        + " "
                        + Collections.list(request.getAttributeNames()).contains(name));
    }

    private static void run(HttpServletRequest request, HttpServletResponse response, String how)
            throws ServletException, IOException {
        RequestDispatcher part = request.getRequestDispatcher("/part");
        if (how.equals("include")) {
            part.include(request, response);
        } else {
            part.forward(request, response);
        }
    }

    private ServletServer serve(CodeServlet.Code first, CodeServlet.Code part) throws IOException {
        return ServletServer.start(
                WebApp.at("/app")
                        .servlet("/first", new CodeServlet(first))
                        .servlet("/part", new CodeServlet(part))
                        .servlet("/last", new CodeServlet((request, _) -> see(request, PATH))));
    }

    /// Jasper does so for `jsp:forward` in a page that another one includes.
    @Test
    void attributeThatAnIncludedPagePutsBackEndsWithTheInclude() throws Exception {
        try (ServletServer server =
                serve(
                        (request, response) -> {
                            run(request, response, "include");
                            see(request, PATH);
                        },
                        (request, response) -> {
                            Object path = request.getAttribute(PATH);
                            request.removeAttribute(PATH);
                            see(request, PATH);
                            try {
                                request.getRequestDispatcher("/last").forward(request, response);
                            } finally {
                                request.setAttribute(PATH, path);
                            }
                            see(request, PATH);
                        })) {
            assertThat(server.get("/app/first").status()).isEqualTo(200);
        }
        assertThat(seen).containsExactly("null false", "null false", "/part true", "null false");
    }

    @ParameterizedTest
    @CsvSource({
        "include, jakarta.servlet.include.query_string",
        "forward, jakarta.servlet.forward.query_string",
        "forward, jakarta.servlet.forward.request_uri",
        "include, jakarta.servlet.async.request_uri",
    })
    void attributeOfADispatchIsThatOfTheTargetOnly(String how, String name) throws Exception {
        try (ServletServer server =
                serve(
                        (request, response) -> {
                            request.setAttribute("own", "a");
                            run(request, response, how);
                            see(request, name);
                            see(request, "own");
                        },
                        (request, _) -> {
                            request.setAttribute(name, "mine");
                            request.setAttribute("own", "b");
                            see(request, name);
                        })) {
            assertThat(server.get("/app/first").status()).isEqualTo(200);
        }
        assertThat(seen).containsExactly("mine true", "null false", "b true");
    }

    /// A dispatch by name has the attributes of the dispatch around it, but changes none of them.
    @Test
    void dispatchByNameHasAttributesOfItsOwn() throws Exception {
        try (ServletServer server =
                serve(
                        (request, response) -> run(request, response, "include"),
                        (request, response) -> {
                            if (seen.isEmpty()) {
                                see(request, PATH);
                                request.getServletContext()
                                        .getNamedDispatcher(partName(request))
                                        .include(request, response);
                            } else {
                                request.removeAttribute(PATH);
                            }
                            see(request, PATH);
                        })) {
            assertThat(server.get("/app/first").status()).isEqualTo(200);
        }
        assertThat(seen).containsExactly("/part true", "null false", "/part true");
    }

    private static String partName(HttpServletRequest request) {
        return request.getServletContext().getServletRegistrations().values().stream()
                .filter(each -> each.getMappings().contains("/part"))
                .findFirst()
                .orElseThrow()
                .getName();
    }

    /// There is no dispatch that it could belong to.
    @Test
    void attributeThatTheFirstServletSetsIsThatOfTheRequest() throws Exception {
        try (ServletServer server =
                serve(
                        (request, response) -> {
                            request.setAttribute(PATH, "/own");
                            run(request, response, "include");
                            see(request, PATH);
                        },
                        (request, _) -> see(request, PATH))) {
            assertThat(server.get("/app/first").status()).isEqualTo(200);
        }
        assertThat(seen).containsExactly("/part true", "/own true");
    }

    /// Such as one that knows the path before a proxy.
    @Test
    void forwardDescribesTheRequestAsAFilterHasWrappedIt() throws Exception {
        WebApp.Builder app =
                WebApp.at("/app")
                        .servlet(
                                "/first",
                                new CodeServlet(
                                        (request, response) -> run(request, response, "forward")))
                        .servlet(
                                "/part",
                                new CodeServlet((request, _) -> {
                                    see(request, RequestDispatcher.FORWARD_REQUEST_URI);
                                    see(request, RequestDispatcher.FORWARD_QUERY_STRING);
                                    see(request, RequestDispatcher.FORWARD_SERVLET_PATH);
                                }))
                        .filter(
                                "/*",
                                (request, response, chain) ->
                                        chain.doFilter(
                                                new Proxied((HttpServletRequest) request),
                                                response));
        try (ServletServer server = ServletServer.start(app)) {
            assertThat(server.get("/app/first?a").status()).isEqualTo(200);
        }
        assertThat(seen).containsExactly("/proxy/app/first true", "b true", "/first true");
    }

    private static final class Proxied extends HttpServletRequestWrapper {
        Proxied(HttpServletRequest request) {
            super(request);
        }

        @Override
        public String getRequestURI() {
            return "/proxy" + super.getRequestURI();
        }

        @Override
        public String getQueryString() {
            return "b";
        }
    }
}
