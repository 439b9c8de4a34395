package dev.serval.http1;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class ScanTest {
    @Test
    void findsEveryControlByteAtEveryIndex() {
        for (int b = 0; b < 256; b++) {
            boolean control = b != '\t' && (b < ' ' || b == 0x7f);
            for (int length = 1; length < 20; length++) {
                for (int at = 0; at < length; at++) {
                    byte[] bytes = filled(length, at, b);
                    assertThat(Scan.control(bytes, 0, length))
                            .as("%d at %d of %d", b, at, length)
                            .isEqualTo(control ? at : length);
                }
            }
        }
    }

    @Test
    void findsTheFirstOfTwoControlBytes() {
        byte[] bytes = filled(20, 9, '\n');
        bytes[10] = '\r';
        assertThat(Scan.control(bytes, 0, 20)).isEqualTo(9);
        assertThat(Scan.control(bytes, 10, 20)).isEqualTo(10);
        bytes[4] = 0x7f;
        assertThat(Scan.control(bytes, 0, 20)).isEqualTo(4);
    }

    @Test
    void continuesAfterAFalseMatch() {
        for (int length = 2; length < 40; length++) {
            for (int tab = 0; tab < length - 1; tab++) {
                for (int at = tab + 1; at < length; at++) {
                    byte[] bytes = filled(length, at, '\r');
                    bytes[tab] = '\t';
                    assertThat(Scan.control(bytes, 0, length)).as("%d, %d", tab, at).isEqualTo(at);
                    bytes[at] = (byte) 0xff;
                    assertThat(Scan.control(bytes, 0, length)).isEqualTo(length);
                }
            }
        }
    }

    @Test
    void findsAByteAtEveryIndexButNotItsNeighbours() {
        for (int b : new int[] {':', ':' - 1, ':' + 1, ':' ^ 0x80, 0, 255}) {
            for (int length = 1; length < 20; length++) {
                for (int at = 0; at < length; at++) {
                    byte[] bytes = filled(length, at, b);
                    assertThat(Scan.indexOf(':', bytes, 0, length))
                            .isEqualTo(b == ':' ? at : length);
                }
            }
        }
    }

    private static byte[] filled(int length, int at, int b) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) 'a');
        bytes[at] = (byte) b;
        return bytes;
    }
}
