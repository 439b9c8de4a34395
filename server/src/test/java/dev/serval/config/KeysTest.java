package dev.serval.config;

import static dev.serval.config.Configurations.right;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The table of keys, and what is made from it.
final class KeysTest {
    private static final Path PAGE = Path.of("../docs/manual/configuration-keys.md");

    @Test
    void everyDefaultIsRight() {
        for (KeyPath path : KeyPath.all()) {
            Key key = path.key();
            if (key != null && key.hasUsualValue()) {
                assertThat(Defaults.of(key)).as(path.path()).isNotNull();
            }
        }
    }

    @Test
    void namesArePlainAndEachIsUsedOnce() {
        List<String> names = KeyPath.all().stream().map(KeyPath::path).toList();
        assertThat(names).doesNotHaveDuplicates().allMatch(name -> name.matches("[a-z0-9.-]+"));
    }

    @Test
    void everyKeyHasSentences() {
        for (KeyPath path : KeyPath.all()) {
            Key key = path.key();
            String what = key == null ? path.section().what() : key.what();
            assertThat(what).as(path.path()).endsWith(".").matches("(?s)[A-Z0-9].*");
        }
    }

    @Test
    void manualHasThePageOfAllKeys() throws IOException {
        assertThat(Files.readString(PAGE))
                .as("docs/manual/configuration-keys.md: ./serval help --page writes it")
                .isEqualTo(Reference.page());
    }

    @Test
    void helpFindsKeysByTheirWholeNameOrItsEnd() {
        assertThat(KeyHelp.of("mount.folder")).contains("A folder of files, or one file.");
        assertThat(KeyHelp.of("host.mount.folder")).isEqualTo(KeyHelp.of("mount.folder"));
        assertThat(KeyHelp.of("proxy-protocol")).contains("PROXY protocol", "default: false");
        assertThat(KeyHelp.of("head-time"))
                .startsWith("listener.limits.head-time\n")
                .contains("\nlimits.head-time\n");
        assertThat(KeyHelp.of("loops")).contains("needs a restart");
        assertThat(KeyHelp.of("nothing-like-this")).isNull();
        assertThat(KeyHelp.nearest("mount.foldr")).isEqualTo("mount.folder");
    }

    @Test
    void helpTakesTablesAsMessagesNameThem() {
        assertThat(KeyHelp.of("[[mount]]")).isNotNull().isEqualTo(KeyHelp.of("mount"));
        assertThat(KeyHelp.of("[mount.files]")).isNotNull().isEqualTo(KeyHelp.of("mount.files"));
    }

    @Test
    void helpListsEachKeyWithAWholeSentence() {
        assertThat(KeyHelp.all().lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(78))
                .noneMatch(line -> line.endsWith("FastCGI:"));
        assertThat(KeyHelp.all().replaceAll("\\s+", " "))
                .contains(" root FastCGI: the folder of the scripts. remote ");
    }

    @Test
    void effectiveTextMeansTheSame() {
        Values values =
                right(
                        """
                        [server]
                        stop-time = "90s"
                        [[listener]]
                        address = "8080"
                        limits.content = 1536
                        [files]
                        cache-size = 65536
                        [[data-source]]
                        name = "jdbc/a"
                        url = "jdbc:h2:mem:a\\"b"
                        password = "geheim"
                        [[mount]]
                        folder = "a"
                        fields = { "X-A" = "ü", "X-B" = "" }
                        deny = ["*.inc", "/data/**"]
                        [[host]]
                        name = "a.example"
                        [[host.mount]]
                        at = "/x"
                        redirect = "/y"
                        [[host]]
                        name = "b.example"
                        """);
        String text = Effective.text(values);
        assertThat(text)
                .doesNotContain("geheim")
                .contains("stop-time = \"90s\"\n", "content = 1536", "cache-size = \"64k\"\n");
        Values again = right(text);
        assertThat(Differences.between(values, again))
                .singleElement()
                .asString()
                .isEqualTo("~ data-source \"jdbc/a\" password: changed (needs a restart)");
    }

    @Test
    void differencesNameTablesByTheirKey() {
        Values before =
                right(
                        """
                        [limits]
                        content = "1m"
                        [[mount]]
                        at = "/a"
                        folder = "x"
                        [[mount]]
                        at = "/b"
                        folder = "x"
                        [[host]]
                        name = "h"
                        mount = [{ folder = "x" }]
                        """);
        Values after =
                right(
                        """
                        [server]
                        loops = 3
                        [[mount]]
                        at = "/c"
                        folder = "x"
                        [[mount]]
                        at = "/b"
                        folder = "y"
                        files.listing = true
                        [[host]]
                        name = "h"
                        mount = [{ folder = "z" }]
                        """);
        assertThat(Differences.between(before, after))
                .extracting(Differences.Difference::toString)
                .containsExactly(
                        "~ server loops: none → 3 (needs a restart)",
                        "~ limits content: \"1m\" → \"10m\"",
                        "- mount \"/a\"",
                        "~ mount \"/b\" folder: \"x\" → \"y\"",
                        "~ mount \"/b\" files listing: none → true",
                        "+ mount \"/c\"",
                        "~ host [\"h\"] mount \"/\" folder: \"x\" → \"z\"");
        assertThat(Differences.between(before, before)).isEmpty();
    }

    @Test
    void readsFilesThatAreNone() {
        for (Map.Entry<String, String> each :
                Map.of("/nothing/here.toml", "There is no such file.", "/", "This is a folder")
                        .entrySet()) {
            Mistakes mistakes = new Mistakes();
            assertThat(TomlFile.text(Path.of(each.getKey()), mistakes)).isNull();
            assertThat(mistakes.lines()).singleElement().asString().contains(each.getValue());
        }
    }
}
