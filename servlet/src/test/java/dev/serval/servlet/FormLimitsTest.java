package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.serval.policy.Limits;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Limits of forms that the owner of the server sets.
@EveryMode
@Timeout(60)
final class FormLimitsTest {
    private static final String FORM = "Content-Type: application/x-www-form-urlencoded";
    private static final String PARTS = "Content-Type: multipart/form-data; boundary=b";

    private static void parameters(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        response.getWriter().print(request.getParameterMap().size());
    }

    private static ServletContextListener parts() {
        return new ServletContextListener() {
            @Override
            public void contextInitialized(ServletContextEvent event) {
                CodeServlet code =
                        new CodeServlet((request, response) ->
                                response.getWriter().print(request.getParts().size()));
                var added = event.getServletContext().addServlet("parts", code);
                added.addMapping("/parts");
                added.setMultipartConfig(new MultipartConfigElement(""));
            }
        };
    }

    private static ServletServer serve() throws IOException {
        return ServletServer.start(
                WebApp.at("")
                        .servlet("/s", new CodeServlet(FormLimitsTest::parameters))
                        .listener(parts()),
                Limits.DEFAULT,
                ServletContainer.builder().parametersMax(3).formMaxBytes(12).partsMax(2));
    }

    @ParameterizedTest
    @CsvSource({
        "/s?a=1, b=2&c=3, 200",
        "/s?a=1, b=2&c=3&d=4, 400",
        "/s, a=1234567890, 200",
        "/s, a=12345678901, 413",
    })
    void formIsBoundedBySettings(String target, String form, int status) throws Exception {
        try (ServletServer server = serve()) {
            assertThat(server.post(target, form, FORM).status()).isEqualTo(status);
        }
    }

    @ParameterizedTest
    @CsvSource({"2, 200", "3, 413"})
    void partsAreBoundedBySettings(int number, int status) throws Exception {
        String part =
                "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f\"\r\n\r\n1\r\n";
        try (ServletServer server = serve()) {
            assertThat(server.post("/parts", part.repeat(number) + "--b--\r\n", PARTS).status())
                    .isEqualTo(status);
        }
    }

    @Test
    void limitsOutOfRangeAreRefused() {
        ServletContainer.Builder builder = ServletContainer.builder();
        assertThatIllegalArgumentException().isThrownBy(() -> builder.parametersMax(0));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.formMaxBytes(0));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.partsMax(1 << 17));
    }
}
