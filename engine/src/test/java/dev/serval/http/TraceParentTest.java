package dev.serval.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Rules of W3C Trace Context (level 1).
final class TraceParentTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String VALID = "00-" + TRACE + "-00f067aa0ba902b7-01";

    private static boolean isValid(String value) {
        byte[] bytes = (" " + value + "ff").getBytes(StandardCharsets.US_ASCII);
        return TraceParent.isValid(bytes, 1, 1 + value.length());
    }

    @ParameterizedTest
    @CsvSource({
        "§3.2.1 version 00, 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01, true",
        "§3.2.2.5 any flags, 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-ff, true",
        "§3.2.1 version ff, ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01, false",
        "§3.2.2 upper case, 00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01, false",
        "§3.2.2.3 zero trace, 00-00000000000000000000000000000000-00f067aa0ba902b7-01, false",
        "§3.2.2.4 zero parent, 00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01, false",
        "§3.2.2 more parts in 00, 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-a, false",
        "§3.3 more parts later, cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-a, true",
        "§3.3 longer flags later, cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01a, false",
        "§3.3 later version alone, cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01, true",
        "not hexadecimal, 0g-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01, false",
        "other separator, 00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01, false",
        "too short, 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0, false",
        "'empty', '', false"
    })
    void validates(String rule, String value, boolean expected) {
        assertThat(isValid(value)).as(rule).isEqualTo(expected);
    }

    @Test
    void everyPlaceIsChecked() {
        for (int i = 0; i < VALID.length(); i++) {
            String wrong = VALID.substring(0, i) + "x" + VALID.substring(i + 1);
            assertThat(isValid(wrong)).as(wrong).isFalse();
        }
    }

    @Test
    void findsTheOnlyField() {
        Fields fields = new Fields().add("Host", "a").add("TraceParent", VALID);
        assertThat(TraceParent.find(fields)).isEqualTo(1);
        int at = TraceParent.traceAt(fields);
        assertThat(
                        new String(
                                fields.buffer(),
                                at,
                                TraceParent.TRACE_LENGTH,
                                StandardCharsets.US_ASCII))
                .isEqualTo(TRACE);
        assertThat(TraceParent.find(fields.add("traceparent", VALID))).isEqualTo(-1);
        assertThat(TraceParent.find(Fields.of(FieldName.HOST, "a"))).isEqualTo(-1);
        assertThat(TraceParent.traceAt(new Fields().add("traceparent", "1"))).isEqualTo(-1);
    }

    @Test
    void makesValidValues() {
        assertThat(TraceParent.of(1, 2, 3))
                .isEqualTo("00-00000000000000010000000000000002-0000000000000003-01")
                .satisfies(value -> assertThat(isValid(value)).isTrue());
    }
}
