package dev.serval.soak.subject;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SoakLogTest {
    @TempDir private Path folder;

    @Test
    void findsWarningsAndErrorsThatNoRequestMeant() throws IOException {
        Path log = folder.resolve("log");
        Files.writeString(
                log,
                """
                Ready: http://127.0.0.1:8080/

                Nov 22, 2026 8:13:04 AM dev.serval.loop.ReportLog logNext
                SEVERE: A handler failed
                dev.serval.soak.war.Meant: meant 582036665

                Nov 22, 2026 8:13:05 AM dev.serval.loop.ReportLog logNext
                SEVERE: A handler failed
                java.lang.IllegalStateException: of the container

                Nov 22, 2026 8:13:06 AM dev.serval.loop.ReportLog logNext
                INFO: fine

                Nov 22, 2026 8:13:07 AM dev.serval.loop.ReportLog logNext
                WARNING: it left something behind
                """);
        assertThat(SoakLog.unexpected(log))
                .hasSize(2)
                .anyMatch(entry -> entry.contains("of the container"))
                .anyMatch(entry -> entry.contains("left something behind"));
    }
}
