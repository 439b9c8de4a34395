package dev.serval.file;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.serval.handler.RecordingExchange;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.Method;
import dev.serval.testkit.Rewrite;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests sites that change while they are served, deny access, or are requested with odd paths.
final class HostileSiteTest {
    private static final int LARGE = 200_000;

    @TempDir private Path folder;
    private Path root;
    private final FaultyDisk disk = new FaultyDisk();
    private final Instant wall = Instant.now().plusSeconds(60);
    private long nanos = 5_000_000_000L;
    private FileHandler handler;

    @BeforeEach
    void makeSite() throws IOException {
        root = Files.createDirectory(folder.resolve("site"));
        Files.writeString(root.resolve("a.txt"), "hello");
        Files.createFile(root.resolve("empty.txt"));
        Files.write(root.resolve("large.bin"), filled(LARGE, 'x'));
        Files.createDirectory(root.resolve("docs"));
        Files.writeString(root.resolve("docs/index.html"), "<p>docs");
        Files.write(root.resolve("docs/large.bin"), filled(LARGE, 'd'));
        Files.createDirectory(folder.resolve("outside"));
        Files.writeString(folder.resolve("outside/index.html"), "secret");
        Files.write(folder.resolve("outside/large.bin"), filled(LARGE, 's'));
        handler = new FileHandler(disk.on(root), FileOptions.DEFAULT, (InstantSource) () -> wall);
    }

    @Test
    void folderReplacedByALinkOutOfTheRootIsNotServed() throws IOException {
        assertThat(get("/docs/").contentText()).isEqualTo("<p>docs");
        FileChannel inside = FileCacheTest.channelOf(get("/docs/large.bin"));
        Files.move(root.resolve("docs"), folder.resolve("away"));
        Files.createSymbolicLink(root.resolve("docs"), folder.resolve("outside"));
        anAgeLater();

        for (String path : List.of("/docs", "/docs/", "/docs/index.html", "/docs/large.bin")) {
            assertThat(get(path).passed()).as(path).isTrue();
        }
        assertThat(inside.isOpen()).isFalse();
    }

    @Test
    void fileReplacedByALinkOutOfTheRootIsNotServed() throws IOException {
        get("/a.txt");
        Files.delete(root.resolve("a.txt"));
        Files.createSymbolicLink(root.resolve("a.txt"), folder.resolve("outside/index.html"));
        anAgeLater();

        assertThat(get("/a.txt").passed()).isTrue();
    }

    @Test
    void servesAFolderThatBecameAFileAndAFileThatBecameAFolder() throws IOException {
        assertThat(get("/docs").status()).isEqualTo(301);
        get("/docs/index.html");
        get("/a.txt");
        Files.move(root.resolve("docs"), folder.resolve("away"));
        Files.writeString(root.resolve("docs"), "a file now");
        Files.delete(root.resolve("a.txt"));
        Files.createDirectory(root.resolve("a.txt"));
        anAgeLater();

        assertThat(get("/docs").contentText()).isEqualTo("a file now");
        assertThat(get("/docs/").passed()).isTrue();
        assertThat(get("/docs/index.html").passed()).isTrue();
        assertThat(get("/a.txt").answered(FieldName.LOCATION)).isEqualTo("/a.txt/");
    }

    @Test
    void sendsAFileToItsEndIfItIsRenamedMeanwhile() throws IOException {
        RecordingExchange slow =
                RecordingExchange.get("/large.bin").at(nanos).holdBodies().by(handler);
        Files.move(root.resolve("large.bin"), root.resolve("renamed.bin"));
        slow.releaseBodies();

        assertThat(slow.complete()).isTrue();
        assertThat(get("/renamed.bin").contentBytes()).isEqualTo(slow.contentBytes());
        anAgeLater();
        assertThat(get("/large.bin").passed()).isTrue();
    }

    @Test
    void sendsTheAnnouncedLengthIfTheFileGrowsMeanwhile() throws IOException {
        RecordingExchange slow =
                RecordingExchange.get("/large.bin").at(nanos).holdBodies().by(handler);
        Files.write(root.resolve("large.bin"), filled(1000, 'y'), StandardOpenOption.APPEND);
        Files.writeString(root.resolve("a.txt"), ", world", StandardOpenOption.APPEND);
        slow.releaseBodies();

        assertThat(slow.complete()).isTrue();
        assertThat(slow.contentBytes()).hasSize(LARGE);
        anAgeLater();
        assertThat(get("/large.bin").contentBytes()).hasSize(LARGE + 1000);
        assertThat(get("/a.txt").contentText()).isEqualTo("hello, world");
    }

    @Test
    void servesASmallFileThatBecameEmpty() throws IOException {
        get("/a.txt");
        Files.writeString(root.resolve("a.txt"), "");
        anAgeLater();

        assertThat(get("/a.txt").responseHead().contentLength()).isZero();
        assertThat(get("/a.txt").complete()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/a.txt;x",
                "/a.txt;",
                "/a.txt.",
                "/a.txt..",
                "/a.txt%20",
                "/a.txt::$DATA",
                "/a.txt/.",
                "/a.txt/;x",
                "/docs./",
                "/docs%20/",
                "/docs;x/",
                "/docs...",
                "/~",
                "/*",
                "/%252e%252e/outside/index.html",
                "/con",
                "/\u00c0\u00ae\u00c0\u00ae"
            })
    void oddNamesLeadToNoFile(String path) {
        RecordingExchange x = get(path);

        assertThat(x.passed()).isTrue();
        assertThat(x.failure()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/a.txt%00",
                "/a.txt%00.html",
                "/docs%2findex.html",
                "/docs%2Findex.html",
                "/docs%5cindex.html",
                "/docs\\index.html",
                "/%2e%2e/outside/index.html",
                "/..%2foutside/index.html",
                "/docs/..;x/a.txt",
                "/..;x/a.txt",
                "/%c0%ae%c0%ae/outside/index.html",
                "/a%0atxt"
            })
    void ambiguousPathsNeverReachAFile(String path) {
        assertThatIllegalArgumentException().isThrownBy(() -> RecordingExchange.get(path));
    }

    @Test
    void namesThatAreTooLongLeadToNoFile() {
        for (String path :
                List.of(
                        "/" + "n".repeat(255),
                        "/" + "n".repeat(256),
                        "/docs/" + "n".repeat(256) + "/x",
                        "/docs/" + "%C3%A9".repeat(200),
                        "/d".repeat(3000),
                        "/docs/" + "n".repeat(4096),
                        "/a.txt/" + "n".repeat(256))) {
            RecordingExchange x = get(path);

            assertThat(x.passed()).as(path).isTrue();
            assertThat(x.failure()).as(path).isNull();
        }
    }

    @Test
    void cachesThatItMayNotReadAPath() {
        disk.deny("docs");

        for (String path : List.of("/docs", "/docs/", "/docs/index.html", "/docs/none")) {
            assertThat(get(path).status()).as(path).isEqualTo(403);
            assertThat(get(path).tasksRun()).as(path).isZero();
        }
        disk.deny("nothing");
        anAgeLater();
        assertThat(get("/docs/").contentText()).isEqualTo("<p>docs");
    }

    @Test
    void answersForbiddenIfItMayNotReadAnIndex() {
        disk.deny("index.html");

        assertThat(get("/docs/").status()).isEqualTo(403);
        assertThat(get("/docs").status()).isEqualTo(301);
    }

    /// RFC 9110 §9.3.2: HEAD has the fields of GET, except those that Range changes (§14.2).
    @ParameterizedTest
    @CsvSource({
        "/a.txt, 200, ",
        "/empty.txt, 200, ",
        "/large.bin, 200, ",
        "/docs, 301, ",
        "/denied.txt, 403, ",
        "/broken.txt, 503, ",
        "/a.txt, 304, If-None-Match: *",
        "/large.bin, 304, If-None-Match: *",
        "/a.txt, 412, If-Match: \"other\"",
        "/large.bin, 412, 'If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT'"
    })
    void headAnswersAsGetDoes(String path, int status, String field) throws IOException {
        Files.createFile(root.resolve("denied.txt"));
        Files.createFile(root.resolve("broken.txt"));
        disk.deny("denied.txt");
        disk.breakName("broken.txt");
        String[] fields = field == null ? new String[0] : new String[] {field};
        RecordingExchange get = RecordingExchange.get(path, fields).at(nanos).by(handler);
        RecordingExchange head = RecordingExchange.head(path, fields).at(nanos).by(handler);

        assertThat(get.status()).isEqualTo(status);
        assertThat(head.status()).isEqualTo(status);
        assertThat(text(head.responseHead().fields())).isEqualTo(text(get.responseHead().fields()));
        assertThat(head.responseHead().contentLength())
                .isEqualTo(get.responseHead().contentLength());
        assertThat(head.contentBytes()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "If-None-Match: *",
                "If-Match: \"x\"",
                "If-Modified-Since: Sat, 01 Jan 2094 00:00:00 GMT",
                "If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT",
                "Range: bytes=0-0"
            })
    void redirectIgnoresConditionsAndRanges(String field) {
        for (Method method : List.of(Method.GET, Method.HEAD)) {
            RecordingExchange x =
                    new RecordingExchange(method, "/docs", field).at(nanos).by(handler);
            assertThat(x.status()).isEqualTo(301);
            assertThat(x.answered(FieldName.LOCATION)).isEqualTo("/docs/");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "bytes=0-9,5-20 ; 206 ; bytes 0-20/200000",
                "bytes=0-9,10-20 ; 206 ; bytes 0-20/200000",
                "bytes=5-20,0-9,15-30 ; 200 ; ",
                "bytes=-10,199995- ; 206 ; bytes 199990-199999/200000",
                "bytes=200000- ; 416 ; bytes */200000"
            })
    void overlappingRangesOfAnOpenFileAreJoinedOrIgnored(String range, int status, String answered)
            throws IOException {
        for (int i = 0; i < 2; i++) { // cold, then cached
            RecordingExchange x =
                    RecordingExchange.get("/large.bin", "Range: " + range).at(nanos).by(handler);
            assertThat(x.status()).isEqualTo(status);
            assertThat(x.answered(FieldName.CONTENT_RANGE)).isEqualTo(answered);
            assertThat(status == 416 || x.complete()).isTrue();
        }
    }

    @Test
    void ifRangeAcceptsADateOnlyIfItIsAStrongValidator() throws IOException {
        String date = get("/large.bin").answered(FieldName.LAST_MODIFIED);
        String[] fields = {"Range: bytes=0-9", "If-Range: " + date};
        RecordingExchange settled =
                RecordingExchange.get("/large.bin", fields).at(nanos).by(handler);
        Instant changed = Rewrite.changed(root.resolve("large.bin"));
        FileHandler young =
                new FileHandler(root, FileOptions.DEFAULT, (InstantSource) () -> changed);
        RecordingExchange unsettled = RecordingExchange.get("/large.bin", fields).by(young);

        assertThat(settled.status()).isEqualTo(206);
        assertThat(unsettled.status()).isEqualTo(200);
    }

    private static byte[] filled(int length, char with) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) with);
        return bytes;
    }

    private static String text(Fields fields) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < fields.size(); i++) {
            text.append(fields.id(i)).append(": ").append(fields.value(i)).append('\n');
        }
        return text.toString();
    }

    private void anAgeLater() {
        nanos += SECONDS.toNanos(1);
    }

    private RecordingExchange get(String target) {
        return RecordingExchange.get(target).at(nanos).by(handler);
    }
}
