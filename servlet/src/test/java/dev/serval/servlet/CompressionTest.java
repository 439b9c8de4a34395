package dev.serval.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.Serval;
import dev.serval.coding.Compression;
import dev.serval.handler.MountSettings;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Answers of an application at a mount that compresses all answers.
@Timeout(60)
final class CompressionTest {
    private static final String TEXT = "to be or not to be; ".repeat(1_000);
    private static final MountSettings ALL =
            MountSettings.NONE.with(draft -> draft.compression = Compression.DEFAULT);

    @TempDir Path folder;

    private RawResponse get(CodeServlet.Code code, String method) throws IOException {
        try (ServletContainer container = ServletContainer.open(folder.resolve("work"))) {
            WebApp app = WebApp.at("").servlet("/*", new CodeServlet(code)).deploy(container);
            try (Serval server =
                            Serval.listen(0)
                                    .loops(1)
                                    .host("*", app.prefix(), ALL, app.handlers())
                                    .start();
                    RawClient client = RawClient.connect(server.addresses().getFirst())) {
                client.send(method + " / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n");
                return client.answer(method);
            }
        }
    }

    private static String gunzip(RawResponse response) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(response.body()))) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    @Test
    void compressesAPage() throws IOException {
        CodeServlet.Code page =
                (_, response) -> {
                    response.setContentType("text/html");
                    response.setCharacterEncoding("UTF-8");
                    response.setHeader("ETag", "\"1\"");
                    response.getWriter().write(TEXT);
                };
        RawResponse response = get(page, "GET");
        assertThat(response.field("Content-Encoding")).isEqualTo("gzip");
        assertThat(response.field("ETag")).isEqualTo("W/\"1\"");
        assertThat(response.all("Vary")).containsExactly("Accept-Encoding");
        assertThat(gunzip(response)).isEqualTo(TEXT);
        RawResponse head = get(page, "HEAD");
        assertThat(head.field("Content-Encoding")).isEqualTo("gzip");
        assertThat(head.field("Content-Length")).isNull();
    }

    @Test
    void compressesWhatIsFlushed() throws IOException {
        RawResponse response =
                get(
                        (_, answer) -> {
                            answer.setContentType("application/json");
                            for (int i = 0; i < 20; i++) {
                                answer.getOutputStream().write(("[" + i + "]").getBytes(UTF_8));
                                answer.flushBuffer();
                            }
                        },
                        "GET");
        assertThat(response.field("Content-Encoding")).isEqualTo("gzip");
        assertThat(gunzip(response)).startsWith("[0][1]").endsWith("[19]");
    }

    @Test
    void anApplicationForbidsIt() throws IOException {
        RawResponse response =
                get(
                        (_, answer) -> {
                            answer.setContentType("text/html");
                            answer.setHeader("Cache-Control", "no-transform");
                            answer.setContentLength(TEXT.length());
                            answer.getOutputStream().write(TEXT.getBytes(UTF_8));
                        },
                        "GET");
        assertThat(response.field("Content-Encoding")).isNull();
        assertThat(response.field("Content-Length")).isEqualTo("" + TEXT.length());
        assertThat(response.text()).isEqualTo(TEXT);
    }

    @Test
    void smallAnswersStayAsTheyAre() throws IOException {
        RawResponse response =
                get(
                        (_, answer) -> {
                            answer.setContentType("text/html");
                            answer.getOutputStream().write(TEXT.getBytes(UTF_8), 0, 500);
                        },
                        "GET");
        assertThat(response.field("Content-Encoding")).isNull();
        assertThat(response.field("Content-Length")).isEqualTo("500");
    }
}
