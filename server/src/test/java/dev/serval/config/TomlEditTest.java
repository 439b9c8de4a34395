package dev.serval.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class TomlEditTest {
    private static final String FILE =
            """
            # The club
            [server] # one process
            loops = 2 # small machine

            # files
            [[mount]]
            at = "/"  # all
            folder = "${SITE}"
            deny = ["*.inc",
              # data
              "/data/**"]

            # api
            [[mount]]
            at = "/api"
            proxy = "http://127.0.0.1:9000"
            upstream = { queue = 5 }
            """;

    private static Node.Table tree(String text) {
        Mistakes mistakes = new Mistakes();
        Node.Table tree = TomlFile.read("f", text, Map.of("SITE", "x"), mistakes);
        assertThat(mistakes.lines()).isEmpty();
        return Objects.requireNonNull(tree);
    }

    private static String changed(String wanted) {
        return TomlEdit.changed(FILE, tree(wanted));
    }

    @Test
    void sameTreeLeavesEveryCharacter() {
        assertThat(changed(FILE)).isEqualTo(FILE);
    }

    @Test
    void changedValueKeepsItsLineAndComment() {
        assertThat(changed(FILE.replace("loops = 2", "loops = 4")))
                .isEqualTo(FILE.replace("loops = 2", "loops = 4"));
        assertThat(changed(FILE.replace("queue = 5", "queue = 6")))
                .isEqualTo(FILE.replace("queue = 5", "queue = 6"));
        assertThat(changed(FILE.replace("/data/**", "/d/**")))
                .isEqualTo(FILE.replace("/data/**", "/d/**"));
    }

    @Test
    void newKeysAndTablesAreAdded() {
        String wanted =
                FILE.replace("[server]", "[limits]\ncontent = \"1m\"\n[server]")
                        + "[[mount]]\nat = \"/n\"\nfolder = \"n\"\n";
        String changed = changed(wanted);
        assertThat(changed).startsWith(FILE.strip().substring(0, 100));
        assertThat(tree(changed))
                .usingRecursiveComparison()
                .ignoringFieldsMatchingRegexes(".*where")
                .isEqualTo(tree(wanted));
    }

    @Test
    void listsGrowAndShrinkInTheirPlaces() {
        assertThat(tree(changed(FILE.replace("\"*.inc\",", "\"*.inc\", \"*.bak\","))))
                .usingRecursiveComparison()
                .ignoringFieldsMatchingRegexes(".*where")
                .isEqualTo(tree(FILE.replace("\"*.inc\",", "\"*.inc\", \"*.bak\",")));
        String shorter = FILE.replace(",\n  # data\n  \"/data/**\"", "");
        assertThat(tree(changed(shorter)))
                .usingRecursiveComparison()
                .ignoringFieldsMatchingRegexes(".*where")
                .isEqualTo(tree(shorter));
        String listed = FILE + "deny = [\"a\", \"b\"]\n";
        assertThat(changed(listed)).isEqualTo(listed);
    }

    @Test
    void removedTableLeavesTheOthersAsTheyAre() {
        String wanted =
                FILE.substring(0, FILE.indexOf("# files")) + FILE.substring(FILE.indexOf("# api"));
        String changed = changed(wanted);
        assertThat(changed).contains("loops = 2 # small machine", "# api", "at = \"/api\"");
        assertThat(changed).doesNotContain("deny", "${SITE}");
    }

    @Test
    void variablesInKeysStay() {
        String file = FILE.replace("queue = 5", "queue = 5, weights = { \"${SITE}\" = 2, b = 1 }");
        assertThat(TomlEdit.changed(file, tree(file))).isEqualTo(file);
        assertThat(TomlEdit.changed(file, tree(file.replace("b = 1", "b = 3"))))
                .isEqualTo(file.replace("b = 1", "b = 3"));
    }

    @Test
    void refusesTextThatIsNotToml() {
        assertThatIllegalArgumentException().isThrownBy(() -> TomlEdit.changed("a = ", tree("")));
    }
}
