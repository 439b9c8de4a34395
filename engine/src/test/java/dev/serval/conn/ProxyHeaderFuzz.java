package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.serval.testkit.Scrambled;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Any bytes as a header of the PROXY protocol: there is no exception, the result is the same at
/// every cut, and addresses are there both or not at all. A changed address never passes a checksum.
final class ProxyHeaderFuzz {
    private static final int ADDRESS_AT = 16;
    private static final int ADDRESS_BYTES = 12;

    @FuzzTest(maxDuration = "20s")
    void header(byte[] bytes) {
        String whole = read(bytes, bytes.length);
        for (int step : new int[] {1, 2, 7}) {
            assertThat(read(bytes, step)).isEqualTo(whole);
        }
        if (bytes.length < 300) {
            for (int cut = 1; cut < bytes.length; cut++) {
                assertThat(read(bytes, cut)).isEqualTo(whole);
            }
        }
    }

    @Test
    void scrambledHeadersAreReadOrRefused() {
        Scrambled.each(
                3_000,
                this::header,
                "PROXY TCP4 203.0.113.7 192.0.2.1 4000 443\r\n",
                "PROXY TCP6 2001:db8::7 2001:db8::1 4000 443\r\n",
                "PROXY UNKNOWN\r\n",
                latin(ProxyHeaders.summed()),
                latin(ProxyHeaders.two("21", "21", ProxyHeaders.SIX)),
                latin(ProxyHeaders.two("20", "00", "01020304")),
                latin(ProxyHeaders.two("21", "11", ProxyHeaders.FOUR + ProxyHeaders.tlv("04", ""))),
                "GET / HTTP/1.1\r\n");
    }

    @Test
    void changedAddressesFailTheChecksum() {
        SplittableRandom random = new SplittableRandom(4);
        for (int i = 0; i < 2_000; i++) {
            byte[] header = ProxyHeaders.summed();
            int at = ADDRESS_AT + random.nextInt(ADDRESS_BYTES);
            header[at] ^= (byte) random.nextInt(1, 256);
            assertThat(read(header, header.length)).isEqualTo("wrong: the checksum is wrong");
        }
    }

    private static String latin(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /// Reads as a connection does, which gets `step` more bytes at a time.
    private static String read(byte[] bytes, int step) {
        ProxyHeaderReader reader = new ProxyHeaderReader();
        int used = 0;
        int arrived = 0;
        while (arrived < bytes.length && !reader.isDone() && !reader.isWrong()) {
            arrived = Math.min(bytes.length, arrived + Math.max(1, step));
            used += reader.read(bytes, used, arrived);
            assertThat(used).isLessThanOrEqualTo(arrived);
            assertThat(arrived - used)
                    .as("bytes that wait")
                    .isLessThanOrEqualTo(Math.max(216, step));
        }
        if (reader.isWrong()) {
            return "wrong: " + reader.fault();
        }
        if (!reader.isDone()) {
            return "more";
        }
        assertThat(reader.source() == null).isEqualTo(reader.destination() == null);
        if (reader.source() instanceof InetSocketAddress source) {
            assertThat(source.isUnresolved()).isFalse();
        }
        return used + " " + reader.source() + " to " + reader.destination();
    }
}
