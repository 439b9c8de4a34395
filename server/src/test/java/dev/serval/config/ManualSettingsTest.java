package dev.serval.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the manual writes into a configuration has keys and values that exist.
final class ManualSettingsTest {
    private static final Path MANUAL = Path.of("..", "docs", "manual");
    private static final String BENCH = "bench.md"; // has files of the benchmarks

    private static final Pattern BLOCK = Pattern.compile("(?s)```toml\n(.*?)```");
    private static final Pattern ROW = Pattern.compile("(?m)^\\|.* \\| (.*) \\|$");
    private static final Pattern SETTING = Pattern.compile("`([a-z.-]+ = [^`]*)`");

    /// The tables in which a line may stand.
    private static final List<String> TABLES =
            List.of(
                    "",
                    "[[mount]]\n",
                    "[[listener]]\n",
                    "[[host]]\n",
                    "[[mount]]\n[[mount.rewrite]]\n",
                    "[[data-source]]\n",
                    "[applications.sessions]\n");

    /// Returns what is wrong with a text, of which other lines may be missing.
    private static List<String> mistakes(String text) {
        Mistakes mistakes = new Mistakes();
        Node.@Nullable Table tree = TomlFile.read("f", text, Map.of(), mistakes);
        if (tree != null) {
            Values _ = SchemaReader.read(tree, Keys.ROOT, mistakes);
        }
        return mistakes.lines().stream().filter(line -> !line.contains(" needs the key ")).toList();
    }

    @Test
    void everyExampleHasTheRightKeys() throws IOException {
        int blocks = 0;
        try (Stream<Path> pages = Files.list(MANUAL)) {
            for (Path page : pages.filter(page -> !page.endsWith(BENCH)).sorted().toList()) {
                for (MatchResult block : BLOCK.matcher(Files.readString(page)).results().toList()) {
                    String text = block.group(1);
                    assertThat(TABLES)
                            .as(page + "\n" + text)
                            .anyMatch(table -> mistakes(table + text).isEmpty());
                    blocks++;
                }
            }
        }
        assertThat(blocks).isGreaterThan(15);
    }

    @ParameterizedTest
    @CsvSource({"from-nginx.md", "from-tomcat.md"})
    void everySettingBesideAnotherServersExists(String page) throws IOException {
        List<String> settings = new ArrayList<>();
        String text = Files.readString(MANUAL.resolve(page));
        ROW.matcher(text)
                .results()
                .forEach(row ->
                        SETTING.matcher(row.group(1))
                                .results()
                                .forEach(setting -> settings.add(setting.group(1))));
        assertThat(settings)
                .hasSizeGreaterThanOrEqualTo(15)
                .allSatisfy(setting ->
                        assertThat(TABLES)
                                .anyMatch(table -> mistakes(table + setting + "\n").isEmpty()));
    }
}
