package dev.serval.servlet.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.testkit.TempTree;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Finds files of exploded folders and archives, and of their jars.
final class AppFilesTest {
    private final TempTree tree = TempTree.create();

    @BeforeEach
    void makeApplication() {
        tree.file("app/index.html", "own");
        tree.file("app/both.txt", "own");
        tree.file("app/css/site.css", "own");
        tree.file("app/WEB-INF/web.xml", "<web-app/>");
        tree.file("app/WEB-INF/lib/a.jar", jar("a").bytes());
        tree.file("app/WEB-INF/lib/b.jar", jar("b").bytes());
        tree.file("app/WEB-INF/lib/plain.jar", plainJar());
        tree.file("app/WEB-INF/lib/notes.txt", "no jar");
        tree.file("outside.txt", "secret");
        tree.link("app/out.txt", tree.path("outside.txt"));
        tree.link("app/outfolder", tree.folder("outfolder"));
        tree.link("app/in.txt", tree.path("app/index.html"));
    }

    private static ZipMaker jar(String name) {
        ZipMaker zip = new ZipMaker();
        zip.add("META-INF/resources/", "");
        zip.add("META-INF/resources/both.txt", name);
        zip.add("META-INF/resources/jars.txt", name);
        zip.add("META-INF/resources/css/" + name + ".css", name);
        zip.add("META-INF/resources/css/deep/x.css", name);
        zip.add("Other.class", name);
        return zip;
    }

    private static byte[] plainJar() {
        ZipMaker zip = new ZipMaker();
        zip.add("com/Same.class", "1");
        zip.add("com/Same.class", "2"); // only class loaders read it, so it is not refused
        return zip.bytes();
    }

    @AfterEach
    void delete() {
        tree.close();
    }

    @Test
    void ownFilesWinAndJarsFollowInOrder() throws IOException {
        try (UnpackedApp app = prepare(tree.path("app"))) {
            AppFiles files = app.files(app.jars());
            assertThat(text(files, "/both.txt")).isEqualTo("own");
            assertThat(text(files, "/jars.txt")).isEqualTo("a");
            assertThat(text(files, "/css/b.css")).isEqualTo("b");
            List<Path> reversed = new ArrayList<>(app.jars());
            Collections.reverse(reversed);
            assertThat(text(app.files(reversed), "/jars.txt")).isEqualTo("b");
            AppFile found = found(files, "/jars.txt");
            assertThat(found.jar()).isEqualTo("a.jar");
            assertThat(found.folder()).isFalse();
            assertThat(found(files, "/index.html").jar()).isEmpty();
            assertThat(files.roots()).hasSize(3).contains(tree.path("app"));
        }
    }

    @Test
    void jarsOfAnArchiveToo() throws IOException {
        ZipMaker war = new ZipMaker();
        war.add("index.html", "own");
        war.stored("WEB-INF/lib/a.jar", jar("a").bytes());
        Path file = tree.file("x.war", war.bytes());
        try (UnpackedApp app = prepare(file);
                UnpackedApp again = prepare(file)) {
            assertThat(text(app.files(app.jars()), "/jars.txt")).isEqualTo("a");
            assertThat(text(app.files(List.of()), "/jars.txt")).isNull();
            assertThat(text(again.files(again.jars()), "/css/a.css")).isEqualTo("a");
        }
    }

    @Test
    void changedJarOfAFolderIsExtractedAgain() throws IOException {
        prepare(tree.path("app")).close();
        tree.file("app/WEB-INF/lib/a.jar", jar("A").bytes());
        try (UnpackedApp app = prepare(tree.path("app"))) {
            assertThat(text(app.files(app.jars()), "/jars.txt")).isEqualTo("A");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "index.html",
                "/INDEX.html",
                "/no",
                "/..",
                "/../outside.txt",
                "/css/../index.html",
                "/./index.html",
                "//index.html",
                "/css//site.css",
                "/index.html/",
                "/index.html/x",
                "/out.txt",
                "/outfolder",
                "/outfolder/",
                "/css\\site.css",
                "/index.html\0",
                "/web-inf/web.xml",
                "/Other.class",
                "/META-INF/resources/jars.txt"
            })
    void doesNotFind(String path) throws IOException {
        try (UnpackedApp app = prepare(tree.path("app"))) {
            AppFiles files = app.files(app.jars());
            assertThat(files.find(path)).isNull();
            assertThat(files.url(path)).isNull();
            assertThat(files.open(path)).isNull();
        }
    }

    @Test
    void findsLinksInsideAndPrivateFiles() throws IOException {
        try (UnpackedApp app = prepare(tree.path("app"))) {
            AppFiles files = app.files(app.jars());
            assertThat(text(files, "/in.txt")).isEqualTo("own");
            assertThat(text(files, "/WEB-INF/web.xml")).isEqualTo("<web-app/>");
            assertThat(found(files, "/css").folder()).isTrue();
            assertThat(found(files, "/css/").folder()).isTrue();
            assertThat(found(files, "/").folder()).isTrue();
        }
    }

    @Test
    void listsBothWithFoldersMarked() throws IOException {
        try (UnpackedApp app = prepare(tree.path("app"))) {
            AppFiles files = app.files(app.jars());
            assertThat(files.below("/css"))
                    .containsExactly("/css/a.css", "/css/b.css", "/css/deep/", "/css/site.css");
            assertThat(files.below("/css/")).isEqualTo(files.below("/css"));
            assertThat(files.below("/"))
                    .containsExactlyInAnyOrder(
                            "/WEB-INF/",
                            "/both.txt",
                            "/css/",
                            "/in.txt",
                            "/index.html",
                            "/jars.txt");
            assertThat(files.below("/index.html")).isEmpty();
            assertThat(files.below("/no")).isEmpty();
        }
    }

    @Test
    void tellsRealPaths() throws IOException {
        try (UnpackedApp app = prepare(tree.path("app"))) {
            AppFiles files = app.files(app.jars());
            assertThat(files.realPath("/")).isEqualTo(tree.path("app").toString());
            assertThat(files.realPath("/new/file")).isEqualTo(tree.path("app/new/file").toString());
            assertThat(files.realPath("/jars.txt")).contains("work").endsWith("jars.txt");
            assertThat(files.realPath("/../outside.txt")).isNull();
            assertThat(files.realPath("/outfolder/new")).isNull();
        }
    }

    @Test
    void refusesJarThatLies() {
        ZipMaker jar = new ZipMaker();
        jar.add("META-INF/resources/../../../../x", "out");
        tree.file("app/WEB-INF/lib/a.jar", jar.bytes());
        assertThatThrownBy(() -> prepare(tree.path("app")))
                .hasMessageContaining("WEB-INF/lib/a.jar")
                .hasMessageContaining("leads out");
        tree.file("app/WEB-INF/lib/a.jar", "no jar at all");
        assertThatThrownBy(() -> prepare(tree.path("app")))
                .hasMessageContaining("WEB-INF/lib/a.jar: this is not a ZIP archive");
    }

    @ParameterizedTest
    @CsvSource({
        "/WEB-INF, true",
        "/WEB-INF/web.xml, true",
        "/web-inf/x, true",
        "/a/Meta-Inf/x, true",
        "/WEB-INF./x, true",
        "'/WEB-INF /x', true",
        "/WEB-INF;a=b/x, true",
        "/WEB-INF::$DATA, true",
        "/a\\WEB-INF\\x, true",
        "/WEB-INFO/x, false",
        "/x/web.xml, false",
        "/, false",
        "/W\u00adEB-INF/x, true",
        "/a/META-INF\u200b, true",
        "/index.j\u017fp, true",
        "/a/index.jsp\u200b, true",
        "/index.jsp;\u00e9, true",
        "/\u00e9/x.html, false"
    })
    void protectsAnySpelling(String path, boolean isProtected) {
        assertThat(AppFiles.isProtected(path)).isEqualTo(isProtected);
    }

    private UnpackedApp prepare(Path app) throws IOException {
        return WorkFolder.open(
                        tree.path("work"),
                        WorkLimits.DEFAULT,
                        ArchiveLimits.DEFAULT,
                        InstantSource.system())
                .prepare(app);
    }

    private static AppFile found(AppFiles files, String path) {
        @Nullable AppFile found = files.find(path);
        if (found == null) {
            throw new AssertionError("not found: " + path);
        }
        return found;
    }

    private static @Nullable String text(AppFiles files, String path) throws IOException {
        try (InputStream in = files.open(path)) {
            return in == null ? null : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
