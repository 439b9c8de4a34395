package dev.serval.servlet.vault;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JdbcVaultTest {
    /// Log messages name the database by what this returns.
    @ParameterizedTest
    @CsvSource({
        "jdbc:h2:mem:sessions;PASSWORD=s3cret, jdbc:h2:mem:sessions",
        "jdbc:h2:/var/lib/serval/db, jdbc:h2:/var/lib/serval/db",
        "jdbc:postgresql://db.example:5432/shop?user=ada&password=s3cret, jdbc:postgresql://db.example:5432/shop",
        "jdbc:postgresql://db.example/shop?password=s3@cret, jdbc:postgresql",
        "jdbc:mysql://ada:s3cret@db.example/shop, jdbc:mysql",
        "jdbc:oracle:thin:ada/s3cret@db.example:1521:shop, jdbc:oracle"
    })
    void databaseIsNamedWithoutSecrets(String url, String named) {
        assertThat(JdbcVault.withoutSecrets(url)).isEqualTo(named);
    }
}
