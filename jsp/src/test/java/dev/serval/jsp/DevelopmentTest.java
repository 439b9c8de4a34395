package dev.serval.jsp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Pages of an application that is being developed, and the same faults in production.
@EveryMode
@Timeout(120)
final class DevelopmentTest {
    private static JspApp faulty() {
        return new JspApp()
                .file("run.jsp", "<html>\n<p>\n<% Object none = null; none.hashCode(); %>\n")
                .file("el.jsp", "<html>\n<p>\n${pageContext.nothing}\n")
                .file("java.jsp", "<html>\n<p>\n<% int x = \"a\"; %>\n")
                .file("parse.jsp", "<html>\n<p>\n<jsp:nothing/>\n");
    }

    @ParameterizedTest
    @CsvSource({
        "/run.jsp, none.hashCode()",
        "/el.jsp, pageContext.nothing",
        "/java.jsp, int x",
        "/parse.jsp, jsp:nothing"
    })
    void showsFileLineAndSource(String path, String source) throws IOException {
        try (JspApp app = faulty();
                JspServer server = JspServer.development(app)) {
            RawResponse answer = server.get(path);
            assertThat(answer.status()).isEqualTo(500);
            assertThat(answer.text()).contains(path).containsPattern("line: \\[3\\]|line \\[3\\]");
            assertThat(answer.text()).contains(source);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/run.jsp, none.hashCode()",
        "/el.jsp, pageContext.nothing",
        "/java.jsp, int x",
        "/parse.jsp, jsp:nothing"
    })
    void showsNothingInProduction(String path, String source) throws IOException {
        try (JspApp app = faulty();
                JspServer server = JspServer.start(app)) {
            for (int i = 0; i < 3; i++) { // the fault is kept
                RawResponse answer = server.get(path);
                assertThat(answer.status()).isEqualTo(500);
                assertThat(answer.text()).doesNotContain(source).doesNotContain("jasper");
            }
        }
    }

    @Test
    void excerptHasTheLineOfTheFault() throws IOException {
        try (JspApp app = new JspApp().file("a.jsp", "1\n2\n3\n<jsp:nothing/>\n5\n6\n7\n8\n");
                JspServer server = JspServer.development(app)) {
            assertThat(server.get("/a.jsp").text())
                    .containsPattern(
                            "1: 1\\s+2: 2\\s+3: 3\\s+4: &lt;jsp:nothing/&gt;\\s+5: 5\\s+6: 6\\s+7: 7")
                    .doesNotContain("8: 8");
        }
    }

    @Test
    void faultIsKeptInProduction() throws IOException {
        try (JspApp app = new JspApp().webXml("").file("a.jsp", "<jsp:nothing/>");
                JspServer server = JspServer.start(app)) {
            assertThat(server.get("/a.jsp").status()).isEqualTo(500);
            change(app.file("a.jsp", "right"), "a.jsp", 10);
            assertThat(server.get("/a.jsp").status()).isEqualTo(500);
        }
    }

    @Test
    void showsChangedPagesAndParts() throws IOException {
        try (JspApp app =
                        new JspApp()
                                .file("a.jsp", "one <%@ include file=\"part.jspf\" %>")
                                .file("part.jspf", "part");
                JspServer server = JspServer.development(app)) {
            assertThat(server.text("/a.jsp")).isEqualTo("one part");
            change(app.file("a.jsp", "two <%@ include file=\"part.jspf\" %>"), "a.jsp", 10);
            assertThat(server.text("/a.jsp")).isEqualTo("two part");
            change(app.file("part.jspf", "other"), "part.jspf", 20);
            assertThat(server.text("/a.jsp")).isEqualTo("two other");
            Files.delete(app.root().resolve("a.jsp"));
            assertThat(server.get("/a.jsp").status()).isEqualTo(404);
            change(app.file("a.jsp", "again"), "a.jsp", 30);
            assertThat(server.text("/a.jsp")).isEqualTo("again");
        }
    }

    /// Sets the time of a file, which two writes in a row could share.
    private static void change(JspApp app, String file, int seconds) throws IOException {
        Path path = app.root().resolve(file);
        Files.setLastModifiedTime(
                path, FileTime.from(Instant.EPOCH.plusSeconds(1_000_000 + seconds)));
    }
}
