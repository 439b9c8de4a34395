package dev.serval.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.RawClient;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Jars of applications that are read by a URL, as tag libraries are.
@Timeout(120)
final class JarUrlRunTest {
    @TempDir private Path folder;

    /// Two versions of an application may have the same jar open while one replaces the other.
    @Test
    void versionsOfAnApplicationShareNoOpenJar() throws Exception {
        Files.createDirectories(folder.resolve("app/WEB-INF"));
        Files.writeString(
                folder.resolve("app/index.jsp"),
                "<%= java.net.URI.create(\"jar:file:/none.jar!/x\").toURL().openConnection()"
                        + ".getUseCaches() %>");
        try (ServerProcess server =
                ServerProcess.ready("run", "/=" + folder.resolve("app"), "--port", "0")) {
            assertThat(RawClient.get(server.socketAddress(), "/index.jsp").text().strip())
                    .isEqualTo("false");
        }
    }
}
