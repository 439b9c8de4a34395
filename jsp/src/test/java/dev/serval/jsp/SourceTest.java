package dev.serval.jsp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The source of pages is never sent, in whatever spelling a client asks for it.
@EveryMode
@Timeout(120)
final class SourceTest {
    private static final String SECRET = "<%-- secret --%>shown";
    private static JspApp app = new JspApp();
    private static JspServer server;

    @BeforeAll
    static void start() throws IOException {
        app =
                new JspApp()
                        .file("x.jsp", SECRET)
                        .file("upper.JSP", SECRET)
                        .file("dot.jsp.", SECRET)
                        .file("space.jsp ", SECRET)
                        .file("semicolon.jsp;a", SECRET)
                        .file("part.jspf", SECRET)
                        .file("part.JSPF", SECRET)
                        .file("y.jspx.", SECRET)
                        .file("WEB-INF/tags/t.tag", SECRET)
                        .file("WEB-INF/v.jsp", SECRET)
                        .file("META-INF/m.jsp", SECRET)
                        .file("f.jsp", "<jsp:forward page=\"/part.jspf\"/>")
                        .file("i.jsp", "<jsp:include page=\"/upper.JSP\"/>");
        server = JspServer.start(app);
    }

    @AfterAll
    static void stop() {
        server.close();
        app.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/x.jsp",
                "/x.jsp%00",
                "/x.jsp%00.txt",
                "/x.jsp/",
                "/x.jsp//",
                "/x.jsp/.",
                "/x.jsp/y",
                "/x.JSP",
                "/X.jsp",
                "/x.jsp;a",
                "/x.jsp;a=b/",
                "/;a/x.jsp",
                "/x.jsp%20",
                "/x.jsp.",
                "/x.jsp%2e",
                "/x%2ejsp",
                "/x.js%70",
                "/x.jsp::$DATA",
                "/x.jsp%5c",
                "/x.jsp?jsp_precompile=true",
                "//x.jsp",
                "/./x.jsp",
                "/a/../x.jsp",
                "/upper.JSP",
                "/upper.JSP/",
                "/dot.jsp.",
                "/space.jsp%20",
                "/semicolon.jsp%3Ba",
                "/part.jspf",
                "/part.JSPF",
                "/part.jspf;a",
                "/y.jspx.",
                "/f.jsp",
                "/i.jsp",
                "/WEB-INF/v.jsp",
                "/web-inf/v.jsp",
                "/WEB-INF/tags/t.tag",
                "/WEB-INF./v.jsp",
                "/WEB-INF;a/v.jsp",
                "/%57EB-INF/v.jsp",
                "/META-INF/m.jsp"
            })
    void isNeverSent(String target) {
        assertThat(server.get(target).text()).doesNotContain("secret");
        assertThat(server.get(target, "Range: bytes=0-10").text()).doesNotContain("<%--");
        RawResponse conditional =
                server.get(target, "If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT");
        assertThat(conditional.text()).doesNotContain("secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/x.jsp", "/x%2ejsp", "/x.jsp;a", "/./x.jsp"})
    void isShownAsPage(String target) {
        assertThat(server.text(target)).isEqualTo("shown");
    }
}
