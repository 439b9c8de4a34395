package dev.serval.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HiddenPathsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/.git/config",
                "/.htaccess",
                "/a/.env",
                "/.well-known/.secret",
                "/a/.well-known/x",
                "/.well-knownx",
                "/.Well-Known/x",
                "/.",
                "/...",
                "/WEB-INF/web.xml",
                "/web-inf/x",
                "/Web-Inf",
                "/WEB-INF/",
                "/a/WEB-INF/x",
                "/META-INF/MANIFEST.MF",
                "/meta-inf",
                "/WEB-INF./x",
                "/WEB-INF /x",
                "/WEB-INF;a/x",
                "/WEB-INF. ;a=b/x",
                "/WEB-INF::$I/x",
                "/x.jsp",
                "/x.JSP",
                "/x.jSpX",
                "/x.jspf",
                "/x.tag",
                "/x.tagx",
                "/x.tagf",
                "/x.jsp.",
                "/x.jsp ",
                "/x.jsp. .",
                "/x.jsp;a",
                "/x.jsp;",
                "/x.jsp/",
                "/x.jsp/.",
                "/x.jsp/ ./",
                "/a.jsp/x.jsp",
                "/a.jsp/WEB-INF/x",
                "/x.jsp::$DATA",
                "/a:b.jsp",
                "/a;b.tag",
                "/a:b.jsp. ",
                "/.jsp",
                "/a/b/x.y.jsp",
                "/index.j\u017fp",
                "/index.J\u017fPX/",
                "/\u200b.env",
                "/a/.\u200benv",
                "/.\u00e9",
                "/\u200b.well-known/x",
                "/.well-known\u200b/x",
                "/W\u00adEB-INF/web.xml",
                "/META-INF\u200b\ufeff",
                "/\udb40\udc01WEB-INF"
            })
    void hides(String path) {
        assertThat(HiddenPaths.hides(path.getBytes(StandardCharsets.UTF_8))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "/index.html",
                "/.well-known/acme-challenge/x",
                "/.well-known",
                "/a.b/c",
                "/WEB-INFO/x",
                "/xWEB-INF/x",
                "/jsp",
                "/x.jsp.txt",
                "/jsp/x.html",
                "/x.jspy",
                "/\u00e9.html",
                "/.well-known/\u00e9",
                "/\u017fjsp",
                "/x.j\u017fp.txt",
                "/x.jsp/a",
                "/x.jsp/a.tag/b.txt",
                "/index.J\u017fPX/a",
                "/a;b"
            })
    void shows(String path) {
        assertThat(HiddenPaths.hides(path.getBytes(StandardCharsets.UTF_8))).isFalse();
    }

    @Test
    void checksTheRealNameButNotItsDots() {
        assertThat(HiddenPaths.hides(Path.of("/srv/..data/a.txt"), 1)).isFalse();
        assertThat(HiddenPaths.hides(Path.of("/srv/web-inf/a.txt"), 1)).isTrue();
        assertThat(HiddenPaths.hides(Path.of("/srv/web-inf/a.txt"), 2)).isFalse();
        assertThat(HiddenPaths.hides(Path.of("/srv/web-inf/a.jsp"), 2)).isTrue();
        assertThat(HiddenPaths.hides(Path.of("/srv/WEB-INF/a.jsp"), 1)).isTrue();
        assertThat(HiddenPaths.hides(Path.of("/srv/a.j\u017fp"), 1)).isTrue();
        assertThat(HiddenPaths.hides(Path.of("/srv/a.jsp/b.txt"), 1)).isFalse();
        assertThat(HiddenPaths.hides(Path.of("/srv/web\u00ad-inf/a"), 1)).isTrue();
    }
}
