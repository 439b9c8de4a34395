package dev.serval.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.serval.handler.RecordingExchange;
import dev.serval.http.FieldName;
import dev.serval.http.Method;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FileHandlerTest {
    @TempDir private Path folder;
    private Path root;
    private FileHandler handler;

    @BeforeEach
    void makeSite() throws IOException {
        root = Files.createDirectory(folder.resolve("site"));
        Files.writeString(root.resolve("index.html"), "<p>home");
        Files.writeString(root.resolve("a.txt"), "hello");
        Files.createFile(root.resolve("empty.css"));
        Files.createDirectories(root.resolve("docs/deep"));
        Files.writeString(root.resolve("docs/index.html"), "<p>docs");
        handler = new FileHandler(root, FileOptions.DEFAULT, LaterClock.LATER);
    }

    @Test
    void servesAFileWithItsValidators() throws IOException {
        Files.setLastModifiedTime(
                root.resolve("a.txt"), FileTime.from(Instant.parse("1994-11-06T08:49:37.5Z")));

        RecordingExchange x = get("/a.txt");

        assertThat(x.status()).isEqualTo(200);
        assertThat(x.contentText()).isEqualTo("hello");
        assertThat(x.complete()).isTrue();
        assertThat(x.answered(FieldName.CONTENT_TYPE)).isEqualTo("text/plain; charset=utf-8");
        assertThat(x.answered(FieldName.LAST_MODIFIED)).isEqualTo("Sun, 06 Nov 1994 08:49:37 GMT");
        assertThat(x.answered(FieldName.ETAG)).matches("\"[A-Za-z0-9_-]{16}\"");
        assertThat(x.answered(FieldName.ACCEPT_RANGES)).isEqualTo("bytes");
        assertThat(x.answered(FieldName.X_CONTENT_TYPE_OPTIONS)).isEqualTo("nosniff");
        assertThat(x.responseHead().fields().contains(FieldName.SERVER)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"'', text/plain", "iso-8859-1, text/plain; charset=iso-8859-1"})
    void sendsTextWithTheCharsetOfItsOptions(String charset, String type) {
        FileHandler other =
                FileHandler.of(
                        root, FileOptions.DEFAULT.with(draft -> draft.textCharset = charset));
        RecordingExchange x = RecordingExchange.get("/a.txt").by(other);
        assertThat(x.answered(FieldName.CONTENT_TYPE)).isEqualTo(type);
    }

    @ParameterizedTest
    @ValueSource(strings = {"utf 8", "utf-8; x", "utf-8\r\nA: b", "\u00e4"})
    void refusesACharsetThatIsNoName(String charset) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FileOptions.DEFAULT.with(draft -> draft.textCharset = charset))
                .withMessageContaining("textCharset must be the name of a charset");
    }

    @Test
    void answersTheSecondRequestFromTheCache() {
        get("/a.txt");

        assertThat(get("/a.txt").tasksRun()).isZero();
        assertThat(get("/a.txt").contentText()).isEqualTo("hello");
    }

    @Test
    void givesHeadTheHeadOfGet() {
        RecordingExchange get = get("/a.txt");
        RecordingExchange head = RecordingExchange.head("/a.txt").by(handler);

        assertThat(head.responseHead()).isSameAs(get.responseHead());
        assertThat(head.contentBytes()).isEmpty();
        assertThat(head.complete()).isTrue();
    }

    @Test
    void servesAnEmptyFile() {
        RecordingExchange x = get("/empty.css");

        assertThat(x.status()).isEqualTo(200);
        assertThat(x.responseHead().contentLength()).isZero();
        assertThat(x.complete()).isTrue();
    }

    @Test
    void servesALargeFileAsRegionsAndInRanges() throws IOException {
        byte[] large = new byte[3_000_000];
        for (int i = 0; i < large.length; i++) {
            large[i] = (byte) (i * 31 + (i >> 8));
        }
        Files.write(root.resolve("large.bin"), large);

        assertThat(get("/large.bin").contentBytes()).isEqualTo(large);
        assertThat(get("/large.bin").contentBytes()).isEqualTo(large);
        RecordingExchange range =
                RecordingExchange.get("/large.bin", "Range: bytes=1000000-2500000").by(handler);
        assertThat(range.contentBytes()).isEqualTo(Arrays.copyOfRange(large, 1_000_000, 2_500_001));
        assertThat(range.complete()).isTrue();
        RecordingExchange several =
                RecordingExchange.get("/large.bin", "Range: bytes=0-9,2000000-").by(handler);
        assertThat(several.status()).isEqualTo(206);
        assertThat(several.complete()).isTrue();
    }

    @Test
    void servesNamesBeyondAscii() throws IOException {
        Path name = root.resolve("pâté 100%.txt");
        Files.writeString(name, "x");

        assertThat(get("/p%C3%A2t%C3%A9%20100%25.txt").contentText()).isEqualTo("x");
    }

    @ParameterizedTest
    @CsvSource({"/, <p>home", "/docs/, <p>docs", "/docs/deep/, ''", "/docs/index.html, <p>docs"})
    void answersFoldersWithTheirIndex(String path, String content) {
        RecordingExchange x = get(path);

        assertThat(x.passed()).isEqualTo(content.isEmpty());
        assertThat(x.contentText()).isEqualTo(content);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/none",
                "/a.txt/",
                "/a.txt/b",
                "/none/",
                "/docs/none/x",
                "/index.html/index.html",
                "/.git/config",
                "/WEB-INF/web.xml",
                "/x.jsp;a",
                "/a%C2%A0.txt",
                "/A.TXT"
            })
    void passesOnMissingAndHiddenPaths(String path) {
        RecordingExchange x = get(path);

        assertThat(x.passed()).isTrue();
        assertThat(x.failure()).isNull();
        assertThat(get(path).passed()).isTrue();
    }

    @Test
    void passesOnNamesThatAreTooLongForAFileSystem() {
        assertThat(get("/" + "x".repeat(5000)).passed()).isTrue();
        assertThat(get("/x".repeat(3000)).passed()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "/, /docs, /docs/",
        "/, /docs?a=b&c=%2F%0A, /docs/?a=b&c=%2F%0A",
        "/, /docs?, /docs/?",
        "/, //docs, /docs/",
        "/, /%64ocs, /docs/",
        "/, /docs/deep, /docs/deep/",
        "/x, /x, /x/",
        "/x, /x/docs, /x/docs/",
        "/s%20p/é, /s%20p/%C3%A9, /s%20p/%C3%A9/"
    })
    void redirectsToTheFoldersOwnPath(String mount, String target, String location) {
        RecordingExchange x = RecordingExchange.get(target);
        x.below(mount.equals("/s%20p/é") ? "/s p/é" : mount).by(handler);

        assertThat(x.status()).isEqualTo(301);
        assertThat(x.answered(FieldName.LOCATION)).isEqualTo(location);
        assertThat(x.complete()).isTrue();
    }

    @Test
    void encodesAmbiguousCharactersInARedirect() throws IOException {
        Files.createDirectory(root.resolve("a?b#c%d;e\"<>ü"));

        assertThat(get("/a%3Fb%23c%25d;e%22%3C%3E%C3%BC").answered(FieldName.LOCATION))
                .isEqualTo("/a%3Fb%23c%25d%3Be%22%3C%3E%C3%BC/");
    }

    @ParameterizedTest
    @EnumSource(
            value = Method.class,
            names = {"POST", "PUT", "DELETE", "PATCH", "TRACE"})
    void refusesOtherMethodsIfThereIsAFile(Method method) {
        for (String path : List.of("/a.txt", "/docs", "/docs/")) {
            RecordingExchange x = new RecordingExchange(method, path).by(handler);

            assertThat(x.status()).isEqualTo(405);
            assertThat(x.answered(FieldName.ALLOW)).isEqualTo("GET, HEAD, OPTIONS");
        }
        assertThat(new RecordingExchange(method, "/none").by(handler).passed()).isTrue();
    }

    @Test
    void answersOptions() {
        RecordingExchange x = new RecordingExchange(Method.OPTIONS, "/a.txt").by(handler);

        assertThat(x.status()).isEqualTo(204);
        assertThat(x.answered(FieldName.ALLOW)).isEqualTo("GET, HEAD, OPTIONS");
        assertThat(x.complete()).isTrue();
    }

    @Test
    void neverOpensAFifo() throws IOException, InterruptedException {
        Path fifo = root.resolve("fifo.txt");
        Process mkfifo = new ProcessBuilder("mkfifo", fifo.toString()).start();
        assumeTrue(mkfifo.waitFor() == 0, "needs mkfifo (Debian package coreutils)");

        assertThat(get("/fifo.txt").passed()).isTrue();
        Files.createSymbolicLink(root.resolve("link.txt"), fifo);
        assertThat(get("/link.txt").passed()).isTrue();
        Files.createSymbolicLink(root.resolve("zero.txt"), Path.of("/dev/zero"));
        FileHandler open =
                FileHandler.of(root, FileOptions.DEFAULT.with(draft -> draft.links = Links.FOLLOW));
        assertThat(RecordingExchange.get("/zero.txt").by(open).passed()).isTrue();
    }

    @Test
    void followsLinksWithinTheRootOnly() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret.txt"), "secret");
        Files.writeString(Files.createDirectory(folder.resolve("site2")).resolve("b"), "b");
        Files.createSymbolicLink(root.resolve("in.txt"), Path.of("a.txt"));
        Files.createSymbolicLink(root.resolve("out.txt"), secret);
        Files.createSymbolicLink(root.resolve("up"), folder);
        Files.createSymbolicLink(root.resolve("sibling"), folder.resolve("site2"));
        Files.createSymbolicLink(root.resolve("circle"), Path.of("circle"));

        assertThat(get("/in.txt").contentText()).isEqualTo("hello");
        for (String path :
                List.of("/out.txt", "/up", "/up/", "/up/secret.txt", "/sibling/b", "/circle")) {
            assertThat(get(path).passed()).as(path).isTrue();
        }
        FileHandler open =
                FileHandler.of(root, FileOptions.DEFAULT.with(draft -> draft.links = Links.FOLLOW));
        assertThat(RecordingExchange.get("/out.txt").by(open).contentText()).isEqualTo("secret");
        assertThat(RecordingExchange.get("/sibling/b").by(open).contentText()).isEqualTo("b");
    }

    @Test
    void servesLinksThroughFoldersWithDotsButNotToHiddenNames() throws IOException {
        Files.createDirectory(root.resolve("..2026"));
        Files.writeString(root.resolve("..2026/c.txt"), "c");
        Files.createSymbolicLink(root.resolve("c.txt"), Path.of("..2026/c.txt"));
        Files.createDirectory(root.resolve("WEB-INF"));
        Files.writeString(root.resolve("WEB-INF/web.xml"), "secret");
        Files.writeString(root.resolve("page.jsp"), "secret");
        Files.createSymbolicLink(root.resolve("w.xml"), Path.of("WEB-INF/web.xml"));
        Files.createSymbolicLink(root.resolve("p.txt"), Path.of("page.jsp"));

        assertThat(get("/c.txt").contentText()).isEqualTo("c");
        assertThat(get("/w.xml").passed()).isTrue();
        assertThat(get("/p.txt").passed()).isTrue();
        assertThat(get("/page.jsp").passed()).isTrue();
    }

    @Test
    void servesWellKnownFiles() throws IOException {
        Files.createDirectories(root.resolve(".well-known/acme-challenge"));
        Files.writeString(root.resolve(".well-known/acme-challenge/t"), "t");

        assertThat(get("/.well-known/acme-challenge/t").contentText()).isEqualTo("t");
    }

    @Test
    void followsARootWhoseLinkIsReplaced() throws IOException {
        Path other = Files.createDirectory(folder.resolve("release2"));
        Files.writeString(other.resolve("a.txt"), "release 2");
        Path current = folder.resolve("current");
        Files.createSymbolicLink(current, root);
        FileHandler linked = FileHandler.of(current, FileOptions.DEFAULT);
        assertThat(RecordingExchange.get("/a.txt").by(linked).contentText()).isEqualTo("hello");

        Files.delete(current);
        Files.createSymbolicLink(current, other);

        RecordingExchange later = RecordingExchange.get("/a.txt").at(9_000_000_000_000L);
        assertThat(later.by(linked).contentText()).isEqualTo("release 2");
    }

    @Test
    void answersForbiddenIfItMayNotRead() throws IOException {
        Path closed = Files.writeString(root.resolve("closed.txt"), "x");
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
        assumeTrue(!Files.isReadable(closed), "needs a user other than root");

        assertThat(get("/closed.txt").status()).isEqualTo(403);
        assertThat(get("/closed.txt").status()).isEqualTo(403);
    }

    @Test
    void servesASingleFileAtTheMountItself() {
        FileHandler single = FileHandler.of(root.resolve("a.txt"), FileOptions.DEFAULT);

        assertThat(RecordingExchange.get("/x").below("/x").by(single).contentText())
                .isEqualTo("hello");
        assertThat(RecordingExchange.get("/").by(single).contentText()).isEqualTo("hello");
        assertThat(RecordingExchange.get("/x/").below("/x").by(single).passed()).isTrue();
        assertThat(RecordingExchange.get("/x/a.txt").below("/x").by(single).passed()).isTrue();
        assertThat(RecordingExchange.get("/a.txt").by(single).passed()).isTrue();
    }

    @Test
    void neverServesJspSourceAsASingleFile() throws IOException {
        Path page = Files.writeString(root.resolve("page.jsp"), "secret");
        FileHandler single = FileHandler.of(page, FileOptions.DEFAULT);

        assertThat(RecordingExchange.get("/x").below("/x").by(single).passed()).isTrue();
    }

    @Test
    void refusesARootThatIsNoFileAndNoFolder() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FileHandler.of(root.resolve("none"), FileOptions.DEFAULT))
                .withMessageContaining("There is no file or folder " + root.resolve("none"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FileHandler.of(Path.of("/dev/null"), FileOptions.DEFAULT))
                .withMessageContaining("neither a folder nor a regular file");
    }

    @Test
    void refusesInvalidOptions() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> FileOptions.DEFAULT.with(draft -> draft.indexNames = List.of("a/b")));
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        FileOptions.DEFAULT.with(draft -> {
                            draft.cacheMaxBytes = 1 << 20;
                            draft.entriesMax = 8;
                            draft.smallMaxBytes = 1 << 20;
                        }));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FileOptions.DEFAULT.with(draft -> draft.revalidateNanos = -1));
    }

    private RecordingExchange get(String target) {
        return RecordingExchange.get(target).by(handler);
    }
}
