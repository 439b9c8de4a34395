package dev.serval.hpack;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/// Any input as header blocks: there is no exception, the result is the same at every cut, and the
/// list has its limit. Fields that our encoder writes are read again.
final class HpackFuzz {
    @FuzzTest(maxDuration = "20s")
    void blocks(byte[] bytes) {
        Pieces whole = new Pieces();
        Pieces slow = new Pieces();
        Pieces halves = new Pieces();
        int from = 0;
        while (from < bytes.length) { // a first byte tells the length of the next block
            int length = Math.min(1 + (bytes[from] & 0xff), bytes.length - from - 1);
            byte[] block = Arrays.copyOfRange(bytes, from + 1, from + 1 + length);
            if (length == 0) {
                return;
            }
            String expected = whole.read(block, length);
            assertThat(expected.length()).isLessThanOrEqualTo(Pieces.LIST_MAX + 20);
            assertThat(slow.readSlowly(block)).isEqualTo(expected);
            assertThat(halves.read(block, (length + 1) / 2, length)).isEqualTo(expected);
            if (whole.decoder().error() != null) {
                return;
            }
            from += 1 + length;
        }
    }

    @FuzzTest(maxDuration = "20s")
    void roundTrip(FuzzedDataProvider data) {
        HeaderBlock block = new HeaderBlock();
        HpackEncoder encoder = new HpackEncoder(block);
        Pieces reader = new Pieces(1 << 20);
        for (int blocks = data.consumeInt(1, 8); blocks > 0; blocks--) {
            block.clear();
            encoder.begin(block);
            StringBuilder sent = new StringBuilder();
            for (int fields = data.consumeInt(0, 8); fields > 0; fields--) {
                String name = latin(data.consumeBytes(12)).toLowerCase(Locale.ROOT);
                String value = latin(data.consumeBytes(40));
                Lines.put(encoder, name, value);
                sent.append(name).append(": ").append(value).append('\n');
            }
            byte[] bytes = Arrays.copyOf(block.array(), block.length());
            assertThat(reader.read(bytes, bytes.length)).isEqualTo(sent.toString());
            encoder.tableMax(data.consumeInt(0, 5000));
        }
    }

    private static String latin(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
