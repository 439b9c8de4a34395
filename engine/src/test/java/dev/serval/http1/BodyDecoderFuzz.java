package dev.serval.http1;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.serval.http.Fields;
import dev.serval.policy.Limits;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Any input as chunked content: there is no exception, and the result is the same at every cut.
/// Content that our encoder writes is decoded to the same content.
final class BodyDecoderFuzz {
    private static final Limits.Contents LIMITS =
            Limits.Contents.DEFAULT.with(draft -> {
                draft.maxBytes = 4096;
                draft.discardMaxBytes = 0;
                draft.chunkLineMaxBytes = 64;
                draft.chunkExtensionsMaxBytes = 128;
                draft.trailersMaxBytes = 256;
                draft.trailersMax = 4;
                draft.lingerMaxBytes = 0;
            });

    @FuzzTest(maxDuration = "20s")
    void chunked(byte[] bytes) {
        if (bytes.length == 0) {
            return;
        }
        int[] everyByte = new int[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            everyByte[i] = i + 1;
        }
        String whole = read(bytes, 4096, bytes.length);
        assertThat(read(bytes, 4096, everyByte)).isEqualTo(whole);
        assertThat(read(bytes, 3, bytes.length / 2, bytes.length)).isEqualTo(whole);
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
        byte[] bytes = Arrays.copyOf(out.array(), out.position());
        assertThat(read(bytes, 4096, bytes.length))
                .isEqualTo(content + "/" + content.length() + " done");
    }

    private static String read(byte[] bytes, int room, int... ends) {
        return new BodyReader(LIMITS, BodyDecoder::chunked, room).read(bytes, ends);
    }
}
