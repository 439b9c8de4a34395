package dev.serval.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.Arrays;

/// Any input as a value of a line: it can be read back, and nothing of it ends a line or a quoted
/// value. Any input as a pattern: it is compiled, or refused with a message.
final class EscapingFuzz {
    private static final int CUT_BYTES = 3;

    @FuzzTest(maxDuration = "20s")
    void value(byte[] value) {
        for (Escaping escaping : Escaping.values()) {
            for (int most : new int[] {64, 1 << 20}) {
                byte[] into = new byte[6 * value.length + 100];
                LogLine line = new LogLine(most);
                line.begin(into, 0, new TimeText[0], false);
                line.value(value, 0, value.length, escaping);
                byte[] text = Arrays.copyOf(into, line.end());
                assertThat(text.length).isLessThanOrEqualTo(most + Escaping.GROWTH_MAX);
                LogText.checkSafe(text, escaping);
                String read = LogText.unescaped(text, escaping);
                String whole = LogText.meaning(value, escaping);
                boolean cut = text.length > CUT_BYTES && !read.equals(whole);
                int kept = cut ? read.length() - CUT_BYTES : read.length();
                assertThat(whole).startsWith(read.substring(0, kept));
            }
        }
    }

    @FuzzTest(maxDuration = "20s")
    void pattern(byte[] bytes) { // a String would be null for the empty input
        String pattern = new String(bytes, StandardCharsets.UTF_8);
        try {
            LogFormat format = LogFormat.of(pattern, ZoneId.of("UTC"));
            assertThat(format.maxBytes(AccessLogLimits.STANDARD)).isLessThan(256 << 10);
        } catch (IllegalArgumentException e) {
            assertThat(e.getMessage()).isNotEmpty();
        }
    }
}
