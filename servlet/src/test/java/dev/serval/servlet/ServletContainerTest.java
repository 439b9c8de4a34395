package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ServletContext;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ServletContainerTest {
    /// The temporary folder of an application is in a folder below the work folder.
    private static Path workFolder(WebApp app) {
        File own = (File) app.context().getAttribute(ServletContext.TEMPDIR);
        return own.toPath().resolve("../..").normalize();
    }

    /// Otherwise each start of a program left all its unpacked applications behind.
    @Test
    void closeDeletesTheWorkFolderThatTheContainerHasMade() throws IOException {
        Path work;
        try (ServletContainer container = ServletContainer.open()) {
            WebApp app = WebApp.at("/shop").deploy(container);
            work = workFolder(app);
            assertThat(work).isNotEmptyDirectory();
        }
        assertThat(work).doesNotExist();
    }

    @Test
    void closeKeepsTheWorkFolderOfTheProgram(@TempDir Path folder) throws IOException {
        try (ServletContainer container = ServletContainer.open(folder)) {
            assertThat(workFolder(WebApp.at("/shop").deploy(container)))
                    .isEqualTo(folder.toRealPath());
        }
        assertThat(folder).isNotEmptyDirectory();
    }
}
