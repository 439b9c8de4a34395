package dev.serval.http1;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.serval.codec.ByteRules;
import dev.serval.http.Fields;
import dev.serval.http.Method;
import dev.serval.http.ProtocolError;
import dev.serval.policy.Limits;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/// Any bytes as the head of an upstream's response: there is no exception, the verdict is the same
/// at every cut, and an accepted head has one framing and no field that can end a line.
final class ResponseParserFuzz {
    private static final Limits.Heads LIMITS =
            Limits.Heads.DEFAULT.with(draft -> {
                draft.lineMaxBytes = 512;
                draft.maxBytes = 1024;
                draft.fieldsMax = 16;
            });
    private static final Method[] METHODS = {Method.GET, Method.HEAD, Method.CONNECT};

    @FuzzTest(maxDuration = "20s")
    void head(byte[] bytes) {
        for (Method method : METHODS) {
            String whole = read(bytes, method, bytes.length);
            assertThat(read(bytes, method, 1)).isEqualTo(whole);
            assertThat(read(bytes, method, 7)).isEqualTo(whole);
        }
    }

    private static String read(byte[] bytes, Method method, int step) {
        ResponseParser parser = new ResponseParser(LIMITS);
        ReceivedHead head = new ReceivedHead();
        int seen = 0;
        int arrived = Math.min(Math.max(1, step), bytes.length);
        while (arrived > seen) {
            byte[] part = Arrays.copyOf(bytes, arrived);
            int length = parser.parse(part, 0, arrived, seen, method, head);
            if (length == ResponseParser.ERROR) {
                ProtocolError error = Objects.requireNonNull(parser.error());
                assertThat(error.status().code()).isEqualTo(502);
                return error.toString();
            }
            if (length != ResponseParser.NEED_MORE) {
                assertThat(length).isBetween(1, Math.min(arrived, LIMITS.maxBytes()));
                return length + " " + checked(head, method);
            }
            seen = arrived;
            arrived = Math.min(arrived + step, bytes.length);
        }
        return "more";
    }

    private static String checked(ReceivedHead head, Method method) {
        assertThat(head.status().code()).isBetween(100, 599);
        if (head.status().withoutContent() || method == Method.HEAD) {
            assertThat(head.framing()).isEqualTo(Framing.NONE);
        }
        if (head.framing() == Framing.LENGTH) {
            assertThat(head.contentLength()).isNotNegative();
        }
        if (head.framing() == Framing.CLOSE) {
            assertThat(head.persistent()).isFalse();
        }
        Fields fields = head.fields();
        assertThat(fields.size()).isLessThanOrEqualTo(LIMITS.fieldsMax());
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < fields.size(); i++) {
            for (byte b : fields.name(i).getBytes(StandardCharsets.ISO_8859_1)) {
                assertThat(ByteRules.token(b)).isTrue();
            }
            for (byte b : fields.value(i).getBytes(StandardCharsets.ISO_8859_1)) {
                assertThat(ByteRules.field(b)).isTrue();
            }
            all.append(fields.name(i)).append('=').append(fields.value(i)).append('\n');
        }
        return head.status().code()
                + " "
                + head.framing()
                + " "
                + head.contentLength()
                + " "
                + head.persistent()
                + " "
                + all;
    }
}
