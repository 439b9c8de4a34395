package dev.serval.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Any text in place of a configuration: it is right or has mistakes, and a right one says the same
/// when it is printed and read again.
final class TomlFuzz {
    static {
        // The parser checks itself by assertions, which are off in a server: it reports the same
        // text
        // as a mistake. One of them is wrong for a comment in a header.
        TomlFuzz.class.getClassLoader().setPackageAssertionStatus("org.tomlj", false);
    }

    @FuzzTest(maxDuration = "20s")
    void configuration(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        Mistakes mistakes = new Mistakes();
        Node.@Nullable Table tree = TomlFile.read("f", text, Map.of("A", "1"), mistakes);
        if (tree == null) {
            assertThat(mistakes.none()).isFalse();
            return;
        }
        Values values = SchemaReader.read(tree, Keys.ROOT, mistakes);
        assertThat(mistakes.all()).allMatch(mistake -> !mistake.what().isBlank());
        if (mistakes.none()) {
            Mistakes again = new Mistakes();
            Node.@Nullable Table printed =
                    TomlFile.read("f", Effective.text(values), Map.of(), again);
            assertThat(again.lines()).isEmpty();
            assertThat(printed).isNotNull();
            assertThat(TomlEdit.changed(text, tree)).isNotNull();
        }
    }
}
