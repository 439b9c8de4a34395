package dev.serval.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads texts of configurations for tests. Stateless.
final class Configurations {
    private Configurations() {}

    /// Returns the values of a text that must be right.
    static Values right(String text) {
        Mistakes mistakes = new Mistakes();
        Values values = read(text, Map.of(), mistakes);
        assertThat(mistakes.lines()).isEmpty();
        return values;
    }

    /// Returns what is wrong with a text.
    static List<String> mistakes(String text) {
        Mistakes mistakes = new Mistakes();
        read(text, Map.of("SET", "5", "EMPTY", ""), mistakes);
        return mistakes.lines();
    }

    static Values read(String text, Map<String, String> environment, Mistakes mistakes) {
        Node.@Nullable Table tree = TomlFile.read("serval.toml", text, environment, mistakes);
        return tree == null
                ? Values.empty(Keys.ROOT)
                : SchemaReader.read(tree, Keys.ROOT, mistakes);
    }
}
