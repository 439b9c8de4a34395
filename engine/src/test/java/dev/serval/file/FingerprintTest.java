package dev.serval.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// When a file's times can be relied on, in milliseconds.
final class FingerprintTest {
    private static final long MILLI = 1_000_000;

    @ParameterizedTest
    @CsvSource({
        "5001, 5001, false",
        "5001, 5101, false",
        "5001, 5102, true",
        "5001, 4900, true", // a file server's clock goes before ours
        "5000, 7000, false", // whole seconds, so perhaps a clock of two
        "5000, 7001, true"
    })
    void isSettledOnceTheFileSystemsClockMustHaveTicked(long changed, long now, boolean settled) {
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
    void aDateIsStrongTwoSecondsLater(long modified, long changed, long now, boolean strong) {
        assertThat(fingerprint(modified, changed).isDateSettled(now * MILLI)).isEqualTo(strong);
    }

    private static Fingerprint fingerprint(long modified, long changed) {
        return new Fingerprint(Path.of("/a"), null, 1, modified * MILLI, changed * MILLI);
    }
}
