package dev.serval.http1;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class ScanTest {
    @Test
    void findsEveryControlOctetAtEveryPlace() {
        for (int octet = 0; octet < 256; octet++) {
            boolean control = octet != '\t' && (octet < ' ' || octet == 0x7f);
            for (int length = 1; length < 20; length++) {
                for (int at = 0; at < length; at++) {
                    byte[] octets = filled(length, at, octet);
                    assertThat(Scan.control(octets, 0, length))
                            .as("%d at %d of %d", octet, at, length)
                            .isEqualTo(control ? at : length);
                }
            }
        }
    }

    @Test
    void findsTheFirstOfTwo() {
        byte[] octets = filled(20, 9, '\n');
        octets[10] = '\r';
        assertThat(Scan.control(octets, 0, 20)).isEqualTo(9);
        assertThat(Scan.control(octets, 10, 20)).isEqualTo(10);
        octets[4] = 0x7f;
        assertThat(Scan.control(octets, 0, 20)).isEqualTo(4);
    }

    @Test
    void looksOnBehindAnOctetThatOnlySeemsToBeOne() {
        for (int length = 2; length < 40; length++) {
            for (int tab = 0; tab < length - 1; tab++) {
                for (int at = tab + 1; at < length; at++) {
                    byte[] octets = filled(length, at, '\r');
                    octets[tab] = '\t';
                    assertThat(Scan.control(octets, 0, length)).as("%d, %d", tab, at).isEqualTo(at);
                    octets[at] = (byte) 0xff;
                    assertThat(Scan.control(octets, 0, length)).isEqualTo(length);
                }
            }
        }
    }

    @Test
    void findsAnOctetAtEveryPlaceAndNotItsNeighbours() {
        for (int octet : new int[] {':', ':' - 1, ':' + 1, ':' ^ 0x80, 0, 255}) {
            for (int length = 1; length < 20; length++) {
                for (int at = 0; at < length; at++) {
                    byte[] octets = filled(length, at, octet);
                    assertThat(Scan.indexOf(':', octets, 0, length))
                            .isEqualTo(octet == ':' ? at : length);
                }
            }
        }
    }

    private static byte[] filled(int length, int at, int octet) {
        byte[] octets = new byte[length];
        Arrays.fill(octets, (byte) 'a');
        octets[at] = (byte) octet;
        return octets;
    }
}
