package dev.serval.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MountTest {
    private final Problems problems = new Problems();

    @ParameterizedTest
    @CsvSource({"/, /", "/a, /a", "/a/, /a", "/a b/c.d, /a b/c.d", "/..., /..."})
    void prefixLosesOnlyASlashAtItsEnd(String text, String prefix) {
        assertThat(Mount.prefix(text, text, problems)).isEqualTo(prefix);
        assertThat(problems.none()).isTrue();
    }

    @Test
    void prefixHasNoCharacterThatAPathNeverHas() {
        for (char c : "%?#;\\\u0000\u001f\u007f".toCharArray()) {
            assertThat(Mount.prefix("/a" + c, "x", problems)).as("%04x", (int) c).isNull();
        }
        assertThat(problems.sentences()).hasSize(8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"//", "/a//b", "/.", "/./a", "/a/..", "/../a"})
    void prefixIsThatOfANormalPath(String text) {
        assertThat(Mount.prefix(text, text, problems)).isNull();
        assertThat(problems.sentences())
                .isEqualTo(
                        List.of(
                                "The prefix of \""
                                        + text
                                        + "\" has an empty segment, \".\" or \"..\": write /name or"
                                        + " /name/name, such as /docs or /shop/help."));
    }
}
