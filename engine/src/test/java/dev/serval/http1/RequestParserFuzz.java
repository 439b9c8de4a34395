package dev.serval.http1;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.serval.codec.ByteRules;
import dev.serval.http.Fields;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHead;
import dev.serval.policy.Leniency;
import dev.serval.policy.Limits;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Any input as a request head: there is no exception, and the verdict is the same at every cut. An
/// accepted head has nothing that a later reader could interpret differently.
final class RequestParserFuzz {
    private static final Limits.Heads LIMITS =
            Limits.Heads.DEFAULT.with(draft -> {
                draft.lineMaxBytes = 512;
                draft.maxBytes = 1024;
                draft.fieldsMax = 16;
            });

    @FuzzTest(maxDuration = "20s")
    void head(byte[] bytes) {
        if (bytes.length == 0) {
            return;
        }
        HeadReader reader = new HeadReader(LIMITS, Leniency.defaults());
        String whole = reader.read(bytes, new int[] {bytes.length});
        @Nullable ProtocolError error = reader.error();
        if (error != null) {
            assertThat(error.status().code()).isBetween(400, 505);
        } else if (reader.consumed() > 0) {
            checkAccepted(reader, reader.consumed(), bytes.length);
        }
        int half = bytes.length / 2;
        int[] everyByte = new int[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            everyByte[i] = i + 1;
        }
        assertThat(reader.read(bytes, everyByte)).isEqualTo(whole);
        assertThat(reader.read(bytes, new int[] {half, bytes.length})).isEqualTo(whole);
    }

    private static void checkAccepted(HeadReader reader, int consumed, int length) {
        assertThat(consumed).isLessThanOrEqualTo(length);
        RequestHead head = reader.head();
        assertThat(reader.writer().length()).isBetween(1, LIMITS.maxBytes());
        String path = head.target().path().text();
        assertThat(path).startsWith("/").doesNotContain("//", "\\", "\0");
        assertThat(path + "/").doesNotContain("/../", "/./");
        Fields fields = head.fields();
        assertThat(fields.size()).isLessThanOrEqualTo(LIMITS.fieldsMax());
        for (int i = 0; i < fields.size(); i++) {
            for (byte b : fields.name(i).getBytes(StandardCharsets.ISO_8859_1)) {
                assertThat(ByteRules.token(b)).isTrue();
            }
            for (byte b : fields.value(i).getBytes(StandardCharsets.ISO_8859_1)) {
                assertThat(ByteRules.field(b)).isTrue();
            }
        }
    }
}
