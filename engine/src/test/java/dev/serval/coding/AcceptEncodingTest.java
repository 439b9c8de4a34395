package dev.serval.coding;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Weights by RFC 9110 §12.5.3: of br, zstd, gzip and identity, in thousandths.
final class AcceptEncodingTest {
    @ParameterizedTest(name = "§12.5.3: {0} -> {1}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    gzip, deflate, br, zstd       | 1000 1000 1000 1
                    gzip, deflate, br             | 1000 0 1000 1
                    gzip, deflate                 | 0 0 1000 1
                    gzip                          | 0 0 1000 1
                    GZIP                          | 0 0 1000 1
                    x-gzip                        | 0 0 1000 1
                    deflate, gzip, br, zstd       | 1000 1000 1000 1
                    identity                      | 0 0 0 1000
                    ''                            | 0 0 0 1
                    deflate                       | 0 0 0 1
                    *                             | 1000 1000 1000 1000
                    *;q=0                         | 0 0 0 0
                    *;q=0.5, gzip;q=0             | 500 500 0 500
                    gzip;q=0.5, br;q=0.75         | 750 0 500 1
                    gzip;q=1.0, identity;q=0.5, *;q=0 | 0 0 1000 500
                    identity;q=0                  | 0 0 0 0
                    gzip;q=0                      | 0 0 0 1
                    gzip;q=0.001                  | 0 0 1 1
                    gzip ; q=0.25 , br            | 1000 0 250 1
                    gzip;Q=0.25                   | 0 0 250 1
                    gzip;q=1.                     | 0 0 1000 1
                    gzip;q=0.                     | 0 0 0 1
                    gzip;q=1.001                  | 0 0 0 1
                    gzip;q=2                      | 0 0 0 1
                    gzip;q=0.1234                 | 0 0 0 1
                    gzip;q=-1                     | 0 0 0 1
                    gzip;q=                       | 0 0 0 1
                    gzip;q                        | 0 0 0 1
                    gzip;                         | 0 0 0 1
                    gzip q=1                      | 0 0 0 1
                    gzip;level=9                  | 0 0 0 1
                    gzip;q=1;x=2                  | 0 0 0 1
                    gzip;q=abc, br                | 1000 0 0 1
                    ',, gzip,, ,br,'              | 1000 0 1000 1
                    gzip;q=0, gzip                | 0 0 1000 1
                    gzipx, xgzip, brr             | 0 0 0 1
                    """)
    void readsWeights(String value, String weights) {
        assertThat(text(AcceptEncoding.of(Fields.of(FieldName.ACCEPT_ENCODING, value))))
                .isEqualTo(weights);
        byte[] bytes = value.getBytes(ISO_8859_1); // without the known values
        assertThat(text(AcceptEncoding.of(bytes, 0, bytes.length))).isEqualTo(weights);
    }

    @Test
    void takesSeveralFieldsAsOneList() {
        Fields fields =
                new Fields()
                        .add(FieldName.ACCEPT_ENCODING, "gzip")
                        .add(FieldName.ACCEPT, "text/html")
                        .add(FieldName.ACCEPT_ENCODING, "br;q=0.5, identity;q=0");
        assertThat(text(AcceptEncoding.of(fields))).isEqualTo("500 0 1000 0");
    }

    @Test
    void takesOnlyIdentityWithoutTheField() {
        assertThat(AcceptEncoding.of(Fields.EMPTY)).isEqualTo(AcceptEncoding.ONLY_IDENTITY);
        assertThat(text(AcceptEncoding.ONLY_IDENTITY)).isEqualTo("0 0 0 1");
    }

    private static String text(long accepted) {
        StringBuilder text = new StringBuilder();
        for (ContentCoding coding : ContentCoding.all()) {
            text.append(AcceptEncoding.weight(accepted, coding)).append(' ');
        }
        return text.append(AcceptEncoding.identityWeight(accepted)).toString();
    }
}
