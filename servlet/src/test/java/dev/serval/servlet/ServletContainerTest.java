package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.servlet.pages.AppPages;
import dev.serval.servlet.pages.PageEngine;
import dev.serval.servlet.pages.PageSetup;
import dev.serval.servlet.pages.SharedCode;
import jakarta.servlet.ServletContext;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
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

    /// Other programs may have folders there, too, which appear and vanish meanwhile.
    @Test
    void containerThatFailsToOpenDeletesTheWorkFolderThatItHasMade() throws IOException {
        Set<Path> before = temporaryFolders();
        Set<Path> made = new HashSet<>();
        ServletContainer.Builder builder = ServletContainer.builder().pages(failing(made));
        assertThatThrownBy(builder::open).isInstanceOf(UncheckedIOException.class);
        made.removeAll(before);
        assertThat(made).anyMatch(Files::notExists);
    }

    /// Returns an engine that cannot be started, and notes the folders that exist then.
    private static PageEngine failing(Set<Path> folders) {
        return new PageEngine() {
            @Override
            public SharedCode shared() {
                try {
                    folders.addAll(temporaryFolders());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                throw new UncheckedIOException(new IOException("no engine"));
            }

            @Override
            public AppPages open(PageSetup app) {
                throw new AssertionError("it was never started");
            }
        };
    }

    private static Set<Path> temporaryFolders() throws IOException {
        Set<Path> folders = new HashSet<>();
        Path parent = Path.of(System.getProperty("java.io.tmpdir"));
        try (DirectoryStream<Path> all = Files.newDirectoryStream(parent, "serval-*")) {
            all.forEach(folders::add);
        }
        return folders;
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
