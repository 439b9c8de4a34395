package dev.serval.gateway.cgi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class OutputParserTest {
    private static final OutputLimits SMALL = new OutputLimits(64, 3);

    /// A row: what it shows, the output, and the result.
    record Row(OutputMode mode, String says, String output, String expected) {
        @Override
        public String toString() {
            return mode + ": " + says;
        }
    }

    private static Row strict(String says, String output, String expected) {
        return new Row(OutputMode.STRICT, says, output, expected);
    }

    private static Row lenient(String says, String output, String expected) {
        return new Row(OutputMode.LENIENT, says, output, expected);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"heads", "statuses", "fields", "wrong", "lenient"})
    void readsAtEveryCut(Row row) {
        OutputParser parser = new OutputParser(OutputLimits.DEFAULT, row.mode());
        String result =
                Cuts.read(
                        Cuts.bytes(row.output()),
                        (bytes, ends) -> OutputReader.read(parser, bytes, ends));
        assertThat(result).isEqualTo(row.expected());
    }

    static Stream<Row> heads() {
        return Stream.of(
                strict("CRLF", "Content-Type: a/b\r\n\r\nx\n\ny", "200 Content-Type: a/b | x\n\ny"),
                strict("LF", "Content-Type: a/b\n\nx", "200 Content-Type: a/b | x"),
                strict("both", "A: b\r\nC: d\n\r\nx", "200 A: b C: d | x"),
                strict("no content", "A: b\n\n", "200 A: b | "),
                strict("content of binary bytes", "A: b\n\n\0\u00ff\r", "200 A: b | \0\u00ff\r"),
                strict("only a status", "Status: 204\n\n", "204 | "),
                strict("a status line", "HTTP/1.1 404 Not Found\r\nA: b\r\n\r\nx", "404 A: b | x"),
                strict("a status line with LF", "HTTP/1.0 200 OK\nA: b\n\nx", "200 A: b | x"),
                strict(
                        "a status line and a status",
                        "HTTP/1.1 200 OK\nA: b\nStatus: 404 Nope\n\n",
                        "404 A: b | "),
                strict("only a status line", "HTTP/1.1 304 Not Modified\r\n\r\n", "304 | "));
    }

    static Stream<Row> statuses() {
        return Stream.of(
                strict("a status", "Status: 404 Not Found\nA: b\n\n", "404 A: b | "),
                strict("its case", "STATUS:404\nA: b\n\n", "404 A: b | "),
                strict(
                        "a full location",
                        "Location: http://h/x\n\n",
                        "302 Location: http://h/x | "),
                strict("a local location", "Location: /x\n\n", "302 Location: /x | "),
                strict(
                        "a location with a status",
                        "Location: /x\nStatus: 201 Created\n\n",
                        "201 Location: /x | "));
    }

    static Stream<Row> fields() {
        return Stream.of(
                strict(
                        "cookies keep their order",
                        "Set-Cookie: b=1\nX: y\nSet-Cookie: a=2\n\n",
                        "200 Set-Cookie: b=1 X: y Set-Cookie: a=2 | "),
                strict(
                        "framing is ignored",
                        "Content-Length: 2\nTransfer-Encoding: chunked\nA: b\n\n12345",
                        "200 A: b | 12345"),
                strict(
                        "fields of the connection are ignored",
                        "Connection: close\nKeep-Alive: x\nUpgrade: y\nTE: z"
                                + "\nTrailer: t\nProxy-Connection: k\nA: b\n\n",
                        "200 A: b | "),
                strict("white space around a value", "A: \t b c\t \n\n", "200 A: b c | "),
                strict("an empty value", "A:\n\n", "200 A:  | "),
                strict("bytes outside ASCII", "A: \u00e4\n\n", "200 A: \u00e4 | "));
    }

    static Stream<Row> wrong() {
        String status = "502 the application's Status is not from 200 to 599";
        String control = "502 the application's output has a control character in its head";
        String name = "502 the application's output has a malformed field name";
        String line = "502 the application's output has a line that is not a field";
        return Stream.of(
                strict("an interim status", "Status: 100\n\n", status),
                strict("a switch of protocols", "Status: 101 Switching\n\n", status),
                strict("a status above 599", "Status: 600\n\n", status),
                strict("a status of two digits", "Status: 20\n\n", status),
                strict("a status of four digits", "Status: 2000\n\n", status),
                strict("a status of letters", "Status: OK\n\n", status),
                strict("a signed status", "Status: +20 x\n\n", status),
                strict("an empty status", "Status:\n\n", status),
                strict(
                        "two statuses",
                        "Status: 200\nStatus: 404\n\n",
                        "502 the application's output has more than one Status"),
                strict("CR in a value", "A: b\rc\n\n", control),
                strict("NUL in a value", "A: b\0c\n\n", control),
                strict("DEL in a value", "A: b\u007f\n\n", control),
                strict("a folded line", "A: b\n c\n\n", line),
                strict("a space before the colon", "A : b\n\n", name),
                strict("no name", ": b\n\n", name),
                strict("no colon", "hello\n\n", line),
                strict("markup", "<html>\n\n", line),
                strict(
                        "a status line and two statuses",
                        "HTTP/1.1 200 OK\nStatus: 200\nStatus: 404\n\n",
                        "502 the application's output has more than one Status"),
                strict("a late status line", "A: b\nHTTP/1.1 200 OK\n\n", line),
                strict("a status line of HTTP/2", "HTTP/2 200\nA: b\n\n", line),
                strict("an interim status line", "HTTP/1.1 100 Continue\n\n", status),
                strict("no head", "\nx", "502 the application's output has no head"),
                strict("no end", "A: b\nC", "502 the application's output ends in its head"),
                strict("nothing", "", "502 the application's output is empty"));
    }

    static Stream<Row> lenient() {
        String html = "Content-Type: text/html | ";
        return Stream.of(
                lenient("a head", "A: b\n\nx", "200 A: b | x"),
                lenient("a status", "Status: 404 Nope\n\nx", "404 | x"),
                lenient("nph", "HTTP/1.0 404 Nope\r\nA: b\r\n\r\nx", "404 A: b | x"),
                lenient(
                        "nph with framing",
                        "HTTP/1.1 200 OK\nContent-Length: 1\nConnection: close\n\nxyz",
                        "200 | xyz"),
                lenient("markup", "<p>a</p>\n\nb", "200 " + html + "<p>a</p>\n\nb"),
                lenient("text", "hello\n\nb", "200 " + html + "hello\n\nb"),
                lenient("data", "{\"a\": 1}\n\nb", "200 " + html + "{\"a\": 1}\n\nb"),
                lenient(
                        "a malformed first name",
                        "Content Type: a/b\n\nx",
                        "502 the application's output has a malformed field name"),
                lenient(
                        "a space before the first colon",
                        "A : b\n\nx",
                        "502 the application's output has a malformed field name"),
                lenient(
                        "a space before the first name",
                        " A: b\n\nx",
                        "502 the application's output has a malformed field name"),
                lenient(
                        "no first name",
                        ": b\n\nx",
                        "502 the application's output has a malformed field name"),
                lenient("no empty line", "A: b\nC: d", "200 " + html + "A: b\nC: d"),
                lenient("one line", "hello", "200 " + html + "hello"),
                lenient("an empty line first", "\nx", "200 | x"),
                lenient("nothing", "", "502 the application's output is empty"),
                lenient(
                        "nph without an end",
                        "HTTP/1.1 200 OK\nA",
                        "502 the application's output ends in its head"),
                lenient(
                        "nph with an interim status",
                        "HTTP/1.1 100 Continue\n\n",
                        "502 the application's Status is not from 200 to 599"),
                lenient("nph with a status, too", "HTTP/1.1 200 OK\nStatus: 404\n\n", "404 | "),
                lenient(
                        "a wrong later line",
                        "A: b\nhello\n\n",
                        "502 the application's output has a line that is not a field"));
    }

    @Test
    void takesHeadAtItsLimitsAndRefusesMore() {
        String fits = "A: " + "b".repeat(64 - 3 - 2) + "\n\n";
        assertThat(fits).hasSize(64);
        assertThat(small(fits + "x")).startsWith("200 ").endsWith("| x");
        assertThat(small("A" + fits)).contains("head of the application's output is too large");
        assertThat(small("A: 1\nB: 2\nC: 3\n\n")).startsWith("200 ");
        assertThat(small("A: 1\nB: 2\nC: 3\nD: 4\n\n")).contains("too many fields");
    }

    @Test
    void longLineWithoutHeadIsContentForLrwp() {
        OutputParser parser = new OutputParser(SMALL, OutputMode.LENIENT);
        String line = "x".repeat(200);
        String result =
                Cuts.read(
                        Cuts.bytes(line), (bytes, ends) -> OutputReader.read(parser, bytes, ends));
        assertThat(result).isEqualTo("200 Content-Type: text/html | " + line);
    }

    @Test
    void tellsTheDeclaredLength() {
        OutputParser parser = new OutputParser(OutputLimits.DEFAULT, OutputMode.STRICT);
        String read =
                OutputReader.read(parser, Cuts.bytes("Content-Length: 17\n\n"), new int[] {20});
        assertThat(read).isEqualTo("200 | ");
        assertThat(parser.declaredLength()).isEqualTo(17);
        parser.reset();
        assertThat(parser.declaredLength()).isEqualTo(-1);
    }

    /// A loop lends one parser to one answer after the other.
    @ParameterizedTest
    @ValueSource(strings = {"Location: /x\n\n", "Status: 404\n\n", "no field\n\n", "A: b\n"})
    void nothingOfAnAnswerIsLeftForTheNext(String before) {
        OutputParser parser = new OutputParser(OutputLimits.DEFAULT, OutputMode.STRICT);
        String _ = OutputReader.read(parser, Cuts.bytes(before), new int[] {before.length()});
        String read = OutputReader.read(parser, Cuts.bytes("C: d\n\nx"), new int[] {7});
        assertThat(read).isEqualTo("200 C: d | x");
    }

    private static String small(String output) {
        OutputParser parser = new OutputParser(SMALL, OutputMode.STRICT);
        return Cuts.read(
                Cuts.bytes(output), (bytes, ends) -> OutputReader.read(parser, bytes, ends));
    }
}
