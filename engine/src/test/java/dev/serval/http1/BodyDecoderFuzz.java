package dev.serval.http1;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.serval.http.Fields;
import dev.serval.http.Limits;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Whatever arrives as chunked content: no exception, and the same result at every cut; and what we
/// encode is decoded to the same content.
final class BodyDecoderFuzz {
    private static final Limits.Contents LIMITS = new Limits.Contents(4096, 0, 64, 256, 4, 0);

    @FuzzTest(maxDuration = "20s")
    void chunked(byte[] octets) {
        if (octets.length == 0) {
            return;
        }
        int[] everyOctet = new int[octets.length];
        for (int i = 0; i < octets.length; i++) {
            everyOctet[i] = i + 1;
        }
        String whole = read(octets, 4096, octets.length);
        assertThat(read(octets, 4096, everyOctet)).isEqualTo(whole);
        assertThat(read(octets, 3, octets.length / 2, octets.length)).isEqualTo(whole);
    }

    @FuzzTest(maxDuration = "20s")
    void encodedChunks(FuzzedDataProvider data) {
        ByteBuffer out = ByteBuffer.allocate(1 << 16);
        StringBuilder content = new StringBuilder();
        int chunks = data.consumeInt(0, 20);
        for (int i = 0; i < chunks; i++) {
            byte[] chunk = data.consumeBytes(data.consumeInt(1, 200));
            if (chunk.length > 0) {
                ResponseEncoder.chunkHead(out, chunk.length);
                out.put(chunk);
                ResponseEncoder.chunkEnd(out);
                content.append(new String(chunk, StandardCharsets.ISO_8859_1));
            }
        }
        ResponseEncoder.lastChunk(out, Fields.EMPTY);
        byte[] octets = Arrays.copyOf(out.array(), out.position());
        assertThat(read(octets, 4096, octets.length))
                .isEqualTo(content + "/" + content.length() + " done");
    }

    private static String read(byte[] octets, int room, int... ends) {
        return new BodyReader(LIMITS, BodyDecoder::chunked, room).read(octets, ends);
    }
}
