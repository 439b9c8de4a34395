package dev.serval.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TomlFileTest {
    @TempDir Path folder;

    private List<String> mistakesOf(Path file, @Nullable String expected) {
        Mistakes mistakes = new Mistakes();
        assertThat(TomlFile.text(file, mistakes)).isEqualTo(expected);
        return mistakes.lines();
    }

    @Test
    void fileMayHaveAMebibyteAndNotMore() throws IOException {
        String most = "#".repeat(TomlFile.TEXT_MAX_CHARS);
        Path file = Files.writeString(folder.resolve("f"), most);
        assertThat(mistakesOf(file, most)).isEmpty();
        Files.writeString(file, most + "#");
        assertThat(mistakesOf(file, null)).singleElement().asString().contains("larger than 1 MiB");
    }

    @Test
    void textMayHaveAMebibyteAndNotMore() {
        Mistakes mistakes = new Mistakes();
        String most = "#".repeat(TomlFile.TEXT_MAX_CHARS);
        assertThat(TomlFile.read("f", most, Map.of(), mistakes)).isNotNull();
        assertThat(mistakes.none()).isTrue();
        assertThat(TomlFile.read("f", most + "#", Map.of(), mistakes)).isNull();
        assertThat(mistakes.lines())
                .singleElement()
                .asString()
                .contains("The text is longer than 1 MiB");
    }

    @Test
    void saysWhyAFileCannotBeRead() throws IOException {
        assertThat(mistakesOf(folder, null)).singleElement().asString().contains("is a folder");
        assertThat(mistakesOf(folder.resolve("gone"), null))
                .singleElement()
                .asString()
                .contains("There is no such file.");
        Path latin = Files.write(folder.resolve("latin"), new byte[] {'#', (byte) 0xe4});
        assertThat(mistakesOf(latin, null)).singleElement().asString().contains("not in UTF-8");
        Path marked = Files.writeString(folder.resolve("marked"), "\ufeff[server]\n");
        assertThat(mistakesOf(marked, null))
                .singleElement()
                .asString()
                .contains("begins with a byte order mark");
    }

    @Test
    void keysThatBecomeTheSameAreRefused() {
        Mistakes mistakes = new Mistakes();
        Node.Table read =
                TomlFile.read("f", "[t]\n\"${A}\" = 1\nb = 2\n", Map.of("A", "b"), mistakes);
        assertThat(read).isNotNull();
        assertThat(mistakes.lines())
                .singleElement()
                .asString()
                .contains("which another key of this table is, too");
    }
}
