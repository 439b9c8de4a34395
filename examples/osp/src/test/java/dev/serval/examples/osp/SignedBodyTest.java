package dev.serval.examples.osp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SignedBodyTest {
    private static final String TYPE =
            "multipart/signed; protocol=\"application/pkcs7-signature\"; micalg=sha1; boundary=bar";

    /// As the toolkit writes it: with the length of each part, and an empty line after it.
    private static final String TOOLKIT =
            """
            \r
            --bar\r
            Content-Type: text/plain\r
            Content-Length: 4\r
            \r
            <M/>\r
            \r
            --bar\r
            Content-Type: application/pkcs7-signature\r
            Content-Length: 9\r
            \r
            \r
            --bar\u00ff
            \r
            \r
            --bar--\r
            """;

    private static @Nullable SignedBody read(String type, String body) {
        return SignedBody.read(type, body.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    @ParameterizedTest
    @CsvSource({
        "multipart/signed, true",
        "Multipart/Signed; boundary=x, true",
        "multipart/signedness, false",
        "multipart/mixed; boundary=x, false",
        "text/plain, false",
        "'', false"
    })
    void onlyItsTypeIsSigned(String type, boolean signed) {
        assertThat(SignedBody.isSigned(type)).isEqualTo(signed);
    }

    @Test
    void lengthsOfThePartsDecideBecauseASignatureMayContainADelimiter() {
        SignedBody body = Objects.requireNonNull(read(TYPE, TOOLKIT));
        assertThat(text(body.message())).isEqualTo("<M/>");
        assertThat(text(body.signature())).isEqualTo("\r\n--bar\u00ff\n");
        assertThat(text(body.part()))
                .isEqualTo("Content-Type: text/plain\r\nContent-Length: 4\r\n\r\n<M/>");
    }

    /// RFC 2046 §5.1.1: the line end before a delimiter belongs to the delimiter.
    @ParameterizedTest
    @ValueSource(strings = {"\r\n", "\n"})
    void partsWithoutALengthEndBeforeTheDelimiter(String end) {
        String body =
                "preamble\r\n--a b\r\nContent-Type: text/plain\r\n\r\n<M/>\r\n\r\n--a b\r\n"
                        + "Content-Transfer-Encoding: BASE64\r\n\r\nAAEC\r\n--a b--\r\nepilogue";
        SignedBody read =
                Objects.requireNonNull(
                        read("multipart/signed; boundary=\"a b\"; x=y", body.replace("\r\n", end)));
        assertThat(text(read.message())).isEqualTo("<M/>" + end);
        assertThat(read.signature()).containsExactly(0, 1, 2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "multipart/signed",
                "multipart/signed; boundary=",
                "multipart/signed; boundary",
                "multipart/signed; boundary=other",
                "multipart/signed; boundary=01234567890123456789012345678901234567890123456789012345678901234567890"
            })
    void wrongBoundaryIsNoSignedMessage(String type) {
        assertThat(read(type, TOOLKIT)).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "Content-Length: 4, Content-Length: 3",
                "Content-Length: 4, Content-Length: 9",
                "Content-Length: 4, Content-Length: 999999999",
                "--bar--, --bar",
                "Content-Length: 9, Content-Length: 99"
            })
    void brokenPartsAreNoSignedMessage(String part, String instead) {
        assertThat(read(TYPE, TOOLKIT.replace(part, instead))).isNull();
    }

    @Test
    void everyCutIsNoSignedMessage() {
        int complete = TOOLKIT.length() - 2; // the last line end is not needed
        for (int i = 0; i < complete; i++) {
            assertThat(read(TYPE, TOOLKIT.substring(0, i))).as("cut at %s", i).isNull();
        }
        assertThat(read(TYPE, TOOLKIT.substring(0, complete))).isNotNull();
    }

    @Test
    void thirdPartIsNoSignedMessage() {
        assertThat(read(TYPE, TOOLKIT.replace("--bar--", "--bar\r\n\r\nx\r\n--bar--"))).isNull();
    }
}
