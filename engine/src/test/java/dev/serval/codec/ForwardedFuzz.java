package dev.serval.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.serval.testkit.Scrambled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Any value of Forwarded or X-Forwarded-For: there is no exception, and elements lie within it. The
/// element that a trusted proxy has appended is read the same, whatever the client has written
/// before it.
final class ForwardedFuzz {
    private static final String[] SAMPLES = {
        "for=192.0.2.60;proto=http;by=203.0.113.43",
        "for=\"[2001:db8:cafe::17]:4711\"; host=\"a\\\"b\"",
        "For=\"_gazonk\", for=unknown",
        "10.0.0.1, [::1]:80",
        "\"a,b\\\\\",\"",
        "for=\"\\\",for=evil",
        ",,;;= "
    };

    @FuzzTest(maxDuration = "20s")
    void anyValue(byte[] bytes) {
        String value = new String(bytes, StandardCharsets.ISO_8859_1);
        LastFirst list = LastFirst.of(List.of(value));
        ForwardedElement element = new ForwardedElement();
        int before = bytes.length + 1;
        while (list.next()) {
            assertThat(list.from()).isBetween(0, list.to() - 1);
            assertThat(list.to()).isLessThan(before);
            before = list.from() + 1;
            if (element.read(list.text(), list.from(), list.to())) {
                assertThat(element.client()).isNotEqualTo("");
                assertThat(element.scheme()).isNotEqualTo("");
                assertThat(element.host()).isNotEqualTo("");
            }
        }
    }

    @FuzzTest(maxDuration = "20s")
    void appendedElementIsReadTheSame(byte[] bytes) {
        String client = new String(bytes, StandardCharsets.ISO_8859_1);
        SplittableRandom random = new SplittableRandom(bytes.length);
        String appended = "for=" + word(random) + ";host=" + quoted(random) + " ; proto=https";
        // A proxy appends to the value, or adds a field of its own.
        for (List<String> values :
                List.of(List.of(client + "," + appended), List.of(client, appended))) {
            LastFirst list = LastFirst.of(values);
            assertThat(list.next()).isTrue();
            String last =
                    new String(
                            list.text(),
                            list.from(),
                            list.to() - list.from(),
                            StandardCharsets.ISO_8859_1);
            assertThat(last).isEqualTo(appended);
        }
    }

    @Test
    void scrambledValuesAreReadOrRefused() {
        Scrambled.each(20_000, this::anyValue, SAMPLES);
        Scrambled.each(20_000, this::appendedElementIsReadTheSame, SAMPLES);
    }

    @Test
    void writtenElementsAreReadAgain() {
        SplittableRandom random = new SplittableRandom(5);
        ForwardedElement element = new ForwardedElement();
        for (int i = 0; i < 5_000; i++) {
            String client = word(random);
            String host = text(random);
            String written =
                    "%s=%s;other=%s; %s=%s"
                            .formatted(
                                    random.nextBoolean() ? "for" : "FOR",
                                    random.nextBoolean() ? client : '"' + client + '"',
                                    quoted(random),
                                    random.nextBoolean() ? "host" : "Host",
                                    quote(host));
            byte[] bytes = written.getBytes(StandardCharsets.ISO_8859_1);
            assertThat(element.read(bytes, 0, bytes.length)).as(written).isTrue();
            assertThat(element.client()).isEqualTo(client);
            assertThat(element.host()).isEqualTo(host);
            assertThat(element.scheme()).isNull();
        }
    }

    private static String word(SplittableRandom random) {
        return Integer.toString(random.nextInt(1, 1_000_000), 36);
    }

    private static String quoted(SplittableRandom random) {
        return quote(text(random));
    }

    private static String quote(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private static String text(SplittableRandom random) {
        String signs = "ab,;=\"\\ [:]";
        StringBuilder text = new StringBuilder("a");
        for (int i = random.nextInt(12); i > 0; i--) {
            text.append(signs.charAt(random.nextInt(signs.length())));
        }
        return text.toString();
    }
}
