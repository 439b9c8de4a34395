package dev.serval.http1;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// The cut test of every codec: a sample must give the same result whole, byte by byte, and cut in
/// two at every position.
///
/// In samples, `\n` is CRLF, `↓` is a bare LF, and `←` is a bare CR.
final class Cuts {
    /// Reads a sample that arrives in pieces.
    interface Reader {
        /// Reads as far as possible.
        ///
        /// @param bytes the sample
        /// @param ends the end of each piece; the last one is the sample's end
        /// @return the result in words
        String read(byte[] bytes, int[] ends);
    }

    private Cuts() {}

    /// Returns the bytes of a written sample.
    static byte[] bytes(String sample) {
        return sample.replace("\n", "\r\n")
                .replace('↓', '\n')
                .replace('←', '\r')
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    /// Reads the sample in all ways.
    ///
    /// @return the result, which is the same for all
    static String read(byte[] sample, Reader reader) {
        String whole = reader.read(sample, new int[] {sample.length});
        for (int[] ends : ways(sample.length)) {
            assertThat(reader.read(sample, ends)).as("cut at %s", ends).isEqualTo(whole);
        }
        return whole;
    }

    private static List<int[]> ways(int length) {
        List<int[]> ways = new ArrayList<>();
        ways.add(IntStream.rangeClosed(1, length).toArray());
        for (int cut = 1; cut < length; cut++) {
            ways.add(new int[] {cut, length});
        }
        return ways;
    }
}
