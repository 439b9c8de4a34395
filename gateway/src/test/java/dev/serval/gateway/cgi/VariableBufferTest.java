package dev.serval.gateway.cgi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class VariableBufferTest {
    @Test
    void writesAssignments() {
        VariableBuffer out = new VariableBuffer(VariableForm.ASSIGNMENTS);
        out.add("A", "b=c");
        out.add("D", "");
        out.putByte(0);
        assertThat(text(out)).isEqualTo("A=b=c\0D=\0\0");
    }

    @Test
    void writesNulPairs() {
        VariableBuffer out = new VariableBuffer(VariableForm.NUL_PAIRS);
        out.begin("CONTENT_LENGTH");
        out.put(1200).end();
        out.add("SCGI", "1");
        assertThat(text(out)).isEqualTo("CONTENT_LENGTH\0" + "1200\0SCGI\0" + "1\0");
    }

    @Test
    void writesLengths() {
        VariableBuffer out = new VariableBuffer(VariableForm.LENGTHS);
        out.add("AB", "cde");
        assertThat(text(out)).isEqualTo("\u0002\u0080\0\0\u0003ABcde");
        out.clear();
        out.add("N".repeat(128), "v".repeat(300));
        assertThat(text(out))
                .isEqualTo(
                        "\u0080\0\0\u0080" + "\u0080\0\u0001," + "N".repeat(128) + "v".repeat(300));
    }

    @ParameterizedTest
    @EnumSource(VariableForm.class)
    void variableOfTheMountTakesThePlaceOfThatOfTheRequest(VariableForm form) {
        VariableBuffer out =
                new VariableBuffer(
                        form, List.of(new OwnVariable("B", "own"), new OwnVariable("HTTP_C", "")));
        VariableBuffer expected = new VariableBuffer(form);
        for (int round = 0; round < 2; round++) {
            out.clear();
            out.add("AB", "1");
            out.add("B", "2");
            out.add("BA", "3");
            out.beginField(Cuts.bytes("c"), 0, 1);
            out.put("4").end();
            out.add("D", "5");
            out.addOwn();
        }
        expected.add("AB", "1");
        expected.add("BA", "3");
        expected.add("D", "5");
        expected.add("B", "own");
        expected.add("HTTP_C", "");
        assertThat(text(out)).isEqualTo(text(expected));
    }

    @Test
    void writesNamesOfFieldsInUpperCase() {
        VariableBuffer out = new VariableBuffer(VariableForm.ASSIGNMENTS);
        byte[] name = Cuts.bytes("x-Own-9z");
        out.beginField(name, 0, name.length);
        out.put("v").end();
        assertThat(text(out)).isEqualTo("HTTP_X_OWN_9Z=v\0");
    }

    @Test
    void refusesNulInValue() {
        VariableBuffer out = new VariableBuffer(VariableForm.ASSIGNMENTS);
        out.begin("A");
        out.put("b\0C=d");
        assertThatThrownBy(out::end).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesNulAtEachPlaceAndNoOtherByte() {
        byte[] others = {1, 0x7f, (byte) 0x80, (byte) 0x81, (byte) 0xff};
        for (int length = 1; length <= 20; length++) {
            for (int at = 0; at < length; at++) {
                VariableBuffer out = new VariableBuffer(VariableForm.ASSIGNMENTS);
                byte[] value = new byte[length];
                for (byte other : others) {
                    Arrays.fill(value, other);
                    out.add("A", value);
                }
                value[at] = 0;
                assertThatThrownBy(() -> out.add("B", value))
                        .as("%d of %d", at, length)
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    @Test
    void writesNumbers() {
        VariableBuffer out = new VariableBuffer(VariableForm.ASSIGNMENTS);
        for (long number : new long[] {0, 9, 10, 65_535, Long.MAX_VALUE}) {
            out.begin("N");
            out.put(number).end();
        }
        assertThat(text(out)).isEqualTo("N=0\0N=9\0N=10\0N=65535\0N=" + Long.MAX_VALUE + "\0");
    }

    @Test
    void isTooLargePastItsLimit() {
        VariableBuffer out = new VariableBuffer(VariableForm.ASSIGNMENTS);
        out.add("A", "b".repeat(VariableBuffer.MAX_BYTES - 3));
        assertThat(out.isTooLarge()).isFalse();
        assertThat(out.length()).isEqualTo(VariableBuffer.MAX_BYTES);
        out.add("C", "");
        assertThat(out.isTooLarge()).isTrue();
        assertThat(out.length()).isLessThanOrEqualTo(VariableBuffer.MAX_BYTES);
        out.clear();
        out.add("C", "d");
        assertThat(text(out)).isEqualTo("C=d\0");
    }

    private static String text(VariableBuffer out) {
        return new String(out.array(), 0, out.length(), StandardCharsets.ISO_8859_1);
    }
}
