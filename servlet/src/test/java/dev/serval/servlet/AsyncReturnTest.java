package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Where `AsyncContext.dispatch()` continues a request that is wrapped or was written in another way.
@EveryMode
@Timeout(60)
final class AsyncReturnTest {
    /// Adds the prefix that a proxy has removed (`X-Forwarded-Prefix`).
    private static final class Prefixed extends HttpServletRequestWrapper {
        Prefixed(HttpServletRequest request) {
            super(request);
        }

        @Override
        public String getContextPath() {
            return "/api";
        }

        @Override
        public String getRequestURI() {
            return "/api" + super.getRequestURI().substring(super.getContextPath().length());
        }
    }

    private static ServletServer serve(String contextPath, CodeServlet.Code first)
            throws IOException {
        CodeServlet.Code code =
                (request, response) -> {
                    if (request.getDispatcherType() == DispatcherType.REQUEST) {
                        first.run(request, response);
                        return;
                    }
                    HttpServletRequest own =
                            request instanceof Prefixed wrapper
                                    ? (HttpServletRequest) wrapper.getRequest()
                                    : request;
                    response.getWriter()
                            .print(
                                    String.join(
                                            " ",
                                            request.getDispatcherType().toString(),
                                            request.getRequestURI(),
                                            own.getRequestURI(),
                                            own.getServletPath()
                                                    + String.valueOf(own.getPathInfo())));
                };
        CodeServlet other = new CodeServlet((_, response) -> response.getWriter().print("other"));
        return ServletServer.start(
                WebApp.at(contextPath)
                        .servlet("/orders/*", new CodeServlet(code))
                        .servlet("/", other));
    }

    @ParameterizedTest
    @CsvSource({"'', /orders/1", "/shop, /orders/1", "'', /orders/a%20b", "/shop, /orders/a;v=1"})
    void contextPathOfAWrapperIsRemoved(String contextPath, String path) throws Exception {
        try (ServletServer server =
                serve(
                        contextPath,
                        (request, response) -> {
                            AsyncContext async =
                                    request.startAsync(new Prefixed(request), response);
                            async.dispatch();
                        })) {
            String decoded = path.replace("%20", " ").replace(";v=1", "");
            assertThat(server.get(contextPath + path).text())
                    .isEqualTo("ASYNC /api" + path + " " + contextPath + path + " " + decoded);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/%73hop/orders/1, true",
        "/%73hop/orders/1, false",
        "//shop/orders/1, true",
        "//shop/orders/1, false",
        "/x/../shop/orders/1, false",
        "/shop/../shop/orders/1, false",
        "/shop//orders/1, false",
    })
    void contextPathMayBeWrittenInAnotherWay(String target, boolean passed) throws Exception {
        try (ServletServer server =
                serve(
                        "/shop",
                        (request, response) -> {
                            AsyncContext async =
                                    passed
                                            ? request.startAsync(request, response)
                                            : request.startAsync();
                            async.dispatch();
                        })) {
            assertThat(server.get(target).text())
                    .isEqualTo("ASYNC " + target + " " + target + " /orders/1");
        }
    }
}
