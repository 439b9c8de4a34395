package dev.serval.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.codec.CodecKey;
import dev.serval.codec.TargetCharacters;
import dev.serval.http.FieldName;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHead;
import dev.serval.http.RequestHeadWriter;
import dev.serval.policy.Limits;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// In samples, `|` ends a line, and `~` stands for white space that would be stripped.
final class RequestFieldsTest {
    private static final String GET = ":method GET|:scheme http|:path /|:authority a|";
    private static final Limits.Heads LIMITS =
            Limits.Heads.DEFAULT.with(draft -> {
                draft.lineMaxBytes = 20;
                draft.fieldsMax = 8;
            });

    private RequestFields fields = new RequestFields(new TargetCharacters(true, true, true), true);
    private final RequestHeadWriter writer = new RequestHeadWriter(CodecKey.KEY);

    private RequestHead read(String lines, boolean last) {
        fields.begin(writer, LIMITS);
        for (String line : lines.split("\\|", -1)) {
            if (line.isEmpty()) {
                continue; // after the last line
            }
            int space = line.indexOf(' ');
            byte[] bytes = line.replace('~', ' ').getBytes(StandardCharsets.ISO_8859_1);
            int nameEnd = space < 0 ? bytes.length : space;
            fields.name(FieldName.of(bytes, 0, nameEnd), bytes, 0, nameEnd);
            fields.value(bytes, space < 0 ? bytes.length : space + 1, bytes.length);
        }
        fields.end(last);
        return writer.head();
    }

    private String fault(String lines) {
        read(lines, false);
        @Nullable FrameError malformed = fields.malformed();
        @Nullable ProtocolError refused = fields.refused();
        return malformed != null
                ? malformed.code().toString()
                : refused != null ? String.valueOf(refused.status().code()) : "none";
    }

    @Test
    void readsAHead() {
        RequestHead head =
                read(
                        ":method POST|:scheme https|:path /a/../b?q=1|:authority example.com:8080|"
                                + "content-length 12|x-any Value|expect 100-continue",
                        false);
        assertThat(fields.malformed()).isNull();
        assertThat(fields.refused()).isNull();
        assertThat(head.toString())
                .isEqualTo(
                        """
                        POST /a/../b?q=1 HTTP/2.0
                        Host: example.com:8080
                        content-length: 12
                        x-any: Value
                        expect: 100-continue
                        """);
        assertThat(head.authority()).isEqualTo("example.com:8080");
        assertThat(head.target().path().text()).isEqualTo("/b");
        assertThat(head.target().query()).isEqualTo("q=1");
        assertThat(head.target().isHttps()).isTrue();
        assertThat(head.contentLength()).isEqualTo(12);
        assertThat(head.expectsContinue()).isTrue();
    }

    @Test
    void lengthOfContentIsUnknownUnlessTold() {
        assertThat(read(GET, false).contentLength()).isEqualTo(RequestHead.UNKNOWN_LENGTH);
        assertThat(read(GET, true).contentLength()).isZero();
        assertThat(read(GET + "expect 100-continue", true).expectsContinue()).isFalse();
    }

    /// RFC 9113 §8.2.3
    @Test
    void crumbsOfCookiesAreJoined() {
        RequestHead head =
                read(
                        ":method GET|:scheme http|:path /|cookie a=1|x y|cookie b=2|host h|cookie c=3",
                        true);
        assertThat(head.fields().toString()).isEqualTo("cookie: a=1; b=2; c=3\nx: y\nHost: h\n");
        assertThat(head.authority()).isEqualTo("h");
        assertThat(head.target().path().text()).isEqualTo("/");
        for (String one : List.of("cookie a=1", "cookie a=1|cookie", "cookie|cookie|cookie a=1")) {
            assertThat(read(GET + one, true).fields().first(FieldName.COOKIE))
                    .as("an empty one has no separator")
                    .isEqualTo("a=1");
        }
    }

    /// RFC 8441 §4
    @Test
    void extendedConnectNamesItsProtocol() {
        RequestHead head =
                read(
                        ":method CONNECT|:protocol websocket|:scheme http|:path /c|:authority a",
                        false);
        assertThat(fields.malformed()).isNull();
        assertThat(head.connectProtocol()).isEqualTo("websocket");
        assertThat(head.target().path().text()).isEqualTo("/c");
    }

    /// RFC 8441 §4: a client may send the field only after the setting.
    @Test
    void protocolIsUnknownUnlessItIsOffered() {
        fields = new RequestFields(new TargetCharacters(true, true, true), false);
        read(":method CONNECT|:protocol websocket|:scheme http|:path /c|:authority a", false);
        assertThat(String.valueOf(fields.malformed())).contains("an unknown pseudo-header field");
    }

    @ParameterizedTest(name = "RFC 9113 §{0}: {1}")
    @CsvSource({
        "8.2.1, a name in capitals, X-Any v",
        "8.2.1, a name in part in capitals, x-aNy v",
        "8.2.1, a known name in capitals, Accept v",
        "8.2.1, an empty name, ' v'",
        "8.2.1, a colon in a name, a:b v",
        "8.2.1, a control character, 'x a\u0001b'",
        "8.2.1, a line end, 'x a\nb'",
        "8.2.1, NUL, 'x a\u0000b'",
        "8.2.1, white space before, 'x ~a'",
        "8.2.1, white space after, 'x a~'",
        "8.2.2, Connection, connection close",
        "8.2.2, Keep-Alive, keep-alive 1",
        "8.2.2, Proxy-Connection, proxy-connection close",
        "8.2.2, Transfer-Encoding, transfer-encoding chunked",
        "8.2.2, Upgrade, upgrade h2c",
        "8.2.2, TE, te gzip",
        "8.3, an unknown one, :unknown v",
        "8.3, one of responses, :status 200",
        "8.3, one after others, x y|:path /",
        "8.3.1, a second method, :method GET",
        "8.3.1, a second scheme, :scheme http",
        "8.3.1, a second path, :path /",
        "8.3.1, a second authority, :authority a",
        "8.3.1, a Host that differs, host b",
        "8.3.1, a Host of another length, host aa",
        "8.3.1, a Host with another port, host a:81",
        "8.3.1, a Host with the port of https, host a:443",
        "8.3.1, a Host with a port that is none, host a:4294967376",
        "8.3.1, a protocol without CONNECT, :protocol x",
        "8.1.1, a length that is no number, content-length x",
        "8.1.1, two lengths, content-length 1|content-length 1"
    })
    void malformedLineEndsTheStream(String section, String what, String line) {
        assertThat(fault(GET + line)).as(section + what).isEqualTo("PROTOCOL_ERROR");
    }

    @ParameterizedTest(name = "RFC 9113 §8.3.1: {0}")
    @CsvSource({
        "no method, :scheme http|:path /|:authority a",
        "no scheme, :method GET|:path /|:authority a",
        "no path, :method GET|:scheme http|:authority a",
        "an empty path, :method GET|:scheme http|:path |:authority a",
        "a path without a slash, :method GET|:scheme http|:path a|:authority a",
        "a method that is no token, :method G T|:scheme http|:path /|:authority a",
        "CONNECT with a path, :method CONNECT|:path /|:authority a:1",
        "CONNECT with a scheme, :method CONNECT|:scheme http|:authority a:1",
        "CONNECT to nothing, :method CONNECT|x y",
        "extended CONNECT without a path, :method CONNECT|:protocol p|:scheme http|:authority a"
    })
    void malformedHeadEndsTheStream(String what, String lines) {
        assertThat(fault(lines)).as(what).isEqualTo("PROTOCOL_ERROR");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "a fragment, :method GET|:scheme http|:path /a#b|:authority a, 400",
        "a space, :method GET|:scheme http|:path /a b|:authority a, 400",
        "a wrong encoding, :method GET|:scheme http|:path /%zz|:authority a, 400",
        "a long path, :method GET|:scheme http|:path /12345678901234567890|:authority a, 414",
        "an asterisk, :method GET|:scheme http|:path *|:authority a, 400",
        "another scheme, :method GET|:scheme ftp|:path /|:authority a, 400",
        "no authority, :method GET|:scheme http|:path /|x y, 400",
        "an empty authority, :method GET|:scheme http|:path /|:authority |x y, 400",
        "a user, :method GET|:scheme http|:path /|:authority u@a, 400",
        "two hosts, :method GET|:scheme http|:path /|host a|host a, 400",
        "an expectation, :method GET|:scheme http|:path /|:authority a|expect other, 417",
        "CONNECT without a port, :method CONNECT|:authority a, 400"
    })
    void wellFormedHeadIsAnswered(String what, String lines, String status) {
        assertThat(fault(lines)).as(what).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({
        "te trailers",
        "host a",
        "host A",
        "host a:80",
        "host a:",
        "x in~side",
        "x",
        "content-length 0",
        "accept */*"
    })
    void acceptsLine(String line) {
        assertThat(fault(GET + line)).isEqualTo("none");
    }

    @ParameterizedTest
    @CsvSource({
        ":scheme HTTPS|:authority A.b:443|host a.B",
        ":scheme https|:authority a.b|host a.b:443",
        ":scheme Http|:authority [::1]|host [::1]:80",
        ":scheme http|:authority a:8080|host A:8080"
    })
    void normalizesWhatItCompares(String lines) {
        assertThat(fault(":method GET|:path /|" + lines)).isEqualTo("none");
    }

    @Test
    void limitsAreThoseOfEveryHead() {
        String path = ":method GET|:scheme http|:authority a|:path /1234567890123456789|";
        assertThat(fault(path)).isEqualTo("none");
        assertThat(fault(path + "a 1|b 1|c 1|d 1|e 1|f 1|g 1")).isEqualTo("none");
        assertThat(fault(path + "a 1|b 1|c 1|d 1|e 1|f 1|g 1|h 1")).isEqualTo("431");
        String seven = path + "a 1|b 1|c 1|d 1|e 1|f 1|cookie g=1|";
        assertThat(fault(seven + "cookie h=1|cookie i=1")).isEqualTo("none");
        assertThat(fault(seven + "cookie h=1|cookie i=1|h 1")).isEqualTo("431");
        fields.begin(writer, LIMITS);
        fields.tooLarge();
        fields.end(true);
        assertThat(fields.refused()).isNotNull();
    }

    @Test
    void noContentMayBeAnnouncedAtTheEnd() {
        read(GET + "content-length 1", true);
        assertThat(fields.malformed()).isNotNull();
        read(GET + "content-length 0", true);
        assertThat(fields.malformed()).isNull();
    }

    @Test
    void headIsKnownForWhatItAsks() {
        read(":method HEAD|:scheme http|:path /|:authority a", true);
        assertThat(fields.asksForHeadOnly()).isTrue();
        read(GET, true);
        assertThat(fields.asksForHeadOnly()).isFalse();
    }
}
