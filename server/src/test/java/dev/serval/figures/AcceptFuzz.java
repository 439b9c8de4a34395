package dev.serval.figures;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.serval.testkit.Scrambled;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/// Any value of Accept that a scraper sends: OpenMetrics is only sent if the value names it, and the
/// order of its members does not matter.
final class AcceptFuzz {
    private static final String NAME = "application/openmetrics-text";

    @FuzzTest(maxDuration = "20s")
    void value(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        ExpositionFormat chosen = ExpositionFormat.of(text);
        if (chosen == ExpositionFormat.OPENMETRICS) {
            assertThat(text.toLowerCase(Locale.ROOT)).contains(NAME);
        }
        StringBuilder turned = new StringBuilder();
        for (String member : text.split(",", -1)) {
            turned.insert(0, member + ",");
        }
        assertThat(ExpositionFormat.of(turned.toString())).isEqualTo(chosen);
    }

    @Test
    void scrambledValuesChooseAFormat() {
        Scrambled.each(
                20_000,
                this::value,
                "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.1",
                "text/plain;q=1, application/openmetrics-text ; q=0.999",
                "text/*;q=0, APPLICATION/openmetrics-text;q=2");
    }
}
