package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Parts beyond a limit fail at each call, not only at the first (Servlet 6.1, Javadoc of `getParts`
/// and `getParameter`).
@EveryMode
@Timeout(60)
final class PartsFailureTest {
    private static final String CONTENT =
            """
            --x\r
            Content-Disposition: form-data; name="a"\r
            \r
            0123456789\r
            --x\r
            Content-Disposition: form-data; name="b"\r
            \r
            second\r
            --x--\r
            """;

    @TempDir private Path folder;

    private static ServletServer serve(long fileMax, long requestMax, CodeServlet.Code code)
            throws IOException {
        return ServletServer.start(WebApp.at("").listener(adding(fileMax, requestMax, code)));
    }

    private static ServletContextListener adding(
            long fileMax, long requestMax, CodeServlet.Code code) {
        return new ServletContextListener() {
            @Override
            public void contextInitialized(ServletContextEvent event) {
                ServletRegistration.Dynamic added =
                        event.getServletContext().addServlet("s", new CodeServlet(code));
                added.addMapping("/s");
                added.setAsyncSupported(true);
                added.setMultipartConfig(new MultipartConfigElement("", fileMax, requestMax, 0));
            }
        };
    }

    private static RawResponse post(ServletServer server) {
        return server.post("/s?a=query", CONTENT, "Content-Type: multipart/form-data; boundary=x");
    }

    private static void read(String how, HttpServletRequest request)
            throws ServletException, IOException {
        if (how.equals("parts")) {
            assertThat(request.getParts()).isEmpty();
        } else {
            assertThat(request.getParameter("a")).isNull();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "parts, parts",
        "parts, parameter",
        "parameter, parameter",
        "parameter, parts",
    })
    void laterCallFailsAsTheFirst(String first, String second) throws Exception {
        CodeServlet.Code code =
                (request, _) -> {
                    try {
                        read(first, request);
                        throw new AssertionError("The first call has not failed");
                    } catch (IllegalStateException e) {
                        read(second, request);
                    }
                };
        try (ServletServer server = serve(4, -1, code)) {
            assertThat(post(server).status()).isEqualTo(413);
        }
    }

    /// As Tomcat does: the servlet that the client reached has the configuration.
    @ParameterizedTest
    @ValueSource(strings = {"forward", "include", "dispatch", "error"})
    void dispatchToAServletWithoutConfigurationKeepsThatOfTheFirst(String how) throws Exception {
        CodeServlet.Code first =
                (request, response) -> {
                    RequestDispatcher to = request.getRequestDispatcher("/t");
                    switch (how) {
                        case "forward" -> to.forward(request, response);
                        case "include" -> to.include(request, response);
                        case "dispatch" -> request.startAsync().dispatch("/t");
                        default -> response.sendError(409);
                    }
                };
        CodeServlet second =
                new CodeServlet((request, response) ->
                        response.getWriter()
                                .print(
                                        request.getParameter("b")
                                                + " of "
                                                + request.getParts().size()));
        Files.createDirectories(folder.resolve("WEB-INF"));
        Files.writeString(
                folder.resolve("WEB-INF/web.xml"),
                SecurityTest.webXml("<error-page><location>/t</location></error-page>"));
        WebApp.Builder app =
                WebApp.of("", folder).listener(adding(100, 1000, first)).servlet("/t", second);
        try (ServletServer server = ServletServer.start(app)) {
            RawResponse response = post(server);
            assertThat(response.status()).isEqualTo(how.equals("error") ? 409 : 200);
            assertThat(response.text()).isEqualTo("second of 2");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "request"})
    void messageHasTheWordsThatFrameworksLookFor(String limit) throws Exception {
        List<String> messages = new ArrayList<>();
        CodeServlet.Code code =
                (request, _) -> {
                    try {
                        read("parts", request);
                    } catch (IllegalStateException e) {
                        messages.add(e.getMessage());
                    }
                };
        boolean file = limit.equals("file");
        try (ServletServer server = serve(file ? 4 : -1, file ? -1 : 4, code)) {
            assertThat(post(server).status()).isEqualTo(200);
            assertThat(messages).hasSize(1);
            assertThat(messages.getFirst()).contains("exceeds max-" + limit + "-size");
        }
    }
}
