package dev.serval.lrwp.peer;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

/// Any bytes from an agent: there is no exception, and the result is the same at every cut.
final class RequestDecoderFuzz {
    @FuzzTest(maxDuration = "20s")
    void anyBytes(byte[] bytes) {
        int[] every = new int[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            every[i] = i + 1;
        }
        String whole = RequestDecoderTest.read(bytes, bytes.length);
        assertThat(RequestDecoderTest.read(bytes, every)).isEqualTo(whole);
        assertThat(RequestDecoderTest.read(bytes, bytes.length / 2, bytes.length)).isEqualTo(whole);
        Environment environment = new Environment(bytes);
        environment
                .all()
                .forEach((name, value) -> {
                    if (name.chars().allMatch(c -> c < 0x80)) {
                        assertThat(environment.value(name)).isEqualTo(value);
                    }
                });
    }

    @FuzzTest(maxDuration = "20s")
    void anyAnswer(byte[] bytes) {
        for (LrwpVersion version : LrwpVersion.values()) {
            HandshakeDecoder whole = new HandshakeDecoder(version);
            int used = whole.decode(bytes, 0, bytes.length);
            HandshakeDecoder slow = new HandshakeDecoder(version);
            int at = 0;
            while (at < bytes.length && slow.answer() == null) {
                at = slow.decode(bytes, at, at + 1);
            }
            assertThat(at).isEqualTo(used);
            assertThat(slow.answer() == null).isEqualTo(whole.answer() == null);
        }
    }
}
