package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.Await;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.UnavailableException;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Chains that filters continue later or more than once, and filters that are unavailable.
@EveryMode
@Timeout(60)
final class FilterChainTest {
    private final Trace trace = new Trace();
    private final CodeServlet servlet =
            new CodeServlet((_, response) -> {
                trace.add("servlet");
                response.getWriter().print("answer");
            });

    @Test
    void chainMayContinueAfterItsFilterHasReturned() throws Exception {
        CountDownLatch returned = new CountDownLatch(1);
        Filter outer =
                (request, response, chain) -> {
                    trace.add("outer");
                    chain.doFilter(request, response);
                    returned.countDown();
                };
        Filter inner =
                (request, response, chain) -> {
                    trace.add("inner");
                    if (request.isAsyncStarted()) {
                        return; // the same filter again
                    }
                    AsyncContext async = request.startAsync();
                    async.start(() -> {
                        Await.open("the filters have returned", returned);
                        try {
                            chain.doFilter(request, response);
                        } catch (IOException | ServletException e) {
                            trace.add(e.toString());
                        } finally {
                            async.complete();
                        }
                    });
                };
        try (ServletServer server =
                ServletServer.start(
                        WebApp.at("")
                                .filter("/s", outer)
                                .filter("/s", inner)
                                .servlet("/s", servlet))) {
            assertThat(server.get("/s").text()).isEqualTo("answer");
            assertThat(trace.heard()).containsExactly("outer", "inner", "servlet");
        }
    }

    @Test
    void filterMayCallTheRestAgain() throws Exception {
        Filter twice =
                (request, response, chain) -> {
                    chain.doFilter(request, response);
                    chain.doFilter(request, response);
                };
        Filter inner =
                (request, response, chain) -> {
                    trace.add("inner");
                    chain.doFilter(request, response);
                };
        try (ServletServer server =
                ServletServer.start(
                        WebApp.at("")
                                .filter("/s", twice)
                                .filter("/s", inner)
                                .servlet("/s", servlet))) {
            assertThat(server.get("/s").text()).isEqualTo("answeranswer");
            assertThat(trace.heard()).containsExactly("inner", "servlet", "inner", "servlet");
        }
    }

    @ParameterizedTest
    @CsvSource({"30, 503, 30", "0, 503, ", "-1, 404, "})
    void unavailableFilterIsAnsweredAsAServlet(int seconds, int status, @Nullable String retry)
            throws Exception {
        Filter outer =
                (request, response, chain) -> {
                    try {
                        chain.doFilter(request, response);
                    } catch (UnavailableException e) {
                        trace.add("outer");
                        throw e;
                    }
                };
        Filter unavailable =
                (_, _, _) -> {
                    if (seconds < 0) {
                        throw new UnavailableException("wanted");
                    }
                    throw new UnavailableException("wanted", seconds);
                };
        try (ServletServer server =
                ServletServer.start(
                        WebApp.at("")
                                .filter("/s", outer)
                                .filter("/s", unavailable)
                                .servlet("/s", servlet))) {
            for (int i = 0; i < 2; i++) {
                RawResponse response = server.get("/s");
                assertThat(response.status()).isEqualTo(status);
                assertThat(response.field("Retry-After")).isEqualTo(retry);
            }
            assertThat(trace.heard()).containsExactly("outer", "outer");
        }
    }

    /// An include has no answer of its own (Servlet 6.1 §9.5).
    @Test
    void includeOfAnUnavailableServletFails() throws Exception {
        WebApp.Builder app =
                WebApp.at("/app")
                        .servlet(
                                "/gone",
                                new CodeServlet((_, _) -> {
                                    throw new UnavailableException("gone");
                                }))
                        .servlet(
                                "/a",
                                new CodeServlet((request, response) -> {
                                    try {
                                        request.getRequestDispatcher("/gone")
                                                .include(request, response);
                                        response.getWriter().print("nothing");
                                    } catch (ServletException e) {
                                        response.getWriter().print("caught");
                                    }
                                }));
        try (ServletServer server = ServletServer.start(app)) {
            assertThat(server.get("/app/a").text()).isEqualTo("caught");
            assertThat(server.get("/app/a").text()).as("it is known").isEqualTo("caught");
            assertThat(server.get("/app/gone").status()).isEqualTo(404);
        }
    }
}
