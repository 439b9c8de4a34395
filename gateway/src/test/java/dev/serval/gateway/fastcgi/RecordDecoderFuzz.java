package dev.serval.gateway.fastcgi;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Any bytes: there is no exception, and the result is the same at every cut.
final class RecordDecoderFuzz {
    @FuzzTest(maxDuration = "20s")
    void read(byte[] bytes) {
        String whole = Records.read(bytes, new int[] {bytes.length});
        int[] each = IntStream.rangeClosed(1, bytes.length).toArray();
        assertThat(Records.read(bytes, each)).isEqualTo(whole);
    }

    /// Records that an application server writes come out as they went in, with any padding.
    @Test
    void writtenRecordsAreReadAgain() {
        SplittableRandom random = new SplittableRandom(12);
        for (int i = 0; i < 2_000; i++) {
            Records records = new Records();
            StringBuilder output = new StringBuilder();
            StringBuilder errors = new StringBuilder();
            for (int count = random.nextInt(6); count > 0; count--) {
                byte[] content = new byte[random.nextInt(40)];
                random.nextBytes(content);
                boolean error = random.nextBoolean();
                records.record(
                        error ? RecordType.STDERR : RecordType.STDOUT,
                        content,
                        random.nextInt(256));
                (error ? errors : output).append(new String(content, StandardCharsets.ISO_8859_1));
            }
            byte[] bytes = records.end(7, 0).bytes();
            int[] ends = {random.nextInt(bytes.length), bytes.length};
            assertThat(Records.read(bytes, ends)).contains(output, errors, "end 7 COMPLETE");
        }
    }
}
