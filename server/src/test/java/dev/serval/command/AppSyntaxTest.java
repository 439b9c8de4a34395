package dev.serval.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.servlet.database.DatabaseSettings;
import dev.serval.settings.Problems;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Options for applications: data sources with users and passwords of the environment.
final class AppSyntaxTest {
    private final Problems problems = new Problems();

    private List<DatabaseSettings> sources(Map<String, String> environment, String... texts) {
        return AppSyntax.sources(List.of(texts), environment, problems);
    }

    @Test
    void passwordOfTheEnvironmentNeedsNoUser() {
        DatabaseSettings shop =
                sources(
                                Map.of("SERVAL_JDBC_SHOP_PASSWORD", "secret"),
                                "jdbc/shop=jdbc:h2:mem:x;USER=ann")
                        .getFirst();
        assertThat(shop.user()).isNull();
        assertThat(shop.password()).isEqualTo("secret");
        assertThat(shop.url()).isEqualTo("jdbc:h2:mem:x;USER=ann");
        assertThat(problems.none()).isTrue();
    }

    @Test
    void environmentOfOneSourceIsNotThatOfAnother() {
        List<DatabaseSettings> sources =
                sources(
                        Map.of("SERVAL_JDBC_A_USER", "ann", "SERVAL_JDBC_B_USER", "bob"),
                        "jdbc/a=jdbc:x",
                        "jdbc/b=jdbc:y",
                        "c=jdbc:z");
        assertThat(sources).extracting(DatabaseSettings::user).containsExactly("ann", "bob", null);
    }

    @Test
    void nameGivenTwiceIsRefused() {
        assertThat(sources(Map.of(), "a=jdbc:x", "a=jdbc:y")).hasSize(1);
        assertThat(problems.sentences())
                .containsExactly("--data-source a is given twice: once is enough.");
    }
}
