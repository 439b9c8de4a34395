package dev.serval.servlet.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Context paths of names and prefixes.
final class ContextPathTest {
    @ParameterizedTest
    @CsvSource({
        "ROOT.war, ''",
        "ROOT, ''",
        "x.war, /x",
        "dir/X.WAR, /X",
        "a#b.war, /a/b",
        "a#b#c, /a/b/c",
        "my app.war, /my app",
        "shop-1.2.war, /shop-1.2",
        "root.war, /root"
    })
    void followsTheName(String file, String path) {
        assertThat(ContextPath.of(Path.of(file))).isEqualTo(path);
    }

    @Test
    void refusesParallelVersions() {
        assertThatThrownBy(() -> ContextPath.of(Path.of("x##2.war")))
                .hasMessageContaining("parallel versions of an application are not supported")
                .hasMessageEndingWith("rename it to x.war");
    }

    @ParameterizedTest
    @ValueSource(strings = {"#a.war", "a#.war", "a#..#b.war", "a;b.war", "a%20b.war", ".war", "/"})
    void refusesNameWithoutPath(String file) {
        assertThatThrownBy(() -> ContextPath.of(Path.of(file)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("/shop/cart");
    }

    @ParameterizedTest
    @CsvSource({"/, ''", "'', ''", "/a, /a", "/a/, /a", "/a/b, /a/b"})
    void takesPrefix(String prefix, String path) {
        assertThat(ContextPath.ofPrefix(prefix)).isEqualTo(path);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "//", "/a//b", "/../a", "/a?b", "/a#b", "/a\nb"})
    void refusesPrefixThatIsNoPath(String prefix) {
        assertThatThrownBy(() -> ContextPath.ofPrefix(prefix))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
