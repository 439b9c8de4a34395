package dev.serval.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.serval.testkit.Scrambled;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Any value of traceparent: it is valid exactly if the grammar of Trace Context §3.2 says so. What
/// we make is valid.
final class TraceParentFuzz {
    private static final String PARTS = "(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}";
    private static final Pattern GRAMMAR =
            Pattern.compile(
                    "00-" + PARTS + "|(?!00|ff)[0-9a-f]{2}-" + PARTS + "(?:-.*)?", Pattern.DOTALL);

    @FuzzTest(maxDuration = "20s")
    void value(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        assertThat(TraceParent.isValid(bytes, 0, bytes.length))
                .as(text)
                .isEqualTo(GRAMMAR.matcher(text).matches());
    }

    @Test
    void scrambledValuesAreValidByTheGrammar() {
        Scrambled.each(
                20_000,
                this::value,
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
                "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
                "ff-4BF92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
    }

    @Test
    void madeValuesAreValid() {
        SplittableRandom random = new SplittableRandom(13);
        for (int i = 0; i < 1_000; i++) {
            String made =
                    TraceParent.of(random.nextLong(), random.nextLong(), random.nextLong() | 1);
            value(made.getBytes(StandardCharsets.US_ASCII));
            assertThat(made).matches(GRAMMAR).endsWith("-01");
        }
    }
}
