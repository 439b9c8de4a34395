package dev.serval.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.http.Fields;
import dev.serval.policy.Limits;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class BodyDecoderTest {
    private static final Limits.Contents LIMITS =
            Limits.Contents.DEFAULT.with(draft -> {
                draft.maxBytes = 64;
                draft.discardMaxBytes = 0;
                draft.chunkLineMaxBytes = 32;
                draft.chunkExtensionsMaxBytes = 40;
                draft.trailersMaxBytes = 48;
                draft.trailersMax = 2;
                draft.lingerMaxBytes = 0;
            });

    @ParameterizedTest(name = "{0}")
    @MethodSource({"sizes", "extensions", "chunks", "trailers", "forbiddenTrailers"})
    void rule(Rule rule) {
        String result = chunked(rule.sample(), LIMITS, 3);
        assertThat(chunked(rule.sample(), LIMITS, 1000)).isEqualTo(result);
        if (rule.expected().matches("4\\d\\d")) {
            assertThat(result).startsWith(rule.expected()).contains("(");
        } else {
            assertThat(result).isEqualTo(rule.expected());
        }
    }

    static List<Rule> sizes() {
        Rows rows = new Rows("RFC 9112 §7.1");
        rows.add("no chunks", "0\n\n", "/0 done")
                .add("a chunk", "3\nabc\n0\n\n", "abc/3 done")
                .add("chunks", "3\nabc\n1\nd\n0\n\n", "abcd/4 done")
                .add("hexadecimal", "a\n0123456789\n0\n\n", "0123456789/10 done")
                .add("capitals", "A\n0123456789\n0\n\n", "0123456789/10 done")
                .add("leading zeros", "0003\nabc\n000\n\n", "abc/3 done")
                .add("line ends in content", "4\n\n\n\n0\n\n", "\r\n\r\n/4 done")
                .add("bytes after it are not consumed", "1\na\n0\n\nGET", "a/1 done left=GET")
                .add("not complete", "3\nab", "ab/2 more")
                .add("not complete after the last chunk", "0\n", "/0 more")
                .add("no size", "\nabc", "400")
                .add("no digit", "x\n", "400")
                .add("a plus sign", "+3\nabc\n", "400")
                .add("a minus sign", "-3\nabc\n", "400")
                .add("0x", "0x3\nabc\n", "400")
                .add("white space before", " 3\nabc\n", "400")
                .add("white space after it", "3 \nabc\n", "400")
                .add("HTAB after it", "3\t\nabc\n", "400")
                .add("two numbers", "3 3\nabc\n", "400")
                .add("a digit past ASCII", "\u00b3\nabc\n", "400")
                .add("16 digits", "8000000000000000\n", "400")
                .add("all bits", "ffffffffffffffff\n", "400")
                .add("17 digits that wrap to 3", "10000000000000003\nabc\n", "400")
                .add("bare LF", "3↓abc\n", "400")
                .add("bare CR", "3←abc\n", "400")
                .add("CR CR LF", "3←\nabc\n", "400")
                .add("a NUL", "3\0\nabc\n", "400");
        return rows.rules;
    }

    static List<Rule> extensions() {
        Rows rows = new Rows("RFC 9112 §7.1.1");
        rows.add("a name", "1;a\nx\n0\n\n", "x/1 done")
                .add("a value", "1;a=b\nx\n0\n\n", "x/1 done")
                .add("two", "1;a=b;c\nx\n0;d=e\n\n", "x/1 done")
                .add("a quoted value", "1;a=\"b; c\"\nx\n0\n\n", "x/1 done")
                .add("an empty quoted value", "1;a=\"\"\nx\n0\n\n", "x/1 done")
                .add("a quoted pair", "1;a=\"\\\"\\\\\"\nx\n0\n\n", "x/1 done")
                .add("bad white space", "1 \t; a \t= b ;c\nx\n0\n\n", "x/1 done")
                .add("no name", "1;\nx\n", "400")
                .add("no name, a value", "1;=b\nx\n", "400")
                .add("two semicolons", "1;;a\nx\n", "400")
                .add("no value", "1;a=\nx\n", "400")
                .add("two values", "1;a=b=c\nx\n", "400")
                .add("two words", "1;a b\nx\n", "400")
                .add("white space at the end", "1;a \nx\n", "400")
                .add("an open quote", "1;a=\"b\nx\n", "400")
                .add("an open quoted pair", "1;a=\"b\\\nx\n", "400")
                .add("something after a quote", "1;a=\"b\"c\nx\n", "400")
                .add("a comma", "1,a\nx\n", "400")
                .add("LF in a quoted value", "1;a=\"↓\"\nx\n", "400")
                .add("CR in a quoted value", "1;a=\"←\"\nx\n", "400")
                .add("bare LF after it", "1;a↓x\n", "400")
                .add("a byte outside ASCII in a name", "1;\u00e4\nx\n", "400");
        return rows.rules;
    }

    static List<Rule> chunks() {
        Rows rows = new Rows("RFC 9112 §7.1");
        rows.add("a chunk longer than its size", "3\nabcd\n0\n\n", "400")
                .add("a chunk shorter than its size", "3\nab\n0\n\n", "400")
                .add("bare LF after a chunk", "3\nabc↓0\n\n", "400")
                .add("bare CR after a chunk", "3\nabc←0\n\n", "400")
                .add("nothing after a chunk", "3\nabc0\n\n", "400");
        return rows.rules;
    }

    static List<Rule> trailers() {
        Rows rows = new Rows("RFC 9112 §7.1.2");
        rows.add("a field", "0\nA: b\n\n", "/0 done A: b\n")
                .add("fields", "1\nx\n0\nA: b\nC:d \n\n", "x/1 done A: b\nC: d\n")
                .add("bytes after it are not consumed", "0\nA: b\n\nX", "/0 done left=X A: b\n")
                .add("no empty line", "0\nA: b\n", "/0 more")
                .add("no colon", "0\nA\n\n", "400")
                .add("a space before the colon", "0\nA : b\n\n", "400")
                .add("a folded line", "0\nA: b\n c\n\n", "400")
                .add("a control character", "0\nA: \0\n\n", "400")
                .add("bare LF after a field", "0\nA: b↓\n", "400")
                .add("bare LF at the end", "0\nA: b\n↓", "400")
                .add("bare LF and no fields", "0\n↓", "400")
                .add("bare CR", "0\n←A: b\n\n", "400")
                .add("as many fields as allowed", "0\nA: b\nC: d\n\n", "/0 done A: b\nC: d\n")
                .add("one field more", "0\nA: b\nC: d\nE: f\n\n", "431")
                .add(
                        "as large as allowed",
                        "0\nA: " + "b".repeat(43) + "\n\n",
                        "/0 done A: " + "b".repeat(43) + "\n")
                .add("one byte more", "0\nA: " + "b".repeat(44) + "\n\n", "431")
                .add("an endless field", "0\nA: " + "b".repeat(100), "431");
        return rows.rules;
    }

    static List<Rule> forbiddenTrailers() {
        Rows rows = new Rows("RFC 9110 §6.5.1");
        for (String name :
                List.of(
                        "Content-Length",
                        "Transfer-Encoding",
                        "Host",
                        "Trailer",
                        "TE",
                        "Connection",
                        "Cache-Control",
                        "Expect",
                        "Range",
                        "If-Match",
                        "Authorization",
                        "Cookie",
                        "Set-Cookie",
                        "Content-Encoding",
                        "Content-Type",
                        "Content-Range",
                        "Date",
                        "Location",
                        "Max-Forwards",
                        "Upgrade",
                        "X-Forwarded-For",
                        "hOST")) {
            rows.add("not in a trailer: " + name, "0\n" + name + ": 1\n\n", "400");
        }
        rows.add(
                "in a trailer: Server-Timing",
                "0\nServer-Timing: 1\n\n",
                "/0 done Server-Timing: 1\n");
        rows.add("in a trailer: ETag", "0\nETag: 1\n\n", "/0 done ETag: 1\n");
        rows.add(
                "in a trailer: Content-Digest",
                "0\nContent-Digest: 1\n\n",
                "/0 done Content-Digest: 1\n");
        return rows.rules;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 1000})
    void readsFixedContent(int room) {
        String content = room == 0 ? "" : "abcde";
        assertThat(fixed("abcde", 5, room)).isEqualTo(content + "/5 done");
        assertThat(fixed("abcdeGET", 5, room)).isEqualTo(content + "/5 done left=GET");
        assertThat(fixed("abcde", 6, room)).isEqualTo(content + "/5 more");
        assertThat(fixed("GET", 0, room)).isEqualTo("/0 done left=GET");
    }

    @Test
    void dropsChunkedContent() {
        assertThat(chunked("3\nabc\n2\nde\n0\nA: b\n\nX", LIMITS, 0))
                .isEqualTo("/5 done left=X A: b\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "3  \nabc\n0   \n\n",
                "3\t\nabc\n0\t \n\n",
                "3;a=b \nabc\n0;c=\"d \" \n\n",
                "3 ; a \nabc\n0\n\n"
            })
    void takesWhiteSpaceAfterTheSizesOfAnswers(String sample) {
        byte[] bytes = Cuts.bytes(sample);
        BodyDecoder decoder = BodyDecoder.ofAnswers(LIMITS);
        ByteBuffer into = ByteBuffer.allocate(10);
        decoder.chunked();
        for (int i = 0; i < bytes.length; i++) { // in the smallest pieces
            assertThat(decoder.decode(bytes, i, i + 1, into)).isEqualTo(1);
        }
        assertThat(decoder.done()).isTrue();
        assertThat(new String(into.array(), 0, into.position(), StandardCharsets.US_ASCII))
                .isEqualTo("abc");
        assertThat(chunked(sample, LIMITS, 10)).startsWith("400");
    }

    @Test
    void consumesNothingIfThereIsNoContent() {
        assertThat(read("GET", BodyDecoder::none, LIMITS, 10)).isEqualTo("/0 done left=GET");
    }

    @Test
    void readsUntilTheConnectionCloses() {
        assertThat(read("abc", BodyDecoder::untilClose, LIMITS, 2)).isEqualTo("abc/3 ended");
    }

    @Test
    void acceptsFixedContentAtItsLimitAndRefusesOneByteMore() {
        assertThat(fixed("a".repeat(64), 64, 0)).isEqualTo("/64 done");
        assertThat(fixed("", 65, 0)).startsWith("413");
        assertThat(fixed("a", Long.MAX_VALUE, 0)).startsWith("413");
    }

    @Test
    void acceptsChunkedContentAtItsLimitAndRefusesOneByteMore() {
        String first = "20\n" + "a".repeat(32) + "\n";
        assertThat(chunked(first + first + "0\n\n", LIMITS, 0)).isEqualTo("/64 done");
        assertThat(chunked(first + first + "1\n", LIMITS, 0)).startsWith("413");
        assertThat(chunked("41\n", LIMITS, 0)).startsWith("413");
        assertThat(chunked("1\na\n7fffffffffffffff\n", LIMITS, 0)).startsWith("413");
    }

    @Test
    void acceptsContentUntilCloseAtItsLimitAndRefusesOneByteMore() {
        assertThat(read("a".repeat(64), BodyDecoder::untilClose, LIMITS, 0)).isEqualTo("/64 ended");
        assertThat(read("a".repeat(65), BodyDecoder::untilClose, LIMITS, 0)).startsWith("413");
    }

    @Test
    void acceptsAChunkLineAtItsLimitAndRefusesOneByteMore() {
        assertThat(chunked("0".repeat(29) + "1\na\n0\n\n", LIMITS, 0)).isEqualTo("/1 done");
        assertThat(chunked("0".repeat(30) + "1\na\n0\n\n", LIMITS, 0)).startsWith("400");
        assertThat(chunked("1;" + "a".repeat(100), LIMITS, 0)).startsWith("400");
    }

    /// RFC 9112 §7.1.1: each line is short, but a body of one-byte chunks may have many.
    @Test
    void acceptsChunkExtensionsAtTheirLimitAndRefusesOneByteMore() {
        String lines = "1;a=34567890\nx\n".repeat(3); // 33 bytes of extensions
        assertThat(chunked(lines + "0;a=4567\n\n", LIMITS, 9)).isEqualTo("xxx/3 done");
        assertThat(chunked(lines + "0;a=45678\n\n", LIMITS, 9)).startsWith("400");
    }

    @Test
    void countsChunkExtensionsOfEachMessageAlone() {
        BodyDecoder decoder = new BodyDecoder(LIMITS);
        byte[] message =
                "0;a=456789012345678901234567\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);
        for (int i = 0; i < 3; i++) {
            decoder.chunked();
            decoder.decode(message, 0, message.length, null);
            assertThat(decoder.done()).as("message %d", i).isTrue();
        }
    }

    @Test
    void acceptsTrailersAtTheirLimitAndRefusesOneByteMore() {
        String field = "A: " + "b".repeat(43); // 48 bytes with the end of its line
        assertThat(chunked("0\n" + field + "\n\n", LIMITS, 0)).isEqualTo("/0 done " + field + "\n");
        assertThat(chunked("0\n" + field + "b\n\n", LIMITS, 0)).startsWith("431");
    }

    @Test
    void keepsNoMemoryOfLongTrailers() {
        BodyReader reader = new BodyReader(Limits.Contents.DEFAULT, BodyDecoder::chunked, 10);
        String field = "A: " + "b".repeat(5000);
        assertThat(Cuts.read(Cuts.bytes("0\n" + field + "\n\n"), reader)).contains(field);
        Fields trailers = reader.decoder().trailers();
        reader.decoder().release();
        assertThat(reader.decoder().trailers()).isSameAs(Fields.EMPTY);
        assertThat(Cuts.read(Cuts.bytes("0\n" + field + "\n\n"), reader)).contains(field);
        assertThat(reader.decoder().trailers()).isNotSameAs(trailers); // in other memory
    }

    @Test
    void waitsForRoom() {
        BodyDecoder decoder = new BodyDecoder(LIMITS);
        decoder.chunked();
        byte[] bytes = Cuts.bytes("3\nabc\n0\n\n");
        ByteBuffer full = ByteBuffer.allocate(0);
        assertThat(decoder.decode(bytes, 0, bytes.length, full)).isEqualTo(3);
        assertThat(decoder.decode(bytes, 3, bytes.length, full)).isZero();
        ByteBuffer exact = ByteBuffer.allocate(3);
        assertThat(decoder.decode(bytes, 3, bytes.length, exact)).isEqualTo(bytes.length - 3);
        assertThat(decoder.done()).isTrue();
    }

    @Test
    void keepsItsErrorAndConsumesNothingMore() {
        BodyDecoder decoder = new BodyDecoder(LIMITS);
        decoder.chunked();
        byte[] bytes = Cuts.bytes("x\n0\n\n");
        decoder.decode(bytes, 0, bytes.length, null);
        assertThat(decoder.decode(bytes, 3, bytes.length, null)).isZero();
        assertThat(decoder.error()).isEqualTo(Refusal.CHUNK_SIZE);
        assertThat(decoder.end()).isFalse();
        assertThat(decoder.done()).isFalse();
    }

    @Test
    void startsAgainForEachMessage() {
        BodyReader reader = new BodyReader(LIMITS, BodyDecoder::chunked, 10);
        assertThat(Cuts.read(Cuts.bytes("1\na\n0\nA: b\n\n"), reader)).isEqualTo("a/1 done A: b\n");
        assertThat(Cuts.read(Cuts.bytes("1;a=\nb"), reader)).startsWith("400");
        assertThat(Cuts.read(Cuts.bytes("1\nc\n0\n\n"), reader)).isEqualTo("c/1 done");
        reader.decoder().none();
        assertThat(reader.decoder().trailers()).isSameAs(Fields.EMPTY);
    }

    @Test
    void endsOnlyIfTheFramingAllowsIt() {
        BodyDecoder decoder = new BodyDecoder(LIMITS);
        decoder.fixed(1);
        assertThat(decoder.end()).isFalse();
        decoder.chunked();
        assertThat(decoder.end()).isFalse();
        decoder.none();
        assertThat(decoder.end()).isTrue();
        decoder.untilClose();
        assertThat(decoder.done()).isFalse();
        assertThat(decoder.end()).isTrue();
        assertThat(decoder.done()).isTrue();
    }

    private static String fixed(String sample, long length, int room) {
        return read(sample, decoder -> decoder.fixed(length), LIMITS, room);
    }

    private static String chunked(String sample, Limits.Contents limits, int room) {
        return read(sample, BodyDecoder::chunked, limits, room);
    }

    private static String read(
            String sample, Consumer<BodyDecoder> start, Limits.Contents limits, int room) {
        return Cuts.read(Cuts.bytes(sample), new BodyReader(limits, start, room));
    }

    /// Collects rows of one section.
    private static final class Rows {
        private final List<Rule> rules = new ArrayList<>();
        private final String section;

        Rows(String section) {
            this.section = section;
        }

        Rows add(String says, String sample, String expected) {
            rules.add(new Rule(section, says, sample, expected));
            return this;
        }
    }
}
