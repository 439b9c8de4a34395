package dev.serval.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.codec.CodecKey;
import dev.serval.http.FieldName;
import dev.serval.http.RequestHead;
import dev.serval.http.RequestHeadWriter;
import dev.serval.policy.Leniency;
import dev.serval.policy.Limits;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class RequestParserTest {
    private static final String TAIL = " HTTP/1.1\nHost: h\n\n";

    @Test
    void keepsFieldsAsTheyWereSent() {
        HeadReader reader = reader(Limits.Heads.DEFAULT);
        Cuts.read(
                Cuts.bytes("GET / HTTP/1.1\nHOST: h\nX-Own:\t a \t b \t\naccept:*/*\nTE:\n\n"),
                reader);
        RequestHead head = reader.head();
        assertThat(head.fields().toString())
                .isEqualTo("HOST: h\nX-Own: a \t b\naccept: */*\nTE: \n");
        assertThat(head.fields().known(0)).isEqualTo(FieldName.HOST);
        assertThat(head.fields().known(1)).isNull();
        assertThat(head.fields().known(2)).isEqualTo(FieldName.ACCEPT);
        assertThat(head.fields().known(3)).isEqualTo(FieldName.TE);
        assertThat(head.authority()).isEqualTo("h");
        assertThat(head.authorityFrom()).isEqualTo(head.fields().valueAt(0));
    }

    @Test
    void returnsTheLengthOfTheHead() {
        HeadReader reader = reader(Limits.Heads.DEFAULT);
        byte[] head = Cuts.bytes("GET /" + TAIL);
        Cuts.read(Cuts.bytes("GET /" + TAIL + "GET /next" + TAIL), reader);
        assertThat(reader.consumed()).isEqualTo(head.length);
        assertThat(reader.writer().length()).isEqualTo(head.length);
    }

    @Test
    void emptyLineBeforeTheRequestIsConsumedButNotPartOfTheHead() {
        HeadReader reader = reader(Limits.Heads.DEFAULT);
        byte[] head = Cuts.bytes("GET /" + TAIL);
        Cuts.read(Cuts.bytes("\nGET /" + TAIL), reader);
        assertThat(reader.consumed()).isEqualTo(head.length + 2);
        assertThat(reader.writer().repeats(head, 0, head.length)).isTrue();
    }

    /// Reusing the last head must not change a result. Each head that differs from the last one in
    /// one byte, and each after another request line, must be read as on a new connection.
    @Test
    void reusingTheLastHeadDoesNotChangeTheResult() {
        RequestParser parser = new RequestParser(Limits.Heads.DEFAULT, Leniency.defaults());
        String fields = "Host: h\nConnection: close\nX: 1 \nContent-Length: 5\nAccept: */*\n\n";
        byte[] last = Cuts.bytes("POST /a HTTP/1.1\n" + fields);
        for (String line : new String[] {"POST /a HTTP/1.1\n", "GET /longer HTTP/1.0\n"}) {
            byte[] near = Cuts.bytes(line + fields);
            for (int i = 0; i < near.length; i++) {
                for (byte b : "\r\n: ,;x5H".getBytes(StandardCharsets.US_ASCII)) {
                    byte[] changed = near.clone();
                    changed[i] = b;
                    RequestHeadWriter used = new RequestHeadWriter(CodecKey.KEY);
                    assertThat(parser.parse(last, 0, last.length, 0, used)).isEqualTo(last.length);
                    assertThat(outcome(parser, changed, used))
                            .as("byte %d of %s is %d", i, line, b)
                            .isEqualTo(
                                    outcome(parser, changed, new RequestHeadWriter(CodecKey.KEY)));
                }
            }
        }
    }

    private static String outcome(RequestParser parser, byte[] bytes, RequestHeadWriter into) {
        int result = parser.parse(bytes, 0, bytes.length, 0, into);
        if (result <= 0) {
            return result + " " + parser.error();
        }
        RequestHead head = into.head();
        return String.join(
                " ",
                head.toString(),
                String.valueOf(result),
                String.valueOf(into.length()),
                String.valueOf(head.contentLength()),
                String.valueOf(parser.persistent()),
                String.valueOf(head.expectsContinue()),
                head.authority(),
                String.valueOf(head.authorityFrom()));
    }

    @Test
    void recognisesRepeatedHead() {
        HeadReader reader = reader(Limits.Heads.DEFAULT);
        byte[] head = Cuts.bytes("GET /" + TAIL);
        byte[] other = Cuts.bytes("GET /x" + TAIL);
        reader.read(head, new int[] {head.length});
        assertThat(reader.writer().repeats(head, 0, head.length)).isTrue();
        assertThat(reader.writer().repeats(head, 0, head.length - 1)).isFalse();
        assertThat(reader.writer().repeats(other, 0, other.length)).isFalse();
    }

    @Test
    void refusedHeadIsNotRepeated() {
        HeadReader reader = reader(Limits.Heads.DEFAULT);
        byte[] head = Cuts.bytes("GET / HTTP/1.1\nHost: h\nHost: h\n\n");
        reader.read(head, new int[] {head.length});
        assertThat(reader.error()).isEqualTo(Refusal.HOST_REPEATED);
        assertThat(reader.writer().repeats(head, 0, head.length)).isFalse();
    }

    @Test
    void keepsNothingOfThePreviousHead() {
        HeadReader reader = reader(Limits.Heads.DEFAULT);
        byte[] first =
                Cuts.bytes(
                        """
                        POST /a?b HTTP/1.1
                        Host: h
                        Expect: 100-continue
                        A: b
                        Content-Length: 5
                        Connection: close

                        """);
        reader.read(first, new int[] {first.length});
        byte[] second = Cuts.bytes("GET / HTTP/1.0\n\n");
        assertThat(reader.read(second, new int[] {second.length})).isEqualTo("GET / @ 1.0 close");
        assertThat(reader.head().fields().size()).isZero();
        assertThat(reader.head().authorityTo()).isZero();
    }

    @Test
    void acceptsRequestLineAtItsLimitAndRefusesOneByteMore() {
        String line = "GET /abc HTTP/1.1";
        Limits.Heads exact = Limits.Heads.DEFAULT.with(draft -> draft.lineMaxBytes = line.length());
        Limits.Heads less = exact.with(draft -> draft.lineMaxBytes--);
        assertThat(read(line + "\nHost: h\n\n", exact)).isEqualTo("GET /abc @h");
        assertThat(read(line + "\nHost: h\n\n", less)).startsWith("414");
    }

    @Test
    void refusesLongRequestLineBeforeItsEnd() {
        Limits.Heads limits = Limits.Heads.DEFAULT.with(draft -> draft.lineMaxBytes = 20);
        assertThat(read("GET /" + "a".repeat(15), limits)).isEqualTo("more");
        assertThat(read("GET /" + "a".repeat(16), limits)).startsWith("414");
        assertThat(read("\nGET /" + "a".repeat(15), limits)).isEqualTo("more");
        assertThat(read("\nGET /" + "a".repeat(16), limits)).startsWith("414");
    }

    @Test
    void acceptsHeadAtItsLimitAndRefusesOneByteMore() {
        String head = "GET / HTTP/1.1\nHost: h\nA: b\n\n";
        int length = Cuts.bytes(head).length;
        Limits.Heads exact = Limits.Heads.DEFAULT.with(draft -> draft.maxBytes = length);
        Limits.Heads less = exact.with(draft -> draft.maxBytes--);
        assertThat(read(head, exact)).isEqualTo("GET / @h");
        assertThat(read(head, less)).startsWith("431");
        assertThat(read(head + "more", less)).startsWith("431");
    }

    @Test
    void refusesLongFieldBeforeItsEnd() {
        String head = "GET / HTTP/1.1\nHost: h\nA: ";
        int length = Cuts.bytes(head).length;
        Limits.Heads limits =
                Limits.Heads.DEFAULT.with(draft -> {
                    draft.lineMaxBytes = 20;
                    draft.maxBytes = length + 8;
                });
        assertThat(read(head + "b".repeat(7), limits)).isEqualTo("more");
        assertThat(read(head + "b".repeat(8), limits)).startsWith("431");
    }

    @Test
    void acceptsAsManyFieldsAsAllowedAndRefusesOneMore() {
        Limits.Heads limits = Limits.Heads.DEFAULT.with(draft -> draft.fieldsMax = 3);
        assertThat(read("GET / HTTP/1.1\nHost: h\nA: 1\nB: 2\n\n", limits)).isEqualTo("GET / @h");
        assertThat(read("GET / HTTP/1.1\nHost: h\nA: 1\nB: 2\nC: 3\n\n", limits)).startsWith("431");
    }

    @Test
    void readsOnlyArrivedBytes() {
        RequestParser parser = new RequestParser(Limits.Heads.DEFAULT, Leniency.defaults());
        byte[] head = Cuts.bytes("GET /" + TAIL);
        for (int to = 0; to < head.length; to++) {
            assertThat(parser.parse(head, 0, to, 0, new RequestHeadWriter(CodecKey.KEY)))
                    .isEqualTo(RequestParser.NEED_MORE);
        }
        assertThat(parser.parse(head, 0, head.length, 0, new RequestHeadWriter(CodecKey.KEY)))
                .isEqualTo(head.length);
    }

    /// A head that drips must not cost the square of its length, also beyond the longest first line.
    /// The fields that were parsed before are destroyed here, so a parser that reads them again
    /// refuses them.
    @Test
    void readsNoByteOfALineTwiceBeforeItsEnd() {
        RequestParser parser = new RequestParser(Limits.Heads.DEFAULT, Leniency.defaults());
        byte[] head = Cuts.bytes("GET / HTTP/1.1\nHost: h\nA: " + "b".repeat(12_000));
        byte[] dripped = new byte[head.length];
        int line = Cuts.bytes("GET / HTTP/1.1\n").length;
        int lines = Cuts.bytes("GET / HTTP/1.1\nHost: h\n").length;
        System.arraycopy(head, 0, dripped, 0, lines);
        assertThat(parser.parse(dripped, 0, lines, 0, new RequestHeadWriter(CodecKey.KEY)))
                .isEqualTo(RequestParser.NEED_MORE);
        for (int at = lines; at < head.length; at++) {
            Arrays.fill(dripped, line, at - 1, (byte) 0);
            dripped[at] = head[at];
            assertThat(parser.parse(dripped, 0, at + 1, at, new RequestHeadWriter(CodecKey.KEY)))
                    .isEqualTo(RequestParser.NEED_MORE);
        }
    }

    @Test
    void reportsErrorsAtTheLineEndAtLatest() {
        assertThat(read("GET / HTTP/9.9\n", Limits.Heads.DEFAULT)).startsWith("505");
        assertThat(read("GET / HTTP/1.1\nA b\n", Limits.Heads.DEFAULT)).startsWith("400");
    }

    @Test
    void withoutLeniencyRefusesAnEmptyLineBeforeTheRequest() {
        assertThat(strictly(Leniency.EMPTY_LINE_BEFORE_REQUEST, "\nGET /" + TAIL))
                .startsWith("400");
    }

    @Test
    void withoutLeniencyRefusesCharactersThatBrowsersSend() {
        assertThat(strictly(Leniency.BROWSER_CHARACTERS_IN_QUERY, "GET /?a[]" + TAIL))
                .startsWith("400");
    }

    @Test
    void withoutLeniencyRefusesCharactersThatBrowsersSendInPaths() {
        assertThat(strictly(Leniency.BROWSER_CHARACTERS_IN_PATH, "GET /a[1]" + TAIL))
                .startsWith("400");
        assertThat(strictly(Leniency.BROWSER_CHARACTERS_IN_PATH, "GET /?a[1]" + TAIL))
                .isEqualTo("GET /?a[1] @h");
    }

    @Test
    void tooLongAMethodIsNotImplementedAndTooLongATargetIsTooLong() {
        Limits.Heads limits = Limits.Heads.DEFAULT.with(draft -> draft.lineMaxBytes = 20);
        assertThat(read("M".repeat(21), limits)).startsWith("501");
        assertThat(read("M".repeat(20) + " / HTTP/1.1\n", limits)).startsWith("501");
        assertThat(read("M".repeat(19) + " / HTTP/1.1\n", limits)).startsWith("414");
        assertThat(read("GET /" + "a".repeat(16), limits)).startsWith("414");
        assertThat(read("(".repeat(21), limits)).startsWith("414");
    }

    @Test
    void withoutLeniencyRefusesBarePercentSign() {
        assertThat(strictly(Leniency.BARE_PERCENT_IN_QUERY, "GET /?100%" + TAIL)).startsWith("400");
        assertThat(strictly(Leniency.BARE_PERCENT_IN_QUERY, "GET /?a%2G" + TAIL)).startsWith("400");
        assertThat(strictly(Leniency.BARE_PERCENT_IN_QUERY, "GET /?a%20" + TAIL))
                .isEqualTo("GET /?a%20 @h");
    }

    private static String strictly(Leniency without, String sample) {
        Set<Leniency> others = EnumSet.complementOf(EnumSet.of(without));
        return Cuts.read(Cuts.bytes(sample), new HeadReader(Limits.Heads.DEFAULT, others));
    }

    private static String read(String sample, Limits.Heads limits) {
        return Cuts.read(Cuts.bytes(sample), reader(limits));
    }

    private static HeadReader reader(Limits.Heads limits) {
        return new HeadReader(limits, Leniency.defaults());
    }
}
