package dev.serval.testkit;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/// Makes inputs for a parser out of samples: pieces of them in another order, with some bytes
/// changed. Every run makes the same ones. So a fuzz target is also checked where no fuzzer runs.
public final class Scrambled {
    private static final int PIECES_MAX = 4;
    private static final int CHANGES_MAX = 3;
    private static final int ODD = 4;

    private Scrambled() {}

    /// Calls `test` with `count` inputs.
    ///
    /// @param samples in ISO-8859-1
    public static void each(int count, Consumer<byte[]> test, String... samples) {
        SplittableRandom random = new SplittableRandom(count);
        for (String sample : samples) {
            test.accept(sample.getBytes(StandardCharsets.ISO_8859_1));
        }
        for (int i = 0; i < count; i++) {
            test.accept(input(random, samples));
        }
    }

    private static byte[] input(SplittableRandom random, String... samples) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (int pieces = random.nextInt(1, PIECES_MAX + 1); pieces > 0; pieces--) {
            byte[] sample =
                    samples[random.nextInt(samples.length)].getBytes(StandardCharsets.ISO_8859_1);
            int from = random.nextInt(ODD) == 0 ? random.nextInt(sample.length + 1) : 0;
            int to =
                    random.nextInt(ODD) == 0
                            ? random.nextInt(from, sample.length + 1)
                            : sample.length;
            joined.write(sample, from, to - from);
        }
        byte[] input = joined.toByteArray();
        for (int changes = random.nextInt(CHANGES_MAX);
                changes > 0 && input.length > 0;
                changes--) {
            int at = random.nextInt(input.length);
            input[at] =
                    random.nextBoolean()
                            ? (byte) random.nextInt()
                            : input[random.nextInt(input.length)];
        }
        return input;
    }
}
