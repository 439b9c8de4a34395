package dev.serval.gateway.cgi;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/// The cut test of a codec: a sample must give the same result whole, byte by byte, and cut in two
/// at every position.
public final class Cuts {
    private Cuts() {}

    /// Returns the bytes of an ISO-8859-1 text.
    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /// Reads the sample in all ways.
    ///
    /// @param reader reads the bytes in pieces with these ends, and returns the result in words
    /// @return the result, which is the same for all
    public static String read(byte[] sample, BiFunction<byte[], int[], String> reader) {
        String whole = reader.apply(sample, new int[] {sample.length});
        int[] each = IntStream.rangeClosed(1, sample.length).toArray();
        assertThat(reader.apply(sample, each)).as("byte by byte").isEqualTo(whole);
        for (int cut = 1; cut < sample.length; cut++) {
            int[] ends = {cut, sample.length};
            assertThat(reader.apply(sample, ends)).as("cut at %s", cut).isEqualTo(whole);
        }
        return whole;
    }
}
