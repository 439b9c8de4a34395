package dev.serval.jsp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.mode.EveryMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The life of tag handlers (Servlet 6.1 §15.5.7).
@EveryMode
@Timeout(120)
final class TagLifeTest {
    private static final String TAG =
            """
            package demo;
            import jakarta.annotation.PostConstruct;
            import jakarta.annotation.PreDestroy;
            import jakarta.servlet.jsp.tagext.SimpleTagSupport;
            public final class Counted extends SimpleTagSupport {
                public static int begun;
                public static int ended;
                @PostConstruct void begin() { begun++; }
                @PreDestroy void end() { ended++; }
                @Override public void doTag() { }
            }
            """;
    private static final String TLD =
            """
            <taglib xmlns="https://jakarta.ee/xml/ns/jakartaee" version="4.0">
              <tlib-version>1</tlib-version><short-name>d</short-name><uri>urn:d</uri>
              <tag><name>counted</name><tag-class>demo.Counted</tag-class>
                <body-content>empty</body-content></tag>
            </taglib>
            """;

    @Test
    void tagHandlerBeginsAndEnds() throws Exception {
        String page =
                "<%@ taglib prefix=\"d\" uri=\"urn:d\" %><d:counted/><d:counted/>"
                        + "<%= demo.Counted.begun + \" \" + demo.Counted.ended %>";
        try (JspApp app =
                        new JspApp()
                                .source("demo.Counted", TAG)
                                .file("WEB-INF/d.tld", TLD)
                                .file("a.jsp", page);
                JspServer server = JspServer.start(app)) {
            assertThat(server.text("/a.jsp")).isEqualTo("2 2");
        }
    }
}
