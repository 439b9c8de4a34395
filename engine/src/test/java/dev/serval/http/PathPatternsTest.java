package dev.serval.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PathPatternsTest {
    @ParameterizedTest
    @ValueSource(ints = {10, 255, 256, 257, 10_000})
    void pathsOfEveryLengthAreComparedEachTime(int length) {
        PathPatterns patterns = PathPatterns.of(List.of("*.inc"));
        String path = "/" + "a".repeat(length - 5);
        for (int i = 0; i < 3; i++) {
            assertThat(patterns.matches(path + ".inc")).isTrue();
            assertThat(patterns.matches(path + ".ink")).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "*.inc, /a.inc",
        "*.inc, /deep/er/a.inc",
        "*.inc, /a.inc/path/info",
        "*.inc, /A.INC",
        "*.inc, /a.inc.",
        "*.inc, /a.inc. .",
        "*.inc, /a.inc;v=1",
        "*.inc, /a.inc::$DATA",
        "*.inc, /.inc",
        ".git, /.git",
        ".git, /.git/config",
        ".git, /x/.GIT/config",
        "/data, /data",
        "/data, /data/x",
        "/data/, /data/x",
        "/data/**, /data",
        "/data/**, /data/x/y",
        "/data/**, /data/x.php/y",
        "/data/**, /DATA./x",
        "/data/**, /data;a=b/x",
        "/*/secret, /a/secret/x",
        "/a/**/z.txt, /a/z.txt",
        "/a/**/z.txt, /a/b/c/z.txt",
        "/a/**/b/**/c, /a/b/x/b/y/c",
        "/a*b*c, /aXbXbc",
        "/wiki/Special:Export, /wiki/Special:Export",
        "/x?z, /xyz",
        "/stra\u00dfe, /STRA\u00dfE",
        "/pa\u017f, /PAS",
        "/p\u200bas, /PAS",
        "/pas, /p\u00adas",
        "/\u00e9, /e\u0301",
        "/**, /anything"
    })
    void matches(String pattern, String path) {
        assertThat(PathPatterns.of(List.of(pattern)).matches(path)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "*.inc, /a.incl",
        "*.inc, /ainc",
        ".git, /.gitignore",
        "/data, /database",
        "/data/**, /x/data/y",
        "/*/secret, /secret",
        "/*/secret, /a/b/secret",
        "/a/**/z.txt, /b/z.txt",
        "/a*b*c, /aXbXbd",
        "/x?z, /xz",
        "/data, ''"
    })
    void doesNotMatch(String pattern, String path) {
        assertThat(PathPatterns.of(List.of(pattern)).matches(path)).isFalse();
    }

    @Test
    void comparesManyStarsInLittleTime() {
        PathPatterns names = PathPatterns.of(List.of("/" + "*a".repeat(500) + "b"));
        assertThat(names.matches("/" + "a".repeat(8_000))).isFalse();
        PathPatterns folders = PathPatterns.of(List.of("/" + "**/a/".repeat(200) + "b"));
        assertThat(folders.matches("/a".repeat(4_000))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "a/b", "//a", "/a//b", "/a/../b", "/a/./b", "a\\b", "/a\n"})
    void refusesWhatCanMatchNoPath(String pattern) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PathPatterns.of(List.of(pattern)))
                .withMessageContaining("A pattern of paths is a name, such as *.inc, or begins");
    }
}
