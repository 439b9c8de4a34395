package dev.serval.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SecrecyTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:h2:mem:x | jdbc:h2:mem:x",
                "jdbc:h2:mem:x;USER=sa;PASSWORD=s3cret;MODE=MySQL | jdbc:h2:mem:x;USER=sa;PASSWORD=***;MODE=MySQL",
                "jdbc:postgresql://h/d?user=a&password=s3cret&ssl=true | jdbc:postgresql://h/d?user=a&password=***&ssl=true",
                "jdbc:postgresql://h/d?sslpassword=s3cret | jdbc:postgresql://h/d?sslpassword=***",
                "jdbc:mysql://root:s3cret@h:3306/d | jdbc:mysql://root:***@h:3306/d",
                "jdbc:mysql://address=(host=h)(password=s3cret)/d | jdbc:mysql://address=(host=h)(password=***)/d",
                "jdbc:sqlserver://h:1433;password={s;3cret};encrypt=true | jdbc:sqlserver://h:1433;password=***;encrypt=true",
                "jdbc:oracle:thin:scott/s3cret@//h:1521/d | jdbc:oracle:thin:scott/***@//h:1521/d",
                "jdbc:x://h/d?accessToken=s3cret | jdbc:x://h/d?accessToken=***",
                "jdbc:postgresql://h:5432/d?user=a | jdbc:postgresql://h:5432/d?user=a",
            })
    void urlIsShownWithoutItsPasswords(String url, String shown) {
        assertThat(Secrecy.URL.masked("url", url)).isEqualTo(shown);
        assertThat(Secrecy.isMasked(url)).isFalse();
        assertThat(Secrecy.isMasked(shown)).isEqualTo(!url.equals(shown));
    }

    @Test
    void fieldsThatLogInAreHidden() {
        for (String name :
                List.of("Authorization", "proxy-authorization", "Cookie", "X-Api-Key", "X-Token")) {
            assertThat(Secrecy.FIELDS.masked(name, "Basic abc")).as(name).isEqualTo("***");
            assertThat(Secrecy.FIELDS.masked(name, "")).as("removed").isEmpty();
        }
        assertThat(Secrecy.FIELDS.masked("X-Forwarded-Host", "$host")).isEqualTo("$host");
    }

    @Test
    void checkAndDifferencesShowNoSecret() {
        Values before =
                Configurations.right(
                        """
                        [[data-source]]
                        name = "jdbc/a"
                        url = "jdbc:h2:mem:x;PASSWORD=first"
                        [[mount]]
                        proxy = "http://127.0.0.1:9000"
                        upstream.fields = { Authorization = "Basic first", X-A = "shown" }
                        """);
        Values after =
                Configurations.right(
                        """
                        [[data-source]]
                        name = "jdbc/a"
                        url = "jdbc:h2:mem:x;PASSWORD=two"
                        [[mount]]
                        proxy = "http://127.0.0.1:9000"
                        upstream.fields = { Authorization = "Basic two", X-A = "shown" }
                        """);
        assertThat(Effective.text(before))
                .contains("PASSWORD=***", "\"X-A\" = \"shown\"", "\"Authorization\" = \"***\"")
                .doesNotContain("first");
        assertThat(
                        Effective.text(
                                Configurations.right(
                                        """
                                        [[mount]]
                                        scgi = "127.0.0.1:9000"
                                        upstream.variables = { DB_PASS = "first", PGPWD = "first", API_KEY = "first" }
                                        """)))
                .contains("\"DB_PASS\" = \"***\"", "\"PGPWD\" = \"***\"", "\"API_KEY\" = \"***\"")
                .doesNotContain("first");
        assertThat(Differences.between(before, after))
                .extracting(Object::toString)
                .containsExactlyInAnyOrder(
                        "~ data-source \"jdbc/a\" url: changed (needs a restart)",
                        "~ mount \"/\" upstream fields: changed");
        assertThat(
                        Configurations.mistakes(
                                "[[data-source]]\nname = 'a'\nurl = 'h2:x;PASSWORD=first'"))
                .singleElement()
                .asString()
                .contains("PASSWORD=***")
                .doesNotContain("first");
    }
}
