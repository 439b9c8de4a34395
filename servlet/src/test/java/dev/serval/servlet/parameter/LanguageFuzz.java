package dev.serval.servlet.parameter;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.serval.testkit.Scrambled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;

/// Any Accept-Language: there is no exception, each locale has a language, and the result does not
/// depend on how the list is divided into fields. Well-formed lists are sorted by quality.
final class LanguageFuzz {
    private static final List<String> TAGS =
            List.of(
                    "de",
                    "en-GB",
                    "fr-CA",
                    "zh-Hans-CN",
                    "sr-Latn",
                    "pt-BR",
                    "x-private",
                    "de-1996");

    @FuzzTest(maxDuration = "20s")
    void anyValue(byte[] bytes) {
        String value = new String(bytes, StandardCharsets.ISO_8859_1);
        List<Locale> locales = AcceptLanguage.locales(List.of(value));
        assertThat(locales).hasSizeLessThanOrEqualTo(AcceptLanguage.RANGES_MAX);
        assertThat(locales).allMatch(locale -> !locale.getLanguage().isEmpty());
        assertThat(AcceptLanguage.locales(List.of(value.split(",", -1)))).isEqualTo(locales);
    }

    @Test
    void scrambledValuesAreReadOrSkipped() {
        Scrambled.each(
                20_000,
                this::anyValue,
                "da, en-gb;q=0.8, en;q=0.7",
                "*;q=0.5, de-CH",
                "a;q=1.001, b;q=-1, ,;q=1",
                "en;q=0.000, fr;Q=0.123");
    }

    @Test
    void wellFormedListsAreSortedByQuality() {
        SplittableRandom random = new SplittableRandom(8);
        for (int i = 0; i < 5_000; i++) {
            record Range(String tag, int quality) {}
            List<Range> ranges = new ArrayList<>();
            StringJoiner value = new StringJoiner(random.nextBoolean() ? "," : " , ");
            for (int count = random.nextInt(1, 10); count > 0; count--) {
                Range range =
                        new Range(
                                TAGS.get(random.nextInt(TAGS.size())), random.nextInt(3) * 333 + 1);
                ranges.add(range);
                value.add("%s;q=0.%03d".formatted(range.tag, range.quality));
            }
            List<Locale> sorted =
                    ranges.stream()
                            .filter(range -> !range.tag.startsWith("x-"))
                            .sorted(Comparator.comparingInt(Range::quality).reversed())
                            .map(range -> Locale.forLanguageTag(range.tag))
                            .toList();
            assertThat(AcceptLanguage.locales(List.of(value.toString())))
                    .as("%s", value)
                    .isEqualTo(sorted);
        }
    }
}
