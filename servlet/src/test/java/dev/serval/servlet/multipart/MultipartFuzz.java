package dev.serval.servlet.multipart;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Any input as multipart content or as the head of a part: there is no exception, and the result
/// is the same at every cut. Content without the boundary comes out as it went in.
final class MultipartFuzz {
    private static final MultipartBounds BOUNDS = new MultipartBounds(4, 32, 8);

    @FuzzTest(maxDuration = "20s")
    void content(byte[] bytes) {
        ParserReader reader = new ParserReader("b", BOUNDS);
        int[] everyByte = new int[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            everyByte[i] = i + 1;
        }
        String whole = reader.read(bytes, bytes.length);
        assertThat(reader.read(bytes, everyByte)).isEqualTo(whole);
        assertThat(reader.read(bytes, bytes.length / 2, bytes.length)).isEqualTo(whole);
        assertThat(reader.read(bytes, bytes.length / 3, bytes.length)).isEqualTo(whole);
    }

    @FuzzTest(maxDuration = "20s")
    void writtenParts(FuzzedDataProvider data) {
        StringBuilder content = new StringBuilder();
        StringBuilder expected = new StringBuilder();
        int parts = data.consumeInt(0, 4);
        for (int i = 0; i < parts; i++) {
            String part = latin1(data.consumeBytes(data.consumeInt(0, 200)));
            if (!("\r\n" + part + "\r\n").contains("\r\n--b")) {
                content.append("--b\r\nN:x\r\n\r\n").append(part).append("\r\n");
                expected.append("<N:x\r\n\r\n|").append(part).append('>');
            }
        }
        byte[] bytes = (content + "--b--").getBytes(StandardCharsets.ISO_8859_1);
        assertThat(new ParserReader("b", BOUNDS).read(bytes, bytes.length))
                .isEqualTo(expected + " ok");
    }

    @FuzzTest(maxDuration = "20s")
    void head(byte[] bytes) {
        byte[] head = (latin1(bytes) + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1);
        @Nullable PartHead read = PartHead.parse(head, head.length, StandardCharsets.UTF_8);
        if (read != null) {
            assertThat(read.all("content-disposition")).hasSize(1);
            assertThat(String.valueOf(read.fileName())).doesNotContain("\r", "\n", "\0");
            for (String name : read.names()) {
                assertThat(name).matches("[!#-'*+.0-9A-Z^-z|~-]+");
                assertThat(read.all(name)).noneMatch(value -> value.contains("\n"));
            }
        }
    }

    private static String latin1(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
