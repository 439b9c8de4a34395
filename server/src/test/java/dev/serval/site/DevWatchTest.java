package dev.serval.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What counts as a change of an application.
final class DevWatchTest {
    @TempDir Path folder;
    private Path webInf;
    private Path classes;

    @BeforeEach
    void prepare() throws IOException {
        webInf = Files.createDirectories(folder.resolve("app/WEB-INF"));
        Files.writeString(webInf.resolve("web.xml"), "<web-app/>");
        classes = Files.createDirectories(webInf.resolve("classes"));
    }

    private long state() {
        return DevWatch.state(folder.resolve("app"));
    }

    @Test
    void newWrittenAndDeletedFilesAreChanges() throws IOException {
        long before = state();
        assertThat(state()).isEqualTo(before);
        Path added = Files.writeString(classes.resolve("a.class"), "a");
        long withFile = state();
        assertThat(withFile).isNotEqualTo(before);
        Files.setLastModifiedTime(added, FileTime.fromMillis(1_000));
        long older = state();
        assertThat(older).isNotEqualTo(withFile);
        Files.writeString(added, "ab");
        Files.setLastModifiedTime(added, FileTime.fromMillis(1_000));
        assertThat(state()).as("another size").isNotEqualTo(older);
        Files.delete(added);
        assertThat(state()).isEqualTo(before);
    }

    @Test
    void pagesAndFilesOutsideOfWebInfAreNone() throws IOException {
        long before = state();
        for (String page : new String[] {"a.jsp", "b.jspx", "c.jspf", "d.tag", "e.tagx"}) {
            Files.writeString(webInf.resolve(page), "x");
            Files.writeString(classes.resolve(page), "x");
        }
        Files.writeString(folder.resolve("app/index.html"), "x");
        assertThat(state()).isEqualTo(before);
    }

    @Test
    void filesBehindALinkAreWatched() throws IOException {
        Path compiled = Files.createDirectories(folder.resolve("target/classes"));
        Files.delete(classes);
        Files.createSymbolicLink(classes, compiled);
        long before = state();
        Files.writeString(compiled.resolve("A.class"), "a");
        long withClass = state();
        assertThat(withClass).isNotEqualTo(before);
        Path settings = Files.createDirectories(folder.resolve("settings"));
        Files.createSymbolicLink(webInf.resolve("settings"), settings);
        Files.writeString(settings.resolve("a.properties"), "a");
        assertThat(state()).isNotEqualTo(withClass);
    }

    @Test
    void whatAnApplicationWritesIsNoChange() throws IOException {
        long before = state();
        Files.createDirectories(webInf.resolve("logs"));
        Files.writeString(webInf.resolve("logs/app.log"), "started");
        Files.createDirectories(webInf.resolve("db/more"));
        Files.writeString(webInf.resolve("db/more/shop.mv.db"), "x");
        Files.writeString(webInf.resolve("pid"), "1");
        assertThat(state()).isEqualTo(before);
    }

    @Test
    void descriptionsTagsAndLibrariesAreWatched() throws IOException {
        long before = state();
        for (String name :
                new String[] {
                    "faces-config.xml",
                    "spring/beans.xml",
                    "a.tld",
                    "lib/a.jar",
                    "tags/implicit.tld"
                }) {
            Path file = webInf.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, "x");
            long after = state();
            assertThat(after).as(name).isNotEqualTo(before);
            before = after;
        }
    }

    @Test
    void linkToItsOwnFolderEndsTheLookNowhere() throws IOException {
        Files.createSymbolicLink(webInf.resolve("loop"), webInf);
        long before = state();
        Files.writeString(classes.resolve("A.class"), "a");
        assertThat(state()).isNotEqualTo(before);
    }

    @Test
    void archiveIsWatchedItself() throws IOException {
        Path war = Files.writeString(folder.resolve("a.war"), "1");
        long before = DevWatch.state(war);
        Files.writeString(war, "12");
        assertThat(DevWatch.state(war)).isNotEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, 1, false", // nothing has changed
        "1, 1, 2, false", // changed just now: a build may still write
        "1, 2, 2, true", // changed, and the same since the last look
        "1, 2, 3, false", // changed again
        "1, 2, 1, false" // changed back
    })
    void restartsAfterTwoEqualLooks(long deployed, long latest, long now, boolean restarts) {
        assertThat(new DevWatch.Seen(deployed, latest).restartsAt(now)).isEqualTo(restarts);
    }
}
