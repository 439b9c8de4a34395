package dev.serval.servlet.parameter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Table of Accept-Language values.
final class AcceptLanguageTest {
    @ParameterizedTest(name = "RFC 9110 §12.5.4: {0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    en-US                        | [en_US]
                    en-us, ga-us                 | [en_US, ga_US]
                    de;q=0.5,en;q=0.8,fr         | [fr, en, de]
                    de;q=0.5,en;q=0.5,fr;q=0.5   | [de, en, fr]
                    da, en-gb;q=0.8, en;q=0.7    | [da, en_GB, en]
                    de;q=0.001,en;q=0.002        | [en, de]
                    de ; q=1.000                 | [de]
                    de;Q=0.5                     | [de]
                    *                            | []
                    en, *;q=0.5                  | [en]
                    de;q=0                       | []
                    de;q=0.000, en               | [en]
                    de;q=1.001                   | []
                    de;q=2                       | []
                    de;q=0.1234                  | []
                    de;q=0x5                     | []
                    de;q=.5                      | []
                    de;q=-1                      | []
                    de;level=1                   | []
                    de;q=0.;q=1                  | []
                    de_DE                        | []
                    <script>                     | []
                    1de                          | []
                    de-                          | []
                    abcdefghi                    | []
                    x-private                    | []
                    zh-Hans-CN                   | [zh_CN_#Hans]
                    ' ,, en ,'                   | [en]
                    ''                           | []
                    """)
    void ordersLocales(String value, String expected) {
        assertThat(AcceptLanguage.locales(List.of(value)).toString()).isEqualTo(expected);
    }

    @Test
    void readsAllFieldLines() {
        Fields fields =
                Fields.of(FieldName.ACCEPT_LANGUAGE, "en;q=0.5")
                        .add(FieldName.ACCEPT_LANGUAGE, "de");
        assertThat(AcceptLanguage.locales(fields)).containsExactly(Locale.GERMAN, Locale.ENGLISH);
        assertThat(AcceptLanguage.locales(Fields.EMPTY)).isEmpty();
    }

    @Test
    void ignoresRangesBeyondTheLimit() {
        String most = "de,".repeat(AcceptLanguage.RANGES_MAX - 1);
        assertThat(AcceptLanguage.locales(List.of(most + "fr")))
                .hasSize(AcceptLanguage.RANGES_MAX)
                .endsWith(Locale.FRENCH);
        assertThat(AcceptLanguage.locales(List.of(most + "en,fr", "fr")))
                .doesNotContain(Locale.FRENCH);
    }
}
