package dev.serval.http2;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Arrays;

/// Any input as frames: there is no exception, and the frames are the same at every cut.
final class FrameReaderFuzz {
    private static final byte[] SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};

    @FuzzTest(maxDuration = "20s")
    void frames(byte[] input) {
        byte[] bytes = Arrays.copyOf(SETTINGS, SETTINGS.length + input.length);
        System.arraycopy(input, 0, bytes, SETTINGS.length, input.length);
        String whole = Recorder.read(bytes, bytes.length);
        int[] every = new int[bytes.length];
        Arrays.setAll(every, i -> i + 1);
        assertThat(Recorder.read(bytes, every)).isEqualTo(whole);
        assertThat(Recorder.read(bytes, bytes.length / 2, bytes.length)).isEqualTo(whole);
    }
}
