package dev.serval.servlet.database;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Settings of a data source, as messages show them.
final class DatabaseSettingsTest {
    @ParameterizedTest
    @CsvSource({
        "jdbc:h2:mem:shop, jdbc:h2:mem:shop",
        "jdbc:h2:mem:shop;USER=a;PASSWORD=secret, jdbc:h2:mem:shop",
        "jdbc:postgresql://db:5432/shop?user=a&password=secret, jdbc:postgresql://db:5432/shop",
        "jdbc:mysql://a:secret@db/shop, jdbc:mysql://…@db/shop",
        "jdbc:mysql://a:sec@ret@db/shop, jdbc:mysql://…@db/shop",
        "jdbc:oracle:thin:a/secret@//db:1521/shop, jdbc:oracle:thin:…@//db:1521/shop",
        "jdbc:oracle:thin:@db:1521:shop, jdbc:oracle:thin:@db:1521:shop",
        "a:secret@db, a:…@db",
        "secret@db, …@db",
        "'', ''"
    })
    void shownUrlHasNoPassword(String url, String shown) {
        assertThat(DatabaseSettings.shown(url)).isEqualTo(shown);
    }

    @Test
    void textHasNoPassword() {
        DatabaseSettings settings =
                DatabaseSettings.of("jdbc/shop", "jdbc:x:y;password=secret").as("ann", "secret");
        assertThat(settings).hasToString("data source jdbc/shop (jdbc:x:y)");
    }

    @Test
    void userAndPasswordAreSetOneByOne() {
        DatabaseSettings settings = DatabaseSettings.of("jdbc/shop", "jdbc:x").as("ann", "one");
        assertThat(settings.as(null, "two").user()).isEqualTo("ann");
        assertThat(settings.as(null, "two").password()).isEqualTo("two");
        assertThat(settings.as("bob", null).password()).isEqualTo("one");
    }
}
