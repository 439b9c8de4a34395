package dev.serval.gateway.fastcgi;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.stream.IntStream;

/// Any bytes: there is no exception, and the result is the same at every cut.
final class RecordDecoderFuzz {
    @FuzzTest(maxDuration = "20s")
    void read(byte[] bytes) {
        String whole = Records.read(bytes, new int[] {bytes.length});
        int[] each = IntStream.rangeClosed(1, bytes.length).toArray();
        assertThat(Records.read(bytes, each)).isEqualTo(whole);
    }
}
