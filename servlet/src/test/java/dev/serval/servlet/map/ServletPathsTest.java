package dev.serval.servlet.map;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The examples and rules of Servlet 6.1 §12.
final class ServletPathsTest {
    private static final ServletPaths<String> EXAMPLE =
            ServletPaths.<String>builder()
                    .map("/foo/bar/*", "servlet1", "servlet1")
                    .map("/baz/*", "servlet2", "servlet2")
                    .map("/catalog", "servlet3", "servlet3")
                    .map("*.bop", "servlet4", "servlet4")
                    .map("/", "default", "default")
                    .map("", "root", "root")
                    .map("/baz/deep/*", "servlet5", "servlet5")
                    .map("/baz/x.bop", "servlet6", "servlet6")
                    .build();

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "/foo/bar/index.html, servlet1, /foo/bar, /index.html, PATH, index.html of /foo/bar/*",
                "/foo/bar/index.bop, servlet1, /foo/bar, /index.bop, PATH, index.bop of /foo/bar/*",
                "/foo/bar, servlet1, /foo/bar, -, PATH, nothing of /foo/bar/*",
                "/foo/bar/, servlet1, /foo/bar, /, PATH, nothing of /foo/bar/*",
                "/foo/barn, default, /foo/barn, -, DEFAULT, nothing of /",
                "/baz, servlet2, /baz, -, PATH, nothing of /baz/*",
                "/baz/index.html, servlet2, /baz, /index.html, PATH, index.html of /baz/*",
                "/baz/deep/a/b, servlet5, /baz/deep, /a/b, PATH, a/b of /baz/deep/*",
                "/baz/deeper, servlet2, /baz, /deeper, PATH, deeper of /baz/*",
                "/baz/x.bop, servlet6, /baz/x.bop, -, EXACT, baz/x.bop of /baz/x.bop",
                "/catalog, servlet3, /catalog, -, EXACT, catalog of /catalog",
                "/catalog/index.html, default, /catalog/index.html, -, DEFAULT, nothing of /",
                "/catalog/racecar.bop, servlet4, /catalog/racecar.bop, -, EXTENSION, catalog/racecar of *.bop",
                "/index.bop, servlet4, /index.bop, -, EXTENSION, index of *.bop",
                "/a.bop/b, default, /a.bop/b, -, DEFAULT, nothing of /",
                "/.bop, servlet4, /.bop, -, EXTENSION, nothing of *.bop",
                "/x.BOP, default, /x.BOP, -, DEFAULT, nothing of /",
                "/, root, '', /, CONTEXT_ROOT, nothing of the root",
            })
    void servletOfPath(
            String path,
            String servlet,
            String servletPath,
            @Nullable String pathInfo,
            String kind,
            String valueOfPattern) {
        Match<String> match = Objects.requireNonNull(EXAMPLE.match(path));
        assertThat(match.servlet()).isEqualTo(servlet);
        assertThat(match.servletPath()).isEqualTo(servletPath);
        assertThat(match.pathInfo()).isEqualTo(pathInfo);
        assertThat(match.mapping().getMappingMatch()).hasToString(kind);
        String value = match.mapping().getMatchValue();
        String pattern = match.mapping().getPattern();
        assertThat(
                        (value.isEmpty() ? "nothing" : value)
                                + " of "
                                + (pattern.isEmpty() ? "the root" : pattern))
                .isEqualTo(valueOfPattern);
        assertThat(match.mapping().getServletName()).isEqualTo(servlet);
    }

    @Test
    void rootWildcardTakesEveryPathWithoutServletPath() {
        ServletPaths<String> all = ServletPaths.<String>builder().map("/*", "all", "all").build();
        Match<String> match = Objects.requireNonNull(all.match("/a/b"));
        assertThat(match.servletPath()).isEmpty();
        assertThat(match.pathInfo()).isEqualTo("/a/b");
        assertThat(all.match("/")).isNotNull();
    }

    /// A page has the servlet path that it has without the group, and a folder its welcome files.
    @Test
    void prefixOfPagesTakesNoFolderAndLeavesThePathWhole() {
        ServletPaths<String> paths =
                ServletPaths.<String>builder()
                        .mapPages("/pages/*", "jsp", "jsp")
                        .map("/*", "all", "all")
                        .map("/", "default", "default")
                        .build();
        Match<String> page = Objects.requireNonNull(paths.match("/pages/sub/a.jsp"));
        assertThat(page.servlet()).isEqualTo("jsp");
        assertThat(page.servletPath()).isEqualTo("/pages/sub/a.jsp");
        assertThat(page.pathInfo()).isNull();
        assertThat(page.mapping().getPattern()).isEqualTo("/pages/*");
        assertThat(page.mapping().getMatchValue()).isEqualTo("sub/a.jsp");
        for (String folder : new String[] {"/pages", "/pages/", "/pages/sub/"}) {
            assertThat(Objects.requireNonNull(paths.match(folder)).servlet()).isEqualTo("default");
            assertThat(paths.isMapped(folder)).isFalse();
        }
        assertThat(paths.mayTakeInFolder("index.html")).isTrue();
    }

    @Test
    void pagesTakeAllPathsButFolders() {
        ServletPaths<String> paths =
                ServletPaths.<String>builder()
                        .mapPages("/*", "jsp", "jsp")
                        .mapPages("*.page", "jsp", "jsp")
                        .build();
        assertThat(Objects.requireNonNull(paths.match("/a")).servletPath()).isEqualTo("/a");
        assertThat(paths.match("/")).isNull();
    }

    @Test
    void nothingMatchesWithoutPatterns() {
        assertThat(ServletPaths.<String>builder().build().match("/a")).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "/, /",
                "/a/b, /a/b",
                "/a;x=1/b;y, /a/b",
                "/a%3Bb, /a;b",
                "/a//b/./c/../d, /a/b/d",
                "/a/.., /",
                "/a/., /a/",
                "/a/, /a/",
                "/%C3%A4, /ä",
                "/a%20b, /a b",
                "/;x, /",
                "/.., -",
                "/a/../../b, -",
                "/..;x/b, -",
                "/a/..;x/b, -",
                "/a/.;x/b, -",
                "/%2e%2e/b, -",
                "/a%2Fb, -",
                "/a%5Cb, -",
                "/a%00b, -",
                "/a%C3, -",
                "/a%zz, -",
                "/a%4, -",
            })
    void normalForm(String raw, @Nullable String normal) {
        assertThat(NormalPath.normal(raw)).isEqualTo(normal);
    }

    /// The patterns are those of one servlet; the question is asked for the welcome file.
    @ParameterizedTest(name = "{0} and {1}: {2}")
    @CsvSource({
        "/, index.html, false",
        "*.html, index.html, true",
        "*.jsp, index.html, false",
        "*.html, index, false",
        "/a/*, index.html, false",
        "/index.html, index.html, false",
        "/a/index.html/*, index.html, true",
        "/a/xindex.html/*, index.html, false",
        "/a/view/*, view/home, true",
        "/a/view/*, home, false",
        "/*, index.html, false",
    })
    void tellsWhetherAServletMayTakeAWelcomeFile(String pattern, String name, boolean expected) {
        ServletPaths<String> paths = ServletPaths.<String>builder().map(pattern, "s", "s").build();
        assertThat(paths.mayTakeInFolder(name)).isEqualTo(expected);
    }
}
