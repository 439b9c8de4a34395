package dev.serval.gateway.lrwp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.cgi.Cuts;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The nine digits of a length (facts §1.4, case 13).
final class LengthFieldTest {
    @ParameterizedTest
    @CsvSource({"000000000, 0", "000000054, 54", "999999999, 999999999", "012345678x, 12345678"})
    void readsNineDigits(String digits, String expected) {
        assertThat(Cuts.read(Messages.bytes(digits), LengthFieldTest::read)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"       12", "+00000012", "-00000012", "00000x012", "0x0000012", "1\n"})
    void refusesOtherBytes(String digits) {
        assertThat(Cuts.read(Messages.bytes(digits), LengthFieldTest::read)).isEqualTo("malformed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "12345678"})
    void waitsForMissingDigits(String digits) {
        assertThat(read(Messages.bytes(digits), new int[] {digits.length()})).isEqualTo("more");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 7, 1200, 999_999_999})
    void writesWhatItReads(long length) {
        ByteBuffer into = ByteBuffer.allocate(LengthField.BYTES);
        LengthField.write(into, length);
        assertThat(into.hasRemaining()).isFalse();
        assertThat(read(into.array(), new int[] {9})).isEqualTo(Long.toString(length));
    }

    private static String read(byte[] bytes, int[] ends) {
        LengthField field = new LengthField();
        int at = 0;
        for (int end : ends) {
            int used = field.take(bytes, at, end);
            if (used == LengthField.MALFORMED) {
                return "malformed";
            }
            at = end;
        }
        return field.isComplete() ? Long.toString(field.value()) : "more";
    }
}
