package dev.serval.servlet.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// How long the loop trusts what a Worker found in a folder.
final class WelcomeMemoryTest {
    private static final long SECOND_NANOS = 1_000_000_000;

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5); // wraps
    private final WelcomeMemory memory = new WelcomeMemory(nanos::get);

    @Test
    void fileIsTrustedForASecond() {
        assertThat(memory.isFile("/")).isFalse();
        memory.note("/", null);
        assertThat(memory.isFile("/")).isTrue();
        assertThat(memory.isFile("/sub/")).isFalse();
        nanos.addAndGet(SECOND_NANOS - 1);
        assertThat(memory.isFile("/")).isTrue();
        nanos.incrementAndGet();
        assertThat(memory.isFile("/")).isFalse();
        memory.note("/", null);
        assertThat(memory.isFile("/")).isTrue();
        memory.forget("/");
        assertThat(memory.isFile("/")).isFalse();
    }

    @Test
    void numberOfFoldersIsBounded() {
        for (int i = 0; i < 1_024; i++) {
            memory.note("/" + i + "/", null);
        }
        memory.note("/one-more/", null);
        assertThat(memory.isFile("/1023/")).isTrue();
        assertThat(memory.isFile("/one-more/")).isFalse();
        nanos.addAndGet(SECOND_NANOS);
        memory.note("/7/", null);
        assertThat(memory.isFile("/7/")).as("a known one is renewed").isTrue();
    }
}
