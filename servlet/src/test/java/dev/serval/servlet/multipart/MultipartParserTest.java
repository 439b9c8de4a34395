package dev.serval.servlet.multipart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tables of multipart contents; each sample is read whole, byte by byte and cut at every position.
/// In the samples `_` is CRLF, `^` is CR and `!` is LF.
final class MultipartParserTest {
    private static final MultipartBounds BOUNDS = new MultipartBounds(3, 16, 8);

    @ParameterizedTest(name = "RFC 2046 §5.1.1: {0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    --b_N:x__data_--b--             | <N:x__/data>
                    --b_N:x__data_--b--_            | <N:x__/data>
                    _--b_N:x__data_--b--_           | <N:x__/data>
                    pre_--b_N:x__data_--b--_post    | <N:x__/data>
                    --b_N:x__1_--b_N:y__2_--b--     | <N:x__/1><N:y__/2>
                    --b_N:x___--b--                 | <N:x__/>
                    --b_N:x__--b--                  | <N:x__/>
                    --b____--b--                    | <_/_>
                    --b__data_--b--                 | <_/data>
                    --b_N:x____--b--                | <N:x__/_>
                    --b_N:x_____--b--               | <N:x__/__>
                    --b \t_N:x__1_--b--             | <N:x__/1>
                    --b_N:x__a^_--b--               | <N:x__/a^>
                    --b_N:x__a^^!--b--              | <N:x__/a^>
                    --b_N:x__a!--b_--b--            | <N:x__/a!--b>
                    --b_N:x__a^--b_--b--            | <N:x__/a^--b>
                    --b_N:x__a_-b_--_--b--          | <N:x__/a_-b_-->
                    --b_N:x__a_--_--b--             | <N:x__/a_-->
                    --b_N:x__a_-_--b--              | <N:x__/a_->
                    --b_N:x__-_--b--                | <N:x__/->
                    --b_N:x__--_--b--               | <N:x__/-->
                    --b_N:x__--c_--b--              | <N:x__/--c>
                    --b--                           |
                    """)
    void findsParts(String sample, String expected) {
        String found = new ParserReader("b", BOUNDS).readCut(bytes(sample));
        String shown = expected == null ? "" : expected;
        assertThat(found).isEqualTo(text(shown).replace('/', '|') + " ok");
    }

    @ParameterizedTest(name = "RFC 2046 §5.1.1: {0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    ``                             | ends before
                    --                             | ends before
                    --b                            | ends before
                    --b-                           | ends before
                    --b_                           | ends before
                    --b_N:x                        | ends before
                    --b_N:x__                      | ends before
                    --b_N:x__data                  | ends before
                    --b_N:x__data_--b              | ends before
                    --b_N:x__data_--b-             | ends before
                    --b_N:x!!data_--b--            | ends before
                    --bc_N:x__data_--bc--          | not followed
                    --b-x                          | not followed
                    --b!N:x__                      | not followed
                    --b^N:x__                      | not followed
                    --b_N:x__data_--bx             | not followed
                    --b_N:x__data_--b ^x           | not followed
                    --b_N:x__data_--b --           | not followed
                    0123456789                     | does not begin
                    012345678_--b_N:x__1_--b--     | does not begin
                    --b_N:x__data_--b--012345678   | continues after
                    """)
    void refusesBrokenContent(String sample, String fault) {
        assertThat(new ParserReader("b", BOUNDS).readCut(bytes(sample)))
                .contains("400")
                .contains(fault);
    }

    @Test
    void acceptsUpToEachBound() {
        ParserReader reader = new ParserReader("b", BOUNDS);
        assertThat(reader.readCut(bytes("01234567_--b_N:x__1_--b--"))).endsWith(" ok");
        assertThat(reader.readCut(bytes("--b        _N:x__1_--b--"))).endsWith(" ok");
        assertThat(reader.readCut(bytes("--b         _N:x__1_--b--"))).contains("not followed");
        assertThat(reader.readCut(bytes("--b_N:x__1_--b--01234567"))).endsWith(" ok");
        assertThat(reader.readCut(bytes("--b_N:0123456789__1_--b--"))).endsWith(" ok");
        assertThat(reader.readCut(bytes("--b_N:01234567890__1_--b--"))).contains("413", "too long");
        String part = "--b_N:x__1_";
        assertThat(reader.readCut(bytes(part.repeat(3) + "--b--"))).endsWith(" ok");
        assertThat(reader.readCut(bytes(part.repeat(4) + "--b--"))).contains("413", "too many");
    }

    @Test
    void staysFailed() {
        MultipartParser parser = new MultipartParser("b", BOUNDS);
        byte[] bad = bytes("--b!");
        parser.feed(bad, 0, bad.length);
        assertThat(parser.next()).isEqualTo(MultipartParser.Event.ERROR);
        parser.feed(bad, 0, bad.length);
        assertThat(parser.next()).isEqualTo(MultipartParser.Event.ERROR);
        assertThat(parser.finish()).isEqualTo(MultipartFault.DELIMITER);
    }

    @Test
    void findsLongBoundaryInSimilarContent() {
        String boundary = "-".repeat(69) + "x";
        String similar = ("\r\n--" + "-".repeat(69) + "y").repeat(3) + "\r\n--" + "-".repeat(69);
        String content = "--" + boundary + "\r\nN:x\r\n\r\n" + similar + "\r\n--" + boundary + "--";
        byte[] bytes = content.getBytes(StandardCharsets.ISO_8859_1);
        assertThat(new ParserReader(boundary, BOUNDS).readCut(bytes))
                .isEqualTo("<N:x\r\n\r\n|" + similar + "> ok");
    }

    @ParameterizedTest(name = "RFC 2046 §5.1.1: {0}")
    @ValueSource(strings = {"b", "AaB03x", "'()+_,-./:=?", "a b", "----WebKitFormBoundaryx"})
    void acceptsValidBoundary(String boundary) {
        assertThat(MultipartParser.valid(boundary)).isTrue();
        assertThat(MultipartParser.valid("x".repeat(70))).isTrue();
    }

    @ParameterizedTest(name = "RFC 2046 §5.1.1: {0}")
    @ValueSource(strings = {"", "a ", " ", "a\r\nb", "a\"b", "a;b", "ä", "a@b", "a*b"})
    void refusesInvalidBoundary(String boundary) {
        assertThat(MultipartParser.valid(boundary)).isFalse();
        assertThat(MultipartParser.valid("x".repeat(71))).isFalse();
    }

    private static String text(String sample) {
        return sample.replace("_", "\r\n").replace('^', '\r').replace('!', '\n');
    }

    private static byte[] bytes(String sample) {
        return text(sample).getBytes(StandardCharsets.ISO_8859_1);
    }
}
