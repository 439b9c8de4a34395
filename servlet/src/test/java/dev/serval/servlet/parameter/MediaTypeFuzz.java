package dev.serval.servlet.parameter;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.serval.codec.ByteRules;
import dev.serval.testkit.Scrambled;
import java.util.Locale;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Any Content-Type: there is no exception, and what is read is written as the same type. Parameters
/// that are written are read again.
final class MediaTypeFuzz {
    @FuzzTest(maxDuration = "20s")
    void anyValue(byte[] bytes) {
        StringBuilder value = new StringBuilder();
        for (byte b : bytes) {
            if (ByteRules.field(b)) {
                value.append((char) (b & 0xff));
            }
        }
        MediaType read = MediaType.parse(value.toString());
        if (read == null) {
            return;
        }
        assertThat(read.essence())
                .matches("[!#-'*+.0-9A-Z^-z|~-]+/[!#-'*+.0-9A-Z^-z|~-]+")
                .isEqualTo(read.essence().toLowerCase(Locale.ROOT));
        String written = read.toString();
        assertThat(written).doesNotContain("\r", "\n", "\0");
        MediaType again = Objects.requireNonNull(MediaType.parse(written));
        assertThat(again.toString()).isEqualTo(written);
        assertThat(again.charset()).isEqualTo(read.charset());
        assertThat(read.without("charset").charset()).isNull();
    }

    @Test
    void scrambledValuesAreReadOrRefused() {
        Scrambled.each(
                20_000,
                this::anyValue,
                "text/html; charset=utf-8",
                "Text/HTML;Charset=\"utf\\\"-8\"; a=b",
                "multipart/form-data; boundary=\"a b;c\"",
                "application/x-www-form-urlencoded",
                "a/b;;=;c=\"\\");
    }

    @Test
    void writtenParametersAreReadAgain() {
        SplittableRandom random = new SplittableRandom(9);
        String signs = "ab;=\"\\ ,/\t\u00e9";
        for (int i = 0; i < 10_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(8); length > 0; length--) {
                text.append(signs.charAt(random.nextInt(signs.length())));
            }
            String quoted = text.toString().replace("\\", "\\\\").replace("\"", "\\\"");
            String written = "a/b; other=\";\"; Name=\"" + quoted + "\"; charset=utf-8";
            MediaType read = Objects.requireNonNull(MediaType.parse(written));
            assertThat(read.parameter("name")).isEqualTo(text.toString());
            assertThat(read.charset()).isEqualTo("utf-8");
        }
    }
}
