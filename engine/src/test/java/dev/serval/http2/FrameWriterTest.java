package dev.serval.http2;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class FrameWriterTest {
    /// Returns the frames as the reader takes them.
    private static String written(Consumer<ByteBuffer> frames) {
        ByteBuffer out = ByteBuffer.allocate(1 << 17);
        FrameWriter.settings(out, 0);
        frames.accept(out);
        byte[] bytes = Arrays.copyOf(out.array(), out.position());
        return Recorder.read(bytes, bytes.length).substring("settings\n".length());
    }

    @Test
    void framesAreReadAgain() {
        assertThat(
                        written(out -> {
                            FrameWriter.data(out, 3, 2, true);
                            out.put(new byte[] {1, 2});
                            FrameWriter.headers(out, 5, new byte[] {7, 8, 9}, 2, false);
                            FrameWriter.rstStream(out, 7, ErrorCode.REFUSED_STREAM);
                            FrameWriter.settings(out, 2);
                            FrameWriter.setting(out, Setting.INITIAL_WINDOW_SIZE, 65_536);
                            FrameWriter.setting(out, Setting.MAX_CONCURRENT_STREAMS, 100);
                            FrameWriter.settingsAck(out);
                            FrameWriter.ping(out, true, -2);
                            FrameWriter.goAway(out, 9, ErrorCode.ENHANCE_YOUR_CALM);
                            FrameWriter.windowUpdate(out, 0, 1);
                        }))
                .isEqualTo(
                        """
                        data 3 2-0 0102 last
                        headers 5 0708 whole
                        rstStream 7 7
                        setting 4=65536 setting 3=100 settings
                        settingsAck
                        ping ack fffffffffffffffe
                        goAway 11
                        windowUpdate 0 1
                        """);
    }

    @Test
    void namedSizesAreThoseWritten() {
        ByteBuffer out = ByteBuffer.allocate(100);
        FrameWriter.rstStream(out, 7, ErrorCode.CANCEL);
        assertThat(out.position()).isEqualTo(FrameWriter.SHORT);
        FrameWriter.windowUpdate(out.clear(), 7, 1);
        assertThat(out.position()).isEqualTo(FrameWriter.SHORT);
        FrameWriter.ping(out.clear(), false, 1);
        assertThat(out.position()).isEqualTo(FrameWriter.LONG);
        FrameWriter.goAway(out.clear(), 7, ErrorCode.CANCEL);
        assertThat(out.position()).isEqualTo(FrameWriter.LONG);
        FrameWriter.setting(out.clear(), 1, 1);
        assertThat(out.position()).isEqualTo(FrameWriter.SETTING);
        FrameWriter.settingsAck(out.clear());
        assertThat(out.position()).isEqualTo(FrameReader.HEADER);
    }

    /// RFC 9113 §6.10
    @Test
    void longBlockIsContinued() {
        for (int length : new int[] {0, 16_384, 16_385, 40_000}) {
            byte[] block = new byte[length + 5];
            Arrays.fill(block, 0, length, (byte) 0xab);
            String frames =
                    written(out -> {
                        int before = out.position();
                        FrameWriter.headers(out, 1, block, length, true);
                        assertThat(out.position() - before)
                                .isEqualTo(FrameWriter.blockBytes(length));
                    });
            assertThat(frames).startsWith("headers 1 last ").endsWith(" whole\n");
            int more = Math.max(0, (length - 1) / 16_384);
            assertThat(frames.split("continuation ", -1)).hasSize(1 + more);
            assertThat(frames.replaceAll("[^b]", "")).hasSize(length);
        }
    }
}
