package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Ranges of files that the default servlet sends itself.
@EveryMode
@Timeout(120)
final class FileRangesTest {
    @TempDir private Path folder;

    @BeforeEach
    void write() throws IOException {
        Files.createDirectory(folder.resolve("WEB-INF"));
        Files.createDirectory(folder.resolve("wrapped"));
        Files.writeString(folder.resolve("plain.txt"), "plain");
        Files.writeString(folder.resolve("wrapped/plain.txt"), "plain");
    }

    /// A servlet that forwards to the file that its query names.
    private static CodeServlet forwarding() {
        return new CodeServlet((request, response) ->
                request.getRequestDispatcher("/" + request.getQueryString())
                        .forward(request, response));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    bytes=1-2     | 206 | la    | bytes 1-2/5
                    bytes=3-      | 206 | in    | bytes 3-4/5
                    bytes=-1      | 206 | n     | bytes 4-4/5
                    bytes=0-1,1-3 | 206 | plai  | bytes 0-3/5
                    bytes=0-4     | 200 | plain |
                    bytes=0-0,4-4 | 200 | plain |
                    lines=1-2     | 200 | plain |
                    bytes=20-     | 416 |       | bytes */5
                    """)
    void rangeCountsThoughTheApplicationWrapsOrForwards(
            String range, int status, @Nullable String text, @Nullable String contentRange)
            throws Exception {
        WebApp.Builder app =
                WebApp.of("/app", folder)
                        .filter("/wrapped/*", FileServletTest.WRAPPING)
                        .servlet("/forward", forwarding());
        try (ServletServer server = ServletServer.start(app)) {
            for (String path : List.of("/app/wrapped/plain.txt", "/app/forward?plain.txt")) {
                RawResponse response = server.get(path, "Range: " + range);
                assertThat(response.status()).as(path).isEqualTo(status);
                assertThat(response.field("Content-Range")).as(path).isEqualTo(contentRange);
                if (text != null) {
                    assertThat(response.field("Accept-Ranges")).as(path).isEqualTo("bytes");
                    assertThat(response.text()).as(path).isEqualTo(text);
                    assertThat(response.field("Content-Type")).as(path).startsWith("text/plain");
                }
            }
        }
    }

    @Test
    void rangeOfALargeFileHasJustItsBytes() throws Exception {
        byte[] bytes = new byte[100_000];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i / 7);
        }
        Files.write(folder.resolve("large.bin"), bytes);
        WebApp.Builder app = WebApp.of("/app", folder).servlet("/forward", forwarding());
        try (ServletServer server = ServletServer.start(app)) {
            RawResponse response = server.get("/app/forward?large.bin", "Range: bytes=777-60000");
            assertThat(response.status()).isEqualTo(206);
            assertThat(response.field("Content-Length")).isEqualTo("59224");
            assertThat(response.body()).isEqualTo(Arrays.copyOfRange(bytes, 777, 60_001));
        }
    }

    private static RawResponse head(ServletServer server, String path) {
        try (RawClient client = server.client()) {
            String fields = "Host: test\r\nRange: bytes=1-2\r\n\r\n";
            return client.exchange("HEAD " + path + " HTTP/1.1\r\n" + fields);
        }
    }

    /// The application changes the bytes, adds some, or has failed, or the request is HEAD. A weak
    /// entity tag makes no If-Range true (RFC 9110 §13.1.5).
    @ParameterizedTest
    @ValueSource(strings = {"coded", "begun", "not for GET", "If-Range", "failed"})
    void rangeIsIgnoredWhereItWouldBeWrong(String why) throws Exception {
        Filter filter =
                (request, response, chain) -> {
                    if (why.equals("coded")) {
                        ((HttpServletResponse) response).setHeader("Content-Encoding", "x-own");
                    } else if (why.equals("failed")) {
                        ((HttpServletResponse) response).setStatus(404);
                    } else if (why.equals("begun")) {
                        response.getOutputStream().print("begun ");
                    }
                    FileServletTest.WRAPPING.doFilter(request, response, chain);
                };
        try (ServletServer server =
                ServletServer.start(WebApp.of("/app", folder).filter("/*", filter))) {
            String path = "/app/plain.txt";
            String tag = String.valueOf(server.get(path).field("ETag"));
            String condition = why.equals("If-Range") ? "If-Range: " + tag : "X: y";
            RawResponse response =
                    why.equals("not for GET")
                            ? head(server, path)
                            : server.get(path, "Range: bytes=1-2", condition);
            assertThat(response.status()).isEqualTo(why.equals("failed") ? 404 : 200);
            assertThat(response.field("Content-Range")).isNull();
            assertThat(response.text())
                    .isEqualTo(
                            switch (why) {
                                case "begun" -> "begun plain";
                                case "not for GET" -> "";
                                default -> "plain";
                            });
        }
    }
}
