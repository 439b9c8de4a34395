package dev.serval.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.http.HttpVersion;
import dev.serval.http.Method;
import dev.serval.policy.Limits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ResponseParserTest {
    @ParameterizedTest(name = "{0}")
    @MethodSource({"statusLines", "fields", "framing", "persistence"})
    void rule(Rule rule) {
        Method request = rule.says().contains("HEAD") ? Method.HEAD : Method.GET;
        if (rule.says().contains("CONNECT")) {
            request = Method.CONNECT;
        }
        String result = read(rule.sample(), request, Limits.Heads.DEFAULT);
        if (rule.expected().equals("502")) {
            assertThat(result).startsWith("502").contains("(");
        } else {
            assertThat(result).isEqualTo(rule.expected());
        }
    }

    static List<Rule> statusLines() {
        Rows rows = new Rows("RFC 9112 §4");
        return rows.line("a reason", "HTTP/1.1 200 OK", "200 CLOSE close")
                .line("no reason", "HTTP/1.1 200 ", "200 CLOSE close")
                .line("another reason", "HTTP/1.1 200 all is well", "200 CLOSE close")
                .line("a reason outside ASCII", "HTTP/1.1 200 \u00e4", "200 CLOSE close")
                .line("HTTP/1.0", "HTTP/1.0 200 OK", "200 1.0 CLOSE close")
                .line("a later minor version", "HTTP/1.3 200 OK", "200 CLOSE close")
                .line("a code without a name", "HTTP/1.1 299 x", "299 CLOSE close")
                .line("no space after the code", "HTTP/1.1 200", "200 CLOSE close")
                .line("no space, with fields", "HTTP/1.0 204\nA: b", "204 1.0 NONE close")
                .line("a tab after the code", "HTTP/1.1 200\tOK", "502")
                .line("a reason without a space", "HTTP/1.1 200OK", "502")
                .line("no space and bare CR", "HTTP/1.1 200←x", "502")
                .line("no space and bare LF", "HTTP/1.1 200↓", "200 CLOSE close")
                .line("no space and two digits", "HTTP/1.1 20", "502")
                .line("no code", "HTTP/1.1 ", "502")
                .head("no space and no end", "HTTP/1.1 200", "more")
                .line("two digits", "HTTP/1.1 20 OK", "502")
                .line("four digits", "HTTP/1.1 2000 OK", "502")
                .line("not a number", "HTTP/1.1 2x0 OK", "502")
                .line("a code below 100", "HTTP/1.1 099 OK", "502")
                .line("a code above 599", "HTTP/1.1 600 OK", "502")
                .line("two spaces", "HTTP/1.1  200 OK", "502")
                .line("another version", "HTTP/2.0 200 OK", "502")
                .line("lower case", "http/1.1 200 OK", "502")
                .line("no version", "200 OK and more", "502")
                .line("a control character", "HTTP/1.1 200 O\0K", "502")
                .line("bare LF", "HTTP/1.1 200 OK↓Content-Length: 5", "200 LENGTH 5 close")
                .rules;
    }

    static List<Rule> fields() {
        Rows rows = new Rows("RFC 9112 §5");
        return rows.field("a folded line", "A: b\n c", "502")
                .field("a space before the colon", "A : b", "502")
                .field("no colon", "A", "502")
                .field("a control character", "A: \0", "502")
                .field("bare LF", "A: b↓Content-Length: 5", "200 LENGTH 5 close")
                .head("bare LF everywhere", "HTTP/1.1 204 x↓A: b↓↓", "204 NONE close")
                .head("bare LF only at the end", "HTTP/1.1 204 x\nA: b\n↓", "204 NONE close")
                .head("bare LF and no end", "HTTP/1.1 204 x↓A: b↓", "more")
                .field("bare CR", "A: b←C: d", "502")
                .field("two CR", "A: b←", "502")
                .field("a folded line after bare LF", "A: b↓ c", "502")
                .head("no end", "HTTP/1.1 200 OK\nA: b\n", "more")
                .rules;
    }

    static List<Rule> framing() {
        Rows rows = new Rows("RFC 9112 §6.3");
        String length = "Content-Length: 5";
        String chunked = "Transfer-Encoding: chunked";
        String identity = "Transfer-Encoding: identity";
        return rows.field("1. a length to HEAD", length, "200 NONE 5 close")
                .field("1. chunked to HEAD", chunked, "200 NONE close")
                .field("1. nothing to HEAD", "A: b", "200 NONE close")
                .line("1. 204", "HTTP/1.1 204 No Content", "204 NONE")
                .line(
                        "1. 204 with a length",
                        "HTTP/1.1 204 No Content\n" + length,
                        "204 NONE 5 close")
                .line("1. 204 with chunks", "HTTP/1.1 204 x\n" + chunked, "204 NONE close")
                .line("1. 204 with 0 bytes", "HTTP/1.1 204 x\nContent-Length: 0", "204 NONE 0")
                .line("1. 304 with chunks", "HTTP/1.1 304 x\n" + chunked, "304 NONE")
                .line("1. 304 with a length", "HTTP/1.1 304 x\n" + length, "304 NONE 5")
                .line("1. 100", "HTTP/1.1 100 Continue", "100 NONE")
                .line("1. 103", "HTTP/1.1 103 Early Hints\nLink: x", "103 NONE")
                .line("1. 101 opens a tunnel", "HTTP/1.1 101 x\nUpgrade: y", "101 NONE close")
                .line("2. 200 to CONNECT", "HTTP/1.1 200 x\n" + chunked, "200 NONE close")
                .line("2. 400 to CONNECT", "HTTP/1.1 400 x\n" + length, "400 LENGTH 5")
                .field("3. both", chunked + "\n" + length, "502")
                .field("4. chunked", chunked, "200 CHUNKED")
                .field("4. another coding", "Transfer-Encoding: gzip", "502")
                .field("4. chunked is not the last", chunked + ", gzip", "502")
                .line("4. chunked in HTTP/1.0", "HTTP/1.0 200 x\n" + chunked, "502")
                .field("4. identity", "Transfer-Encoding: Identity", "200 CLOSE close")
                .field("4. identity and a length", identity + "\n" + length, "200 LENGTH 5 close")
                .line(
                        "4. identity in HTTP/1.0",
                        "HTTP/1.0 200 x\n" + identity,
                        "200 1.0 CLOSE close")
                .field("4. identity and chunked", identity + "\n" + chunked, "502")
                .field("4. identity, chunked", identity + ", chunked", "502")
                .field("5. two equal lengths", length + "\n" + length, "200 LENGTH 5")
                .field("5. two lengths", length + "\n" + length + "0", "502")
                .field("5. three lengths", length + "\n" + length + "\n" + length + "0", "502")
                .field(
                        "5. equal lengths, not numbers",
                        "Content-Length: x\nContent-Length: x",
                        "502")
                .field("5. a list of equal lengths", length + ", 5", "502")
                .field("5. not a number", "Content-Length: x", "502")
                .field("6. a length", length, "200 LENGTH 5")
                .field("6. a length of 0", "Content-Length: 0", "200 LENGTH 0")
                .field("8. until the connection closes", "A: b", "200 CLOSE close")
                .rules;
    }

    static List<Rule> persistence() {
        Rows rows = new Rows("RFC 9112 §9.3");
        String length = "\nContent-Length: 5";
        return rows.field("close", "Connection: close" + length, "200 LENGTH 5 close")
                .field("another option", "Connection: x" + length, "200 LENGTH 5")
                .line("1.0", "HTTP/1.0 200 x" + length, "200 1.0 LENGTH 5 close")
                .line(
                        "1.0 with keep-alive",
                        "HTTP/1.0 200 x\nConnection: Keep-Alive" + length,
                        "200 1.0 LENGTH 5")
                .rules;
    }

    @Test
    void keepsTheFields() {
        ResponseParser parser = new ResponseParser(Limits.Heads.DEFAULT);
        ReceivedHead head = new ReceivedHead();
        byte[] bytes = Cuts.bytes("xHTTP/1.1 200 OK\nServer: a\nX-Own: b\n\ncontent");
        int end = parser.parse(bytes, 1, bytes.length, 1, Method.GET, head);
        assertThat(end).isEqualTo(bytes.length - "xcontent".length());
        Arrays.fill(bytes, (byte) '!');
        assertThat(head.fields().toString()).isEqualTo("Server: a\nX-Own: b\n");
    }

    @Test
    void refusesHeadsAboveItsLimits() {
        String head = "HTTP/1.1 200 OK\nA: b\nC: d\n\n";
        int length = Cuts.bytes(head).length;
        Limits.Heads limits =
                Limits.Heads.DEFAULT.with(draft -> {
                    draft.lineMaxBytes = 15;
                    draft.maxBytes = length;
                    draft.fieldsMax = 2;
                });
        Limits.Heads line = limits.with(draft -> draft.lineMaxBytes = 14);
        Limits.Heads bytes = limits.with(draft -> draft.maxBytes = length - 1);
        Limits.Heads fields = limits.with(draft -> draft.fieldsMax = 1);
        assertThat(read(head, Method.GET, limits)).isEqualTo("200 CLOSE close");
        assertThat(read(head, Method.GET, line)).startsWith("502");
        assertThat(read(head, Method.GET, bytes)).startsWith("502");
        assertThat(read(head, Method.GET, fields)).startsWith("502");
    }

    private static String read(String sample, Method request, Limits.Heads limits) {
        ResponseParser parser = new ResponseParser(limits);
        ReceivedHead head = new ReceivedHead();
        return Cuts.read(
                Cuts.bytes(sample),
                (bytes, ends) -> {
                    int end = 0;
                    int fresh = 0;
                    for (int i = 0; i < ends.length && end == ResponseParser.NEED_MORE; i++) {
                        byte[] arrived = Arrays.copyOf(bytes, ends[i]);
                        end = parser.parse(arrived, 0, ends[i], fresh, request, head);
                        fresh = ends[i];
                    }
                    return switch (end) {
                        case ResponseParser.NEED_MORE -> "more";
                        case ResponseParser.ERROR ->
                                Objects.requireNonNull(parser.error()).toString();
                        default -> summary(head);
                    };
                });
    }

    private static String summary(ReceivedHead head) {
        return head.status().code()
                + (head.version() == HttpVersion.HTTP_1_0 ? " 1.0 " : " ")
                + head.framing()
                + (head.contentLength() < 0 ? "" : " " + head.contentLength())
                + (head.persistent() ? "" : " close");
    }

    /// Collects the rows of one section.
    private static final class Rows {
        private final List<Rule> rules = new ArrayList<>();
        private final String section;

        Rows(String section) {
            this.section = section;
        }

        Rows head(String says, String head, String expected) {
            rules.add(new Rule(section, says, head, expected));
            return this;
        }

        Rows line(String says, String line, String expected) {
            return head(says, line + "\n\n", expected);
        }

        Rows field(String says, String field, String expected) {
            return line(says, "HTTP/1.1 200 OK\n" + field, expected);
        }
    }
}
