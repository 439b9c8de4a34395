package dev.serval.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.StringJoiner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests with arbitrary Range fields that the parts lie within the content, do not touch, and are
/// few.
@Tag("fuzz")
final class ByteRangesFuzz {
    @FuzzTest(maxDuration = "10s")
    void partsAreSound(FuzzedDataProvider data) {
        long length = data.consumeLong(0, Long.MAX_VALUE);
        byte[] field = data.consumeRemainingAsBytes();

        if (ByteRanges.parse(field, 0, field.length, length)
                instanceof ByteRanges.Parts(long[] firsts, long[] ends)) {
            assertThat(firsts.length).isBetween(1, ByteRanges.RANGES_MAX);
            for (int i = 0; i < firsts.length; i++) {
                assertThat(firsts[i]).isBetween(0L, length - 1);
                assertThat(ends[i]).isBetween(firsts[i] + 1, length);
                for (int k = 0; k < i; k++) {
                    assertThat(firsts[i] > ends[k] || firsts[k] > ends[i]).isTrue();
                }
            }
        }
    }

    /// The parts are exactly the bytes that the ranges of the field name (RFC 9110 §14.1.2).
    @Test
    void partsCoverWhatTheFieldNames() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 20_000; i++) {
            int length = random.nextInt(1, 60);
            BitSet named = new BitSet();
            StringJoiner field = new StringJoiner(random.nextBoolean() ? "," : " , ", "bytes=", "");
            for (int ranges = random.nextInt(1, 4); ranges > 0; ranges--) {
                int one = random.nextInt(80);
                int other = random.nextInt(80);
                switch (random.nextInt(3)) {
                    case 0 -> {
                        field.add(one + "-");
                        set(named, one, length);
                    }
                    case 1 -> {
                        field.add("-" + one);
                        set(named, Math.max(0, length - one), length);
                    }
                    default -> {
                        int last = Math.max(one, other);
                        field.add(Math.min(one, other) + "-" + last);
                        set(named, Math.min(one, other), Math.min(length, last + 1));
                    }
                }
            }
            byte[] bytes = field.toString().getBytes(StandardCharsets.US_ASCII);
            BitSet sent = new BitSet();
            ByteRanges result = ByteRanges.parse(bytes, 0, bytes.length, length);
            if (result instanceof ByteRanges.Parts(long[] firsts, long[] ends)) {
                for (int k = 0; k < firsts.length; k++) {
                    sent.set((int) firsts[k], (int) ends[k]);
                }
                assertThat(sent).as("%s of %s", field, length).isEqualTo(named);
            } else if (result == ByteRanges.Unsatisfiable.UNSATISFIABLE) {
                assertThat(named.isEmpty()).as("%s of %s", field, length).isTrue();
            }
        }
    }

    private static void set(BitSet named, int from, int to) {
        if (from < to) {
            named.set(from, to);
        }
    }
}
