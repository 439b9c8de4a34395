package dev.serval.hpack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HuffmanTest {
    private static byte[] encode(byte[] bytes) {
        byte[] into = new byte[Huffman.length(bytes, 0, bytes.length)];
        assertThat(Huffman.encode(bytes, 0, bytes.length, into, 0)).isEqualTo(into.length);
        return into;
    }

    private static byte[] decode(byte[] coded) {
        byte[] into = new byte[Huffman.decodedMax(coded.length)];
        int length = Huffman.decode(coded, 0, coded.length, into);
        return length < 0 ? new byte[] {-1, -1, -1} : Arrays.copyOf(into, length);
    }

    /// The codes of appendix B at its corners, and the strings of appendix C.
    @ParameterizedTest
    @CsvSource({
        "0, 07", // 00000, padded
        "a, 1f", // 00011
        "' ', 53", // 010100
        "&, f8", // 11111000
        "z, f7", // 1111011
        "|, ff9f", // 11111111100
        "{, fffd", // 111111111111110
        "\\, fffe1f", // 1111111111111110000
        "www.example.com, f1e3c2e5f23a6ba0ab90f4ff",
        "no-cache, a8eb10649cbf",
        "custom-value, 25a849e95bb8e8b4bf",
        "302, 6402",
        "https://www.example.com, 9d29ad171863c78f0b97c8e9ae82ae43d3"
    })
    void codesAreThoseOfTheRfc(String text, String hex) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        assertThat(encode(bytes)).isEqualTo(Pieces.hex(hex));
        assertThat(decode(Pieces.hex(hex))).isEqualTo(bytes);
    }

    @Test
    void everyByteIsReadAgain() {
        Random random = new Random(7541);
        byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
            byte[] one = {(byte) i};
            assertThat(decode(encode(one))).isEqualTo(one);
        }
        assertThat(decode(encode(all))).isEqualTo(all);
        for (int i = 0; i < 1000; i++) {
            byte[] bytes = new byte[random.nextInt(40)];
            random.nextBytes(bytes);
            assertThat(decode(encode(bytes))).isEqualTo(bytes);
        }
    }

    /// A longest code takes 30 bits, so no sum may be kept in 32.
    @Test
    void longCodesInARowLoseNoBit() {
        byte[] bytes = {10, 13, 22, 10, 13, 22, 10};
        assertThat(encode(bytes)).hasSize((7 * 30 + 7) / 8);
        assertThat(decode(encode(bytes))).isEqualTo(bytes);
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource({
        "1fff, padding of more than seven bits",
        "ff, padding without a code",
        "18, padding with zeros",
        "1e, padding with one zero at its end",
        "fffffffc, the end of string",
        "fffffffcff, more after the end of string",
        "ffffffff, the first bits of the end of string"
    })
    void refuses(String hex, String what) {
        assertThat(decode(Pieces.hex(hex))).as(what).isEqualTo(new byte[] {-1, -1, -1});
    }

    @Test
    void emptyStringIsEmpty() {
        assertThat(decode(new byte[0])).isEmpty();
        assertThat(encode(new byte[0])).isEmpty();
    }
}
