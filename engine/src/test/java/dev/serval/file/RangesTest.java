package dev.serval.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.serval.handler.RecordingExchange;
import dev.serval.http.FieldName;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests RFC 9110 §14 as a table, on content of 20 bytes. The expected answer is the `first-last`
/// of the parts in order, `whole` for 200, or `none` for 416.
final class RangesTest {
    private static final String CONTENT = "abcdefghijklmnopqrst";

    private static final String RANGES =
            """
            §14.1.2 first bytes ; bytes=0-4 ; 0-4
            §14.1.2 one byte ; bytes=0-0 ; 0-0
            §14.1.2 from the middle ; bytes=5-9 ; 5-9
            §14.1.2 to the end ; bytes=15- ; 15-19
            §14.1.2 everything ; bytes=0- ; 0-19
            §14.1.2 last past the end ; bytes=15-99 ; 15-19
            §14.1.2 the last byte ; bytes=19-19 ; 19-19
            §14.1.2 suffix ; bytes=-5 ; 15-19
            §14.1.2 suffix of one ; bytes=-1 ; 19-19
            §14.1.2 suffix of all ; bytes=-20 ; 0-19
            §14.1.2 suffix longer than all ; bytes=-99 ; 0-19
            §14.1.2 suffix past long ; bytes=-99999999999999999999999999 ; 0-19
            §14.1.2 last past long ; bytes=3-99999999999999999999999999 ; 3-19
            §14.1.2 last is long's maximum ; bytes=3-9223372036854775807 ; 3-19
            §14.1.2 last is long's maximum + 1 ; bytes=3-9223372036854775808 ; 3-19
            §14.1.2 leading zeros ; bytes=0000000000000000000000003-04 ; 3-4
            §14.1 unit in any case ; ByTeS=0-4 ; 0-4
            §15.5.17 first past the end ; bytes=20- ; none
            §15.5.17 both past the end ; bytes=20-30 ; none
            §15.5.17 first past long ; bytes=99999999999999999999999999- ; none
            §15.5.17 both past long ; bytes=99999999999999999999999999-99999999999999999999999999 ; none
            §14.1.2 empty suffix ; bytes=-0 ; none
            §15.5.17 none of several ; bytes=20-,-0,30-40 ; none
            §14.2 one of several ; bytes=20-,3-4,-0 ; 3-4
            §14.1.1 last before first ; bytes=5-4 ; whole
            §14.1.1 one invalid among valid ; bytes=0-1,5-4 ; whole
            §14.1.1 invalid past the end ; bytes=99-98 ; whole
            §14.1.1 only a dash ; bytes=- ; whole
            §14.1.1 two dashes ; bytes=--5 ; whole
            §14.1.1 no dash ; bytes=5 ; whole
            §14.1.1 nothing ; bytes= ; whole
            §14.1.1 only commas ; bytes=,, ; whole
            §14.1.1 only a comma and space ; bytes=,  ; whole
            §14.1.1 letters ; bytes=a-b ; whole
            §14.1.1 letters after ; bytes=0-4x ; whole
            §14.1.1 negative ; bytes=0--4 ; whole
            §14.1.1 plus ; bytes=+0-4 ; whole
            §14.1.1 hexadecimal ; bytes=0x0-0x4 ; whole
            §14.1.1 space around the dash ; bytes=0 - 4 ; whole
            §14.1.1 space after = ; bytes= 0-4 ; whole
            §14.1.1 space before = ; bytes =0-4 ; whole
            §14.1.1 another mark ; bytes:0-4 ; whole
            §14.1.1 no set ; bytes ; whole
            §14.1.1 a semicolon ; bytes=0-1;3-4 ; whole
            §14.2 unit unknown ; chars=0-4 ; whole
            §14.2 unit none ; none=0-4 ; whole
            §14.2 empty ;  ; whole
            §15.3.7.2 two parts ; bytes=0-1,5-6 ; 0-1 5-6
            §15.3.7.2 first and last ; bytes=0-0,-1 ; 0-0 19-19
            §15.3.7.2 the order of the field ; bytes=15-16,0-1 ; 15-16 0-1
            §5.6.1.2 space and empty elements ; bytes=0-1 ,, \t5-6 , ; 0-1 5-6
            §15.3.7.2 overlapping ; bytes=0-5,3-9 ; 0-9
            §15.3.7.2 overlapping, reverse order ; bytes=3-9,0-5 ; 0-9
            §15.3.7.2 the same twice ; bytes=3-4,3-4 ; 3-4
            §15.3.7.2 one in the other ; bytes=0-9,3-4 ; 0-9
            §15.3.7.2 abutting ; bytes=0-4,5-9 ; 0-9
            §15.3.7.2 abutting, reverse order ; bytes=5-9,0-4 ; 0-9
            §15.3.7.2 joined by a third ; bytes=0-1,4-5,2-3 ; 0-5
            §15.3.7.2 joined, one apart ; bytes=8-9,0-1,2-3 ; 8-9 0-3
            §15.3.7.2 joined, two apart after them ; bytes=0-1,2-3,8-9,15-16 ; 0-3 8-9 15-16
            §15.3.7.2 two pairs abutting ; bytes=0-1,2-3,8-9,10-11 ; 0-3 8-11
            §15.3.7.2 overlap with a suffix ; bytes=10-,-15 ; 5-19
            §14.2 three overlapping ; bytes=0-9,1-9,2-9 ; whole
            §14.2 many overlapping ; bytes=0-,0-,0-,0- ; whole
            §14.2 two pairs overlapping ; bytes=0-1,1-2,8-9,9-10 ; whole
            """;

    private static final String RANGES_OF_EMPTY =
            """
            bytes=0- ; none
            bytes=0-0 ; none
            bytes=-0 ; none
            bytes=-5 ; whole
            bytes=0-,-5 ; whole
            bytes=x ; whole
            """;

    static Stream<Arguments> ranges() {
        return rows(RANGES);
    }

    @ParameterizedTest(name = "RFC 9110 {0}: {1} → {2}")
    @MethodSource("ranges")
    void answersRanges(String section, String field, String expected) {
        RecordingExchange x = ask(CONTENT, field);

        assertThat(describe(x, CONTENT)).as(section).isEqualTo(expected);
    }

    /// §17.15
    @Test
    void answersSixtyFourRangesAndNoMore() {
        String ten = "bytes=0-0,2-2,4-4,6-6,8-8,10-10,12-12,14-14,16-16,18-18";
        String most = ten + ",20-".repeat(ByteRanges.RANGES_MAX - 10);

        assertThat(describe(ask(CONTENT, most), CONTENT))
                .isEqualTo("0-0 2-2 4-4 6-6 8-8 10-10 12-12 14-14 16-16 18-18");
        assertThat(describe(ask(CONTENT, most + ",20-"), CONTENT)).isEqualTo("whole");
    }

    @ParameterizedTest(name = "RFC 9110 §14.1.2, empty content: {0} → {1}")
    @MethodSource("rangesOfEmptyContent")
    void answersRangesOfEmptyContent(String field, String expected) {
        assertThat(describe(ask("", field), "")).isEqualTo(expected);
    }

    static Stream<Arguments> rangesOfEmptyContent() {
        return rows(RANGES_OF_EMPTY);
    }

    @Test
    void ignoresTwoRangeFieldsBecauseRangeIsNoList() {
        RecordingExchange x = RecordingExchange.get("/", "Range: bytes=0-1", "Range: bytes=3-4");
        answer(x, CONTENT);

        assertThat(x.status()).isEqualTo(200);
    }

    @Test
    void drawsAnotherBoundaryForEachAnswer() {
        String first = ask(CONTENT, "bytes=0-0,5-5").answered(FieldName.CONTENT_TYPE);
        String second = ask(CONTENT, "bytes=0-0,5-5").answered(FieldName.CONTENT_TYPE);

        assertThat(first).isNotEqualTo(second);
    }

    private static Stream<Arguments> rows(String table) {
        return table.lines().map(line -> arguments((Object[]) line.split(" ; ", -1)));
    }

    private static RecordingExchange ask(String content, String field) {
        RecordingExchange x = RecordingExchange.get("/", "Range: " + field);
        answer(x, content);
        return x;
    }

    private static void answer(RecordingExchange x, String content) {
        byte[] bytes = content.getBytes(StandardCharsets.US_ASCII);
        Representation r =
                new Representation(
                        new Representation.InMemory(bytes),
                        "text/plain",
                        EntityTag.strong(bytes),
                        Representation.NEVER,
                        false,
                        false);
        assertThat(new Responder(InstantSource.system()).answer(x, r, FileHandler::busy)).isTrue();
    }

    /// Returns the answer as a client reads it.
    private static String describe(RecordingExchange x, String content) {
        if (x.status() == 200) {
            assertThat(x.contentText()).isEqualTo(content);
            assertThat(x.answered(FieldName.CONTENT_RANGE)).isNull();
            return "whole";
        }
        if (x.status() == 416) {
            assertThat(x.answered(FieldName.CONTENT_RANGE))
                    .isEqualTo("bytes */" + content.length());
            return "none";
        }
        assertThat(x.status()).isEqualTo(206);
        assertThat(x.complete()).isTrue();
        String range = x.answered(FieldName.CONTENT_RANGE);
        return range == null
                ? MultipartReader.read(x, content)
                : part(range, x.contentText(), content);
    }

    static String part(String contentRange, String bytes, String content) {
        assertThat(contentRange).startsWith("bytes ").endsWith("/" + content.length());
        String range = contentRange.substring(6, contentRange.indexOf('/'));
        String[] ends = range.split("-", -1);
        assertThat(bytes)
                .isEqualTo(
                        content.substring(
                                Integer.parseInt(ends[0]), Integer.parseInt(ends[1]) + 1));
        return range;
    }
}
