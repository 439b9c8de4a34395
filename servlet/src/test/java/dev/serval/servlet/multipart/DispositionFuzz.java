package dev.serval.servlet.multipart;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.serval.testkit.Scrambled;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Any Content-Disposition of a part: there is no exception, and a file name has no line end. What a
/// browser writes is read as it was.
final class DispositionFuzz {
    @FuzzTest(maxDuration = "20s")
    void anyValue(byte[] bytes) {
        String value = new String(bytes, StandardCharsets.ISO_8859_1).replaceAll("[\r\n\0]", "");
        for (String one : new String[] {value, "form-data; " + value}) {
            Disposition read = Disposition.parse(one);
            if (read != null) {
                assertThat(one).startsWithIgnoringCase("form-data").containsIgnoringCase("name=");
                assertThat(String.valueOf(read.fileName())).doesNotContain("\r", "\n", "\0");
            }
        }
    }

    @Test
    void scrambledValuesAreReadOrRefused() {
        Scrambled.each(
                20_000,
                this::anyValue,
                "form-data; name=\"a\"",
                "form-data; name=a; filename=\"b%22c.txt\"",
                "form-data; name=\"x\\\"y\"; filename=\"C:\\\\temp\\\\a\"",
                "form-data; name=\"%0D%0A\"; filename*=UTF-8''e",
                "name=\"a\"; name=\"b\"");
    }

    @Test
    void whatABrowserWritesIsReadAsItWas() {
        SplittableRandom random = new SplittableRandom(10);
        String signs = "ab;=\" ,'\u00e9\r\n";
        for (int i = 0; i < 10_000; i++) {
            String name = text(random, signs);
            String fileName = text(random, signs.substring(0, signs.length() - 2));
            Disposition read =
                    Disposition.parse(
                            "form-data; name=\"%s\"; filename=\"%s\""
                                    .formatted(encoded(name), encoded(fileName)));
            assertThat(read).isEqualTo(new Disposition(name, fileName));
        }
    }

    private static String text(SplittableRandom random, String signs) {
        StringBuilder text = new StringBuilder();
        for (int length = random.nextInt(8); length > 0; length--) {
            text.append(signs.charAt(random.nextInt(signs.length())));
        }
        return text.toString();
    }

    /// Encodes as the HTML standard says ("multipart/form-data encoding algorithm").
    private static String encoded(String text) {
        return text.replace("\"", "%22").replace("\r", "%0D").replace("\n", "%0A");
    }
}
