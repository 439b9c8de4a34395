package dev.serval.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.serval.handler.RecordingExchange;
import dev.serval.http.FieldName;
import dev.serval.http.Method;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests RFC 9110 §13 as a table. In the fields, `$T` is our entity tag, `$W` its weak form, and
/// `$D` our date. `$<` and `$>` are the seconds before and after it. `|` separates two fields.
final class ConditionsTest {
    private static final String BEFORE = "Sun, 06 Nov 1994 08:49:36 GMT";
    private static final String DATE = "Sun, 06 Nov 1994 08:49:37 GMT";
    private static final String AFTER = "Sun, 06 Nov 1994 08:49:38 GMT";
    private static final byte[] CONTENT = "0123456789".getBytes(StandardCharsets.US_ASCII);
    private static final Representation STRONG =
            of(EntityTag.strong(CONTENT), Instant.parse("1994-11-06T08:49:37Z"), true);
    private static final Representation WEAK =
            of(EntityTag.weak(CONTENT), Instant.parse("1994-11-06T08:49:37Z"), false);
    private static final Representation DATELESS =
            new Representation(
                    new Representation.InMemory(CONTENT),
                    "text/plain",
                    EntityTag.strong(CONTENT),
                    Representation.NEVER,
                    false,
                    false);

    private static Representation of(EntityTag tag, Instant modified, boolean dateStrong) {
        return new Representation(
                new Representation.InMemory(CONTENT),
                "text/plain",
                tag,
                modified.getEpochSecond(),
                dateStrong,
                false);
    }

    private static final String STRONG_ROWS =
            """
            §13.1.1 our tag ; GET ; If-Match: $T ; 200
            §13.1.1 * and something exists ; GET ; If-Match: * ; 200
            §13.1.1 another tag ; GET ; If-Match: "x" ; 412
            §13.1.1 ours in a list ; GET ; If-Match: "x", $T ; 200
            §13.1.1 ours in a second field ; GET ; If-Match: "x"|If-Match: $T ; 200
            §13.1.1 strong comparison ; GET ; If-Match: $W ; 412
            §13.1.1 HEAD too ; HEAD ; If-Match: "x" ; 412
            §13.1.1 no entity tag at all ; GET ; If-Match: x ; 412
            §13.1.1 empty ; GET ; If-Match: ; 412
            §8.8.3 W is upper case ; GET ; If-Match: w/"x", $T ; 412
            §8.8.3 no space in a tag ; GET ; If-None-Match: "a b", $T ; 200
            §8.8.3 a tag may contain a comma ; GET ; If-Match: "a,b", $T ; 200
            §8.8.3 a tag may contain obs-text ; GET ; If-Match: "\u00e9",$T ; 200
            §8.8.3 no escapes in a tag ; GET ; If-Match: "a\\", $T ; 200
            §13.1.4 same date ; GET ; If-Unmodified-Since: $D ; 200
            §13.1.4 later date ; GET ; If-Unmodified-Since: $> ; 200
            §13.1.4 earlier date ; GET ; If-Unmodified-Since: $< ; 412
            §13.1.4 no date ; GET ; If-Unmodified-Since: yesterday ; 200
            §13.1.4 an entity tag is no date ; GET ; If-Unmodified-Since: $T ; 200
            §13.1.4 two fields ; GET ; If-Unmodified-Since: $<|If-Unmodified-Since: $< ; 200
            §13.1.4 ignored with If-Match ; GET ; If-Match: $T|If-Unmodified-Since: $< ; 200
            §13.2.2 If-Match false before all ; GET ; If-Match: "x"|If-Unmodified-Since: $D ; 412
            §13.1.2 our tag ; GET ; If-None-Match: $T ; 304
            §13.1.2 * ; GET ; If-None-Match: * ; 304
            §13.1.2 another tag ; GET ; If-None-Match: "x" ; 200
            §13.1.2 weak comparison ; GET ; If-None-Match: $W ; 304
            §13.1.2 in a list ; GET ; If-None-Match: "x" ,W/"y",\t$T ; 304
            §13.1.2 in a second field ; GET ; If-None-Match: "x"|If-None-Match: $T ; 304
            §13.1.2 HEAD ; HEAD ; If-None-Match: $T ; 304
            §5.6.1.2 empty elements ; GET ; If-None-Match: ,, ,$T, ; 304
            §13.1.2 unquoted ; GET ; If-None-Match: x ; 200
            §13.1.2 half quoted ; GET ; If-None-Match: "x ; 200
            §13.1.2 lone quote ; GET ; If-None-Match: " ; 200
            §13.1.2 lone W/ ; GET ; If-None-Match: W/ ; 200
            §13.1.2 * is no element of a list ; GET ; If-None-Match: "x", * ; 200
            §13.1.2 no comma between tags ; GET ; If-None-Match: "x"$T ; 200
            §13.1.2 a part of our tag ; GET ; If-None-Match: "" ; 200
            §13.1.3 same date ; GET ; If-Modified-Since: $D ; 304
            §13.1.3 later date ; GET ; If-Modified-Since: $> ; 304
            §13.1.3 earlier date ; GET ; If-Modified-Since: $< ; 200
            §13.1.3 HEAD ; HEAD ; If-Modified-Since: $D ; 304
            §13.1.3 no date ; GET ; If-Modified-Since: 0 ; 200
            §13.1.3 a date that does not exist ; GET ; If-Modified-Since: Sun, 31 Feb 2100 00:00:00 GMT ; 200
            §13.1.3 two fields ; GET ; If-Modified-Since: $D|If-Modified-Since: $D ; 200
            §5.6.7 RFC 850 form ; GET ; If-Modified-Since: Sunday, 06-Nov-94 08:49:37 GMT ; 304
            §5.6.7 asctime form ; GET ; If-Modified-Since: Sun Nov  6 08:49:37 1994 ; 304
            §5.6.7 asctime form, earlier ; GET ; If-Modified-Since: Sun Nov  6 08:49:36 1994 ; 200
            §13.1.3 ignored with If-None-Match ; GET ; If-None-Match: "x"|If-Modified-Since: $D ; 200
            §13.1.3 ignored beside a matching tag ; GET ; If-None-Match: $T|If-Modified-Since: $< ; 304
            §13.2.2 If-Match true, then If-None-Match ; GET ; If-Match: $T|If-None-Match: $T ; 304
            §13.2.2 If-Match false wins over If-None-Match ; GET ; If-Match: "x"|If-None-Match: $T ; 412
            §13.2.2 If-Unmodified-Since true, then If-Modified-Since ; GET ; If-Unmodified-Since: $D|If-Modified-Since: $D ; 304
            §13.2.2 If-Unmodified-Since false wins ; GET ; If-Unmodified-Since: $<|If-Modified-Since: $D ; 412
            §13.2.2 304 wins over Range ; GET ; If-None-Match: $T|Range: bytes=0-1 ; 304
            §13.2.2 412 wins over Range ; GET ; If-Match: "x"|Range: bytes=0-1 ; 412
            §13.2.2 304 wins over 416 ; GET ; If-None-Match: $T|Range: bytes=99- ; 304
            §13.2.2 true conditions, then Range ; GET ; If-Match: $T|If-None-Match: "x"|Range: bytes=0-1 ; 206
            §13.1.5 our tag ; GET ; If-Range: $T|Range: bytes=0-1 ; 206
            §13.1.5 weak tag ; GET ; If-Range: $W|Range: bytes=0-1 ; 200
            §13.1.5 another tag ; GET ; If-Range: "x"|Range: bytes=0-1 ; 200
            §13.1.5 a list is no tag ; GET ; If-Range: $T, $T|Range: bytes=0-1 ; 200
            §13.1.5 * is no tag ; GET ; If-Range: *|Range: bytes=0-1 ; 200
            §13.1.5 exact date ; GET ; If-Range: $D|Range: bytes=0-1 ; 206
            §13.1.5 later date ; GET ; If-Range: $>|Range: bytes=0-1 ; 200
            §13.1.5 earlier date ; GET ; If-Range: $<|Range: bytes=0-1 ; 200
            §13.1.5 exact date, other form ; GET ; If-Range: Sunday, 06-Nov-94 08:49:37 GMT|Range: bytes=0-1 ; 206
            §13.1.5 ignored without Range ; GET ; If-Range: "x" ; 200
            §13.1.5 false, so no 416 ; GET ; If-Range: "x"|Range: bytes=99- ; 200
            §13.1.5 true and 416 ; GET ; If-Range: $T|Range: bytes=99- ; 416
            §13.1.5 two fields ; GET ; If-Range: $T|If-Range: $T|Range: bytes=0-1 ; 200
            §13.2.1 OPTIONS ignores conditions ; OPTIONS ; If-Match: "x" ; 204
            §13.2.1 405 is no 2xx ; POST ; If-Match: "x" ; 405
            §14.2 HEAD ignores Range ; HEAD ; Range: bytes=0-1 ; 200
            §14.2 HEAD ignores a bad Range ; HEAD ; Range: bytes=99- ; 200
            """;

    private static final String WEAK_ROWS =
            """
            §13.1.1 a weak tag never matches strongly ; GET ; If-Match: $W ; 412
            §13.1.1 nor its strong form ; GET ; If-Match: $T ; 412
            §13.1.1 * does ; GET ; If-Match: * ; 200
            §13.1.2 weak comparison ; GET ; If-None-Match: $W ; 304
            §13.1.2 with its strong form ; GET ; If-None-Match: $T ; 304
            §13.1.5 a weak tag makes no range ; GET ; If-Range: $W|Range: bytes=0-1 ; 200
            §8.8.2.2 a recent date is weak ; GET ; If-Range: $D|Range: bytes=0-1 ; 200
            §13.1.3 but it is enough for 304 ; GET ; If-Modified-Since: $D ; 304
            """;

    private static final String DATELESS_ROWS =
            """
            §13.1.3 nothing to compare ; GET ; If-Modified-Since: $> ; 200
            §13.1.4 nothing to compare ; GET ; If-Unmodified-Since: $< ; 200
            §13.1.5 nothing to compare ; GET ; If-Range: $D|Range: bytes=0-1 ; 200
            §13.1.5 an empty date is not ours ; GET ; If-Range:|Range: bytes=0-1 ; 200
            §13.1.3 an empty date is not ours ; GET ; If-Modified-Since: ; 200
            """;

    static Stream<Arguments> strong() {
        return rows(STRONG_ROWS);
    }

    static Stream<Arguments> weak() {
        return rows(WEAK_ROWS);
    }

    static Stream<Arguments> dateless() {
        return rows(DATELESS_ROWS);
    }

    @ParameterizedTest(name = "RFC 9110 {0}: {1} {2} → {3}")
    @MethodSource("strong")
    void answersConditions(String section, String method, String fields, int status) {
        check(STRONG, section, method, fields, status);
    }

    @ParameterizedTest(name = "RFC 9110 {0}: {1} {2} → {3}")
    @MethodSource("weak")
    void answersConditionsOnWeakValidators(
            String section, String method, String fields, int status) {
        check(WEAK, section, method, fields, status);
    }

    @ParameterizedTest(name = "RFC 9110 {0}: {1} {2} → {3}")
    @MethodSource("dateless")
    void answersConditionsWithoutDate(String section, String method, String fields, int status) {
        check(DATELESS, section, method, fields, status);
    }

    private static Stream<Arguments> rows(String table) {
        return table.lines().map(line -> arguments((Object[]) line.split(" ; ", -1)));
    }

    private static void check(
            Representation r, String section, String method, String fields, int status) {
        String tag = EntityTag.strong(CONTENT).toString();
        String[] lines =
                fields.replace("$T", tag)
                        .replace("$W", "W/" + tag)
                        .replace("$D", DATE)
                        .replace("$<", BEFORE)
                        .replace("$>", AFTER)
                        .split("\\|", -1);
        RecordingExchange x = new RecordingExchange(Method.valueOf(method), "/", lines);

        boolean answered =
                new Responder(InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z")))
                        .answer(x, r, FileHandler::busy);

        assertThat(answered).isTrue();
        assertThat(x.status()).as(section).isEqualTo(status);
        assertThat(x.ended()).isTrue();
        if (status < 400) {
            assertThat(x.complete()).isTrue();
        }
        if (status == 304) { // §15.4.5
            assertThat(x.answered(FieldName.ETAG)).isEqualTo(r.tag().toString());
            assertThat(x.responseHead().fields().contains(FieldName.CONTENT_TYPE)).isFalse();
        }
    }
}
