package dev.serval.config;

import static dev.serval.config.Configurations.right;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class EffectiveTest {
    @Test
    void tablesOfTheServerHaveTheirDefaultsAndThoseOfMountsOnlyWhatIsGiven() {
        String text =
                Effective.text(
                        right(
                                """
                                [server]
                                loops = 2
                                [[mount]]
                                folder = "site"
                                files.listing = true
                                """));
        assertThat(text)
                .startsWith(
                        "[server]\nloops = 2\ntransport = \"auto\"  # default\n# state: (serval in")
                .contains("\n\n[limits]\nconnections = 20000  # default\n")
                .endsWith("\n[[mount]]\nfolder = \"site\"\n\n[mount.files]\nlisting = true\n");
        assertThat(text).as("tables that need a key").doesNotContain("[[data-source]]", "[admin]");
    }

    @Test
    void hostsAreShownAsTheFileHasThem() {
        assertThat(Effective.text(right("[[host]]\nname = 'a'\nmount = [{ folder = 'x' }]\n")))
                .endsWith("[[host]]\nname = [\"a\"]\n\n[[host.mount]]\nfolder = \"x\"\n");
    }

    @Test
    void valuesAreWrittenAsTomlReadsThem() {
        assertThat(Effective.shown("a\"b\\c\n$d ${E}")).isEqualTo("\"a\\\"b\\\\c\\u000a$d $${E}\"");
        assertThat(Effective.shown("\u007f")).isEqualTo("\"\\u007f\"");
        assertThat(Effective.shown(List.of("a", 2L))).isEqualTo("[\"a\", 2]");
        assertThat(Effective.shown(Map.of("a b", "c"))).isEqualTo("{ \"a b\" = \"c\" }");
        assertThat(Effective.shown(Duration.ofSeconds(90))).isEqualTo("\"90s\"");
    }

    @Test
    void tablesWithoutANameAreNumberedFromOne() {
        String mount = "[[mount]]\nfolder = 'x'\n";
        String rewrite = "[[mount.rewrite]]\nfrom = 'a'\nto = '/b'\n";
        assertThat(Differences.between(right(mount), right(mount + rewrite + rewrite)))
                .extracting(Object::toString)
                .containsExactly("+ mount \"/\" rewrite 1", "+ mount \"/\" rewrite 2");
    }
}
