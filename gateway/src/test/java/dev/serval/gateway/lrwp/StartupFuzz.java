package dev.serval.gateway.lrwp;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;

/// Any startup message: there is no exception, one byte at a time gives the same result, and an
/// accepted name is a path that a request may have.
final class StartupFuzz {
    @FuzzTest(maxDuration = "20s")
    void startup(byte[] bytes) {
        Startup whole = new Startup(64);
        Startup.Outcome outcome = whole.take(bytes, 0, bytes.length);
        Startup pieces = new Startup(64);
        Startup.Outcome last = Startup.Outcome.MORE;
        for (int i = 0; i < bytes.length && last == Startup.Outcome.MORE; i++) {
            last = pieces.take(bytes, i, i + 1);
        }
        assertThat(last).isEqualTo(outcome);
        if (outcome == Startup.Outcome.COMPLETE) {
            Registration read = whole.registration();
            String prefix = new String(read.prefix(), StandardCharsets.UTF_8);
            assertThat(prefix + "/").doesNotContain("/../", "/./", "\0", "\n");
            assertThat(read.prefix().length).isLessThanOrEqualTo(201);
        }
    }
}
