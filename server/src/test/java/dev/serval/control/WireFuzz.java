package dev.serval.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Any bytes at the control socket: a command, or an IOException. A command that is written is read
/// again, and not without its last byte.
final class WireFuzz {
    @FuzzTest(maxDuration = "20s")
    void command(byte[] bytes) throws IOException {
        try {
            List<String> words = read(bytes);
            assertThat(words).hasSizeBetween(1, Wire.WORDS_MAX);
            if (bytes.length < Wire.TEXT_MAX_BYTES / 3) { // a wrong byte becomes a sign of three
                assertThat(read(written(words))).isEqualTo(words);
            }
        } catch (IOException refused) {
            assertThat(refused).isNotNull();
        }
    }

    @Test
    void writtenCommandsAreReadAgain() throws IOException {
        SplittableRandom random = new SplittableRandom(14);
        for (int i = 0; i < 1_000; i++) {
            List<String> words = new ArrayList<>();
            for (int count = random.nextInt(1, Wire.WORDS_MAX + 1); count > 0; count--) {
                words.add("ä€\u0000".repeat(random.nextInt(4)) + random.nextInt());
            }
            byte[] bytes = written(words);
            assertThat(read(bytes)).isEqualTo(words);
            byte[] changed = bytes.clone();
            changed[random.nextInt(bytes.length)] = (byte) random.nextInt();
            command(changed);
            byte[] cut = Arrays.copyOf(bytes, random.nextInt(bytes.length));
            assertThat(catchThrowable(() -> read(cut))).isInstanceOf(IOException.class);
        }
    }

    private static List<String> read(byte[] bytes) throws IOException {
        return Wire.readCommand(new DataInputStream(new ByteArrayInputStream(bytes)));
    }

    private static byte[] written(List<String> words) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Wire.writeCommand(new DataOutputStream(bytes), words);
        return bytes.toByteArray();
    }
}
