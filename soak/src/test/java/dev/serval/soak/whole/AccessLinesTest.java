package dev.serval.soak.whole;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AccessLinesTest {
    private static final String LINE =
            "127.0.0.1 - - [25/Nov/2026:22:49:20 +0000] \"GET /a?b=c HTTP/1.1\" 200 5120 \"-\" \"a\\x22\"\n";

    @TempDir private Path folder;

    @Test
    void countsTheLinesOfAllFilesAndThoseThatAreBroken() throws Exception {
        Path file = folder.resolve("access.log");
        Files.writeString(file, LINE + "-" + LINE.substring(9) + "127.0.0.1 - - [" + LINE);
        Files.writeString(folder.resolve("access.log.1"), LINE + LINE);
        Files.writeString(folder.resolve("other.log"), LINE);
        assertThat(AccessLines.read(file)).isEqualTo(new AccessLines(5, 1));
    }
}
