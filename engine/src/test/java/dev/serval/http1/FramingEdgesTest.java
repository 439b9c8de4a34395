package dev.serval.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.http.Method;
import dev.serval.policy.Leniency;
import dev.serval.policy.Limits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Checks edge cases of framing in which a small mistake would let two parties disagree about a
/// message's end: fields in the first place, and words as long as the expected word.
final class FramingEdgesTest {
    @ParameterizedTest
    @CsvSource({
        "Content-Length: 5|Transfer-Encoding: chunked, 400",
        "Transfer-Encoding: chunked|Content-Length: 5, 400",
        "Content-Length: 5|Content-Length: 5, 400",
        "Content-Length: x, 400",
        "Content-Length: 5, POST / @h length=5",
        "Transfer-Encoding: chunked, POST / @h length=chunked",
        "Connection: @, 400",
        "Connection: close, POST / @h close",
        "Expect: other, 417",
        "Expect: 100-continue|Content-Length: 1, POST / @h length=1 expects"
    })
    void firstFieldCounts(String fields, String expected) {
        String head = "POST / HTTP/1.1\n" + fields.replace('|', '\n') + "\nHost: h\n\n";
        assertThat(read(head)).startsWith(expected);
    }

    /// If such a coding counted as chunked, the next party could find another request in the
    /// content.
    @ParameterizedTest
    @ValueSource(strings = {"deflate", "chunkee", "xhunked", "chunke1", "CHUNKEE"})
    void codingAsLongAsChunkedIsNotChunked(String coding) {
        assertThat(coding).hasSameSizeAs("chunked");
        assertThat(read("POST / HTTP/1.1\nHost: h\nTransfer-Encoding: " + coding + "\n\n"))
                .startsWith("501");
    }

    @ParameterizedTest
    @CsvSource({"HTTP/1.1, clone, GET / @h", "HTTP/1.0, keep-alife, GET / @h 1.0 close"})
    void optionAsLongAsAKnownOneIsNotThatOption(String version, String option, String expected) {
        assertThat(read("GET / " + version + "\nHost: h\nConnection: " + option + "\n\n"))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/%00", "/%zz", "/%4", "/../a", "/a/../../b", "/%2e%2e/a"})
    void absoluteTargetsPathIsReadLikeOriginTargets(String path) {
        String origin = read("GET " + path + " HTTP/1.1\nHost: h\n\n");
        String absolute = read("GET http://h" + path + " HTTP/1.1\nHost: h\n\n");
        assertThat(absolute).isEqualTo(origin).startsWith("400");
    }

    @Test
    void refusesResponseWithLengthBeforeCoding() {
        byte[] bytes =
                Cuts.bytes(
                        "HTTP/1.1 200 OK\nContent-Length: 5\nTransfer-Encoding: chunked\nA: b\n\n");
        ResponseParser parser = new ResponseParser(Limits.Heads.DEFAULT);
        int end = parser.parse(bytes, 0, bytes.length, 0, Method.GET, new ReceivedHead());
        assertThat(end).isEqualTo(ResponseParser.ERROR);
    }

    private static String read(String head) {
        return Cuts.read(
                Cuts.bytes(head), new HeadReader(Limits.Heads.DEFAULT, Leniency.defaults()));
    }
}
