package dev.serval.http2;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.serval.codec.CodecKey;
import dev.serval.codec.TargetCharacters;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.RequestHead;
import dev.serval.http.RequestHeadWriter;
import dev.serval.policy.Limits;
import dev.serval.testkit.Scrambled;
import org.junit.jupiter.api.Test;

/// Any field lines of a request: there is no exception, and a head that is accepted would also be one in
/// HTTP/1.1, whoever passes it on (RFC 9113 §10.3). A reader that has read something before gets the
/// same result.
final class RequestFieldsFuzz {
    private static final TargetCharacters CHARACTERS = new TargetCharacters(true, true, true);
    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";

    private final RequestFields used = new RequestFields(CHARACTERS, true);
    private final RequestHeadWriter usedWriter = new RequestHeadWriter(CodecKey.KEY);

    /// @param bytes a line of each field: its name, a blank, and its value. The bytes 1 and 2 stand for
    ///     CR and LF
    @FuzzTest(maxDuration = "20s")
    void lines(byte[] bytes) {
        RequestFields fields = new RequestFields(CHARACTERS, true);
        String read = read(fields, new RequestHeadWriter(CodecKey.KEY), bytes);
        assertThat(read(used, usedWriter, bytes)).isEqualTo(read);
    }

    private static String read(RequestFields fields, RequestHeadWriter writer, byte[] bytes) {
        fields.begin(writer, Limits.Heads.DEFAULT);
        boolean last = bytes.length % 2 == 0;
        for (int at = 0; at < bytes.length; ) {
            int end = at;
            while (end < bytes.length && bytes[end] != '\n') {
                end++;
            }
            line(fields, bytes, at, end);
            at = end + 1;
        }
        fields.end(last);
        if (fields.malformed() != null) {
            return "malformed " + fields.malformed();
        }
        if (fields.refused() != null) {
            return "refused " + fields.refused();
        }
        RequestHead head = writer.head();
        check(head, last);
        return head.toString();
    }

    private static void line(RequestFields fields, byte[] bytes, int at, int end) {
        byte[] line = new byte[end - at];
        int nameEnd = line.length;
        for (int i = 0; i < line.length; i++) {
            byte b = bytes[at + i];
            line[i] = b == 1 ? (byte) '\r' : b == 2 ? (byte) '\n' : b;
            nameEnd = b == ' ' ? Math.min(nameEnd, i) : nameEnd;
        }
        fields.name(FieldName.of(line, 0, nameEnd), line, 0, nameEnd);
        fields.value(line, Math.min(nameEnd + 1, line.length), line.length);
    }

    private static void check(RequestHead head, boolean last) {
        String all = head.toString();
        assertThat(all.substring(0, all.indexOf('\n')))
                .matches(TOKEN + " [!-~]+ HTTP/2\\.0"); // nothing that ends a line or splits it
        Fields fields = head.fields();
        for (int i = 0; i < fields.size(); i++) {
            assertThat(fields.name(i)).matches(TOKEN);
            assertThat(fields.name(i)).isNotEqualToIgnoringCase("transfer-encoding");
            assertThat(fields.value(i))
                    .matches("(?s)[^\\r\\n\\x00]*")
                    .doesNotMatch("(?s)[ \\t].*|.*[ \\t]");
        }
        assertThat(fields.all(FieldName.HOST)).hasSize(1);
        assertThat(fields.all(FieldName.CONTENT_LENGTH)).hasSizeLessThanOrEqualTo(1);
        assertThat(fields.all(FieldName.COOKIE)).hasSizeLessThanOrEqualTo(1);
        assertThat(!last || head.contentLength() == 0).as("no content after the end").isTrue();
    }

    @Test
    void scrambledLinesAreReadOrRefused() {
        Scrambled.each(
                20_000,
                this::lines,
                ":method GET\n:scheme http\n:path /a?b\n:authority a.example:80\ncookie a=1\ncookie b=2",
                ":method POST\n:scheme https\n:path /\nhost h\ncontent-length 12\nexpect 100-continue\n",
                ":method CONNECT\n:protocol websocket\n:scheme http\n:path /c\n:authority a\nte trailers",
                ":method CONNECT\n:authority a.example:443\nx-any \u0001\u0002 Value ",
                ":method OPTIONS\n:scheme http\n:path *\n:authority [::1]\nhost [::1]");
    }
}
