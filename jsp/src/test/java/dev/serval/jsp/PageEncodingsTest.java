package dev.serval.jsp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.servlet.ServletContainer;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import java.nio.charset.Charset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The encoding in which pages are read and sent (Pages 4.0 §4.1, §4.2).
@EveryMode
@Timeout(240)
final class PageEncodingsTest {
    private static final String EURO = "\u20ac \u00e4";
    private static final String LATIN = "\u00e4";

    private static String html(RawResponse answer) {
        assertThat(answer.field("Content-Type")).isEqualTo("text/html;charset=UTF-8");
        return new String(answer.body(), UTF_8).strip();
    }

    @Test
    void pageThatDeclaresNothingIsReadAndSentInUtf8() throws Exception {
        try (JspApp app =
                        new JspApp()
                                .file("plain.jsp", EURO)
                                .file("typed.jsp", "<%@ page contentType=\"text/html\"%>" + EURO)
                                .file("ascii.jsp", "<%= \"\\u20ac\" %>")
                                .file("outer.jsp", "<%@ include file=\"in.jspf\"%>")
                                .file("in.jspf", EURO)
                                .file(
                                        "tagged.jsp",
                                        "<%@ taglib prefix=\"t\" tagdir="
                                                + "\"/WEB-INF/tags\"%><t:euro/>")
                                .file("WEB-INF/tags/euro.tag", EURO);
                JspServer server = JspServer.start(app)) {
            assertThat(html(server.get("/plain.jsp"))).isEqualTo(EURO);
            assertThat(html(server.get("/typed.jsp"))).isEqualTo(EURO);
            assertThat(html(server.get("/ascii.jsp"))).endsWith("\u20ac");
            assertThat(html(server.get("/outer.jsp"))).isEqualTo(EURO);
            assertThat(html(server.get("/tagged.jsp"))).isEqualTo(EURO);
        }
    }

    @Test
    void declarationsOfThePageWin() throws Exception {
        byte[] latin = LATIN.getBytes(ISO_8859_1);
        try (JspApp app =
                        new JspApp()
                                .file("a.jsp", page("pageEncoding=\"ISO-8859-1\"", latin))
                                .file(
                                        "b.jsp",
                                        page("contentType=\"text/a;charset=ISO-8859-1\"", latin))
                                // Valid in UTF-8 too, where it would be one character.
                                .file(
                                        "c.jsp",
                                        page("pageEncoding='ISO-8859-1'", LATIN.getBytes(UTF_8)))
                                .file("d.jspx", document("ISO-8859-1").getBytes(ISO_8859_1))
                                .file("e.jsp", document("UTF-8").getBytes(UTF_8))
                                .file("f.jsp", ("\ufeff" + EURO).getBytes(UTF_8))
                                .file("g.jsp", ("\ufeff" + EURO).getBytes(UTF_16LE));
                JspServer server = JspServer.start(app)) {
            RawResponse a = server.get("/a.jsp");
            assertThat(a.field("Content-Type")).isEqualTo("text/html;charset=ISO-8859-1");
            assertThat(a.body()).endsWith(latin);
            RawResponse b = server.get("/b.jsp");
            assertThat(b.field("Content-Type")).isEqualTo("text/a;charset=ISO-8859-1");
            assertThat(b.body()).endsWith(latin);
            assertThat(server.get("/c.jsp").body()).endsWith(LATIN.getBytes(UTF_8));
            assertThat(new String(server.get("/d.jspx").body(), UTF_8)).contains(">" + LATIN + "<");
            assertThat(new String(server.get("/e.jsp").body(), UTF_8)).contains(">" + LATIN + "<");
            assertThat(html(server.get("/f.jsp"))).isEqualTo(EURO);
            assertThat(new String(server.get("/g.jsp").body(), UTF_16LE)).endsWith(EURO);
        }
    }

    private static byte[] page(String attribute, byte[] content) {
        String text = "<%@ page " + attribute + " %>" + new String(content, ISO_8859_1);
        return text.getBytes(ISO_8859_1);
    }

    private static String document(String encoding) {
        return "<?xml version=\"1.0\" encoding=\""
                + encoding
                + "\"?><jsp:root xmlns:jsp=\"http://java.sun.com/JSP/Page\" version=\"2.0\"><p>"
                + LATIN
                + "</p></jsp:root>";
    }

    @Test
    void propertyGroupWins() throws Exception {
        try (JspApp app =
                        new JspApp()
                                .webXml(
                                        "<jsp-config><jsp-property-group>"
                                                + "<url-pattern>/l/*</url-pattern>"
                                                + "<page-encoding>ISO-8859-1</page-encoding>"
                                                + "</jsp-property-group></jsp-config>")
                                .file("l/a.jsp", EURO.getBytes(UTF_8));
                JspServer server = JspServer.start(app)) {
            RawResponse answer = server.get("/l/a.jsp");
            assertThat(answer.field("Content-Type")).isEqualTo("text/html;charset=ISO-8859-1");
            assertThat(answer.body()).isEqualTo(EURO.getBytes(UTF_8));
        }
    }

    @Test
    void pageThatCannotBeUtf8IsReadAsTheSpecificationSays() throws Exception {
        try (JspApp app = new JspApp().file("a.jsp", LATIN.getBytes(ISO_8859_1));
                JspServer server = JspServer.start(app)) {
            assertThat(html(server.get("/a.jsp"))).isEqualTo(LATIN);
        }
    }

    @Test
    void encodingOfTheResponsesIsThatOfPages() throws Exception {
        try (JspApp app =
                        new JspApp()
                                .webXml(
                                        "<response-character-encoding>KOI8-R"
                                                + "</response-character-encoding>")
                                .file("a.jsp", "\u0434".getBytes(Charset.forName("KOI8-R")));
                JspServer server = JspServer.start(app)) {
            RawResponse answer = server.get("/a.jsp");
            assertThat(answer.field("Content-Type")).isEqualTo("text/html;charset=KOI8-R");
            assertThat(answer.body()).isEqualTo("\u0434".getBytes(Charset.forName("KOI8-R")));
        }
    }

    @Test
    void withoutADefaultPagesAreIso88591() throws Exception {
        try (JspApp app = new JspApp().file("a.jsp", LATIN);
                JspServer server =
                        JspServer.start(
                                app.root(),
                                ServletContainer.builder().encoding(null),
                                new JspPages())) {
            RawResponse answer = server.get("/a.jsp");
            assertThat(answer.field("Content-Type")).isEqualTo("text/html;charset=ISO-8859-1");
            assertThat(answer.body()).isEqualTo(LATIN.getBytes(UTF_8));
        }
    }
}
