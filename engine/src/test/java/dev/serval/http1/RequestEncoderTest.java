package dev.serval.http1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.policy.Leniency;
import dev.serval.policy.Limits;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RequestEncoderTest {
    private final RequestEncoder encoder = new RequestEncoder();

    @Test
    void writesARequestWithoutContent() {
        assertThat(head("GET", Framing.NONE, 0)).isEqualTo("GET /a?b HTTP/1.1\r\nHost: h\r\n\r\n");
    }

    @Test
    void writesOnlyTheFramingOfThisMessage() {
        assertThat(head("OPTIONS", Framing.LENGTH, Long.MAX_VALUE))
                .endsWith("Host: h\r\nContent-Length: 9223372036854775807\r\n\r\n");
        assertThat(head("POST", Framing.CHUNKED, 0))
                .endsWith("Host: h\r\nTransfer-Encoding: chunked\r\n\r\n");
    }

    @Test
    void requestParserReadsTheOutput() {
        HeadReader reader = new HeadReader(Limits.Heads.DEFAULT, Leniency.defaults());
        byte[] head = head("POST", Framing.LENGTH, 5).getBytes(StandardCharsets.US_ASCII);
        assertThat(Cuts.read(head, reader)).isEqualTo("POST /a?b @h length=5");
    }

    @Test
    void writesAnyMethodWithinItsBound() {
        HeadReader reader = new HeadReader(Limits.Heads.DEFAULT, Leniency.defaults());
        String method = "VERSION-CONTROL".repeat(10);
        byte[] head = head(method, Framing.LENGTH, 5).getBytes(StandardCharsets.US_ASCII);
        assertThat(Cuts.read(head, reader)).isEqualTo(method + " /a?b @h length=5");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "A B", "GET /x HTTP/1.1\r\nX:", "G\u00cbT"})
    void refusesMethodThatIsNotAToken(String method) {
        ByteBuffer out = ByteBuffer.allocate(100);
        assertThatThrownBy(() -> encoder.line(out, method, new byte[] {'/'}, 0, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(out.position()).isZero();
    }

    @Test
    void refusesTargetThatWouldEndTheLine() {
        byte[] target = "/a b".getBytes(StandardCharsets.US_ASCII);
        ByteBuffer out = ByteBuffer.allocate(100);
        assertThatThrownBy(() -> encoder.line(out, "GET", target, 0, target.length))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(out.position()).isZero();
    }

    @Test
    void refusesFramingByClose() {
        assertThatThrownBy(() -> encoder.end(ByteBuffer.allocate(10), Framing.CLOSE, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private String head(String method, Framing framing, long length) {
        Fields fields = Fields.of(FieldName.HOST, "h").add(FieldName.TE, "");
        fields.remove(FieldName.TE);
        byte[] target = "x/a?b".getBytes(StandardCharsets.US_ASCII);
        ByteBuffer out = ByteBuffer.allocate(encoder.headBound(method, target.length, fields));
        encoder.line(out, method, target, 1, target.length);
        encoder.fields(out, fields);
        encoder.end(out, framing, length);
        return new String(out.array(), 0, out.position(), StandardCharsets.US_ASCII);
    }
}
