package dev.serval.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tests when a file's times are reliable. Times are in milliseconds.
final class FingerprintTest {
    private static final long MILLI = 1_000_000;

    @ParameterizedTest
    @CsvSource({
        "5001, 5001, false",
        "5001, 5101, false",
        "5001, 5102, true",
        "5001, 4900, true", // a file server's clock is ahead of ours
        "5000, 7000, false", // whole seconds, so a tick may be two
        "5000, 7001, true"
    })
    void isSettledAfterTheLongestTickOfTheFileSystemsClock(
            long changed, long now, boolean settled) {
        assertThat(fingerprint(changed, changed).isSettled(now * MILLI)).isEqualTo(settled);
    }

    @ParameterizedTest
    @CsvSource({
        "5001, 5001, 7001, false",
        "5001, 5001, 7002, true",
        "9000, 5001, 7002, false", // dated into the future
        "5001, 7001, 7101, false",
        "5001, 7001, 7102, true"
    })
    void dateIsStrongTwoSecondsLater(long modified, long changed, long now, boolean strong) {
        assertThat(fingerprint(modified, changed).isDateSettled(now * MILLI)).isEqualTo(strong);
    }

    private static Fingerprint fingerprint(long modified, long changed) {
        return new Fingerprint(Path.of("/a"), null, 1, modified * MILLI, changed * MILLI);
    }
}
