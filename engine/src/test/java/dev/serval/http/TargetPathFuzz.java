package dev.serval.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.serval.codec.ByteRules;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Any input as a path: there is no exception. An accepted path has no dot segment, and is the same
/// after it is encoded and read again.
final class TargetPathFuzz {
    @FuzzTest(maxDuration = "20s")
    void target(byte[] bytes) {
        byte[] raw = new byte[bytes.length + 1];
        raw[0] = '/';
        int length = 1;
        for (byte b : bytes) {
            if (ByteRules.path(b)) {
                raw[length++] = b;
            }
        }
        TargetPath path = new TargetPath();
        if (path.set(raw, 0, length) != null) {
            return;
        }
        String text = path.text();
        assertThat(text).startsWith("/").doesNotContain("//", "\\", "\0", "\r", "\n", "\u007f");
        for (String segment : text.split("/", -1)) {
            String name = segment.replaceFirst(";.*", "");
            assertThat(name).isNotIn(".", "..");
        }
        byte[] normalised = Arrays.copyOfRange(path.buffer(), path.from(), path.to());
        byte[] encoded = encoded(normalised);
        TargetPath again = new TargetPath();
        assertThat(again.set(encoded, 0, encoded.length)).isNull();
        assertThat(again.text()).isEqualTo(text);
    }

    private static byte[] encoded(byte[] path) {
        StringBuilder text = new StringBuilder();
        for (byte b : path) {
            text.append(b == '/' ? "/" : "%%%02x".formatted(b & 0xff));
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }
}
