package dev.serval.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.policy.Limits;
import org.junit.jupiter.api.Test;

final class StartScreenTest {
    @Test
    void saysWhyFewerConnectionsAreAllowedThanAsked() {
        Limits.Counts counts = Limits.DEFAULT.counts();
        int most = counts.connectionsMax();
        assertThat(StartScreen.counts(counts, most, 1024))
                .isEqualTo(most + " connections, 10000 requests in progress");
        assertThat(StartScreen.counts(counts, most + 1, 1024))
                .isEqualTo(most + " connections (of 1024 open files), 10000 requests in progress");
    }

    @Test
    void saysWhichNamesOfFilesAreNotFound() {
        StringBuilder text = new StringBuilder();
        StartScreen.names(text, "UTF-8");
        assertThat(text).isEmpty();
        StartScreen.names(text, "ANSI_X3.4-1968");
        assertThat(text)
                .hasToString(
                        "  file names  only in ANSI_X3.4-1968; set LC_ALL=C.UTF-8 for all others\n");
    }

    @Test
    void screenSaysOnHowManyRequestsApplicationsWork() {
        assertThat(StartScreen.atWork(200)).isEqualTo(", of which applications work on 200");
        assertThat(StartScreen.atWork(Integer.MAX_VALUE)).isEmpty();
    }
}
