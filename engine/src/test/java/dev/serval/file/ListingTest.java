package dev.serval.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.RecordingExchange;
import dev.serval.http.FieldName;
import dev.serval.http.PathPatterns;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ListingTest {
    private static final FileOptions LISTING =
            FileOptions.DEFAULT.with(draft -> {
                draft.listing = true;
                draft.denied = PathPatterns.of(List.of("*.inc", "/secret/**"));
            });

    @TempDir private Path folder;
    private Path root;

    @BeforeEach
    void makeSite() throws IOException {
        root = Files.createDirectories(folder.resolve("site"));
        Files.createDirectories(root.resolve("docs/zebra"));
        Files.createDirectories(root.resolve("docs/Alpha"));
        Files.createDirectories(root.resolve("docs/secret"));
        Files.createDirectories(root.resolve("secret"));
        Files.createDirectories(root.resolve("docs/WEB-INF"));
        Files.writeString(root.resolve("docs/b.txt"), "12345");
        Files.writeString(root.resolve("docs/A.txt"), "1");
        Files.write(root.resolve("docs/c.bin"), new byte[1_600]);
        Files.writeString(root.resolve("docs/<i>&\".txt"), "1");
        Files.writeString(root.resolve("docs/javascript:x"), "1");
        Files.writeString(root.resolve("docs/.hidden"), "1");
        Files.writeString(root.resolve("docs/page.jsp"), "1");
        Files.writeString(root.resolve("docs/x.inc"), "1");
        Files.writeString(folder.resolve("out.txt"), "1");
        Files.createSymbolicLink(root.resolve("docs/out.txt"), folder.resolve("out.txt"));
    }

    private RecordingExchange get(String path, FileOptions options) {
        return RecordingExchange.get(path).by(new FileHandler(root, options, LaterClock.LATER));
    }

    private static String text(RecordingExchange x) {
        return new String(x.contentBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void listsFoldersThenFilesByName() {
        RecordingExchange x = get("/docs/", LISTING);

        assertThat(x.status()).isEqualTo(200);
        assertThat(x.complete()).isTrue();
        assertThat(x.answered(FieldName.CONTENT_TYPE)).isEqualTo("text/html; charset=utf-8");
        assertThat(x.answered(FieldName.LAST_MODIFIED)).isNull();
        assertThat(text(x))
                .containsSubsequence(
                        "<title>docs</title>",
                        "<a href=\"../\">../</a>",
                        "<a href=\"./Alpha/\">Alpha/</a>",
                        "<a href=\"./secret/\">secret/</a>",
                        "<a href=\"./zebra/\">zebra/</a>",
                        "<a href=\"./%3Ci%3E&amp;%22.txt\">&lt;i&gt;&amp;&quot;.txt</a>",
                        "<a href=\"./A.txt\">A.txt</a> <small>1 B</small>",
                        "<a href=\"./b.txt\">b.txt</a> <small>5 B</small>",
                        "<a href=\"./c.bin\">c.bin</a> <small>1.6 KiB</small>",
                        "<a href=\"./javascript:x\">javascript:x</a>");
    }

    @Test
    void leavesOutWhatIsNotServed() {
        assertThat(text(get("/docs/", LISTING)))
                .doesNotContain(".hidden", "page.jsp", "x.inc", "WEB-INF", "out.txt");
        assertThat(text(get("/", LISTING))).contains("./docs/").doesNotContain("secret", "../");
    }

    @Test
    void leavesOutNamesThatNoRequestCanHave() throws IOException {
        Files.writeString(root.resolve("docs/back\\slash"), "1");
        Files.writeString(root.resolve("docs/line\nend"), "1");
        Files.writeString(root.resolve("docs/delete\u007f"), "1");
        assertThat(text(get("/docs/", LISTING)))
                .contains("b.txt")
                .doesNotContain("slash", "end</a>", "delete");
    }

    @Test
    void listsOnlyIfAskedAndWithoutAnIndex() throws IOException {
        assertThat(get("/docs/", FileOptions.DEFAULT).passed()).isTrue();
        assertThat(get("/docs", LISTING).status()).isEqualTo(301);
        Files.writeString(root.resolve("docs/index.html"), "<p>index");
        assertThat(text(get("/docs/", LISTING))).isEqualTo("<p>index");
    }

    @Test
    void deniedFileIsNoIndex() throws IOException {
        FileOptions options =
                FileOptions.DEFAULT.with(draft -> {
                    draft.indexNames = List.of("x.inc", "b.txt");
                    draft.denied = PathPatterns.of(List.of("*.inc", "/docs/zebra/b.txt"));
                });
        Files.writeString(root.resolve("docs/zebra/b.txt"), "1");
        assertThat(text(get("/docs/", options))).isEqualTo("12345");
        assertThat(get("/docs/zebra/", options).passed()).isTrue();
    }

    /// A name on the disk may have bytes that are no text in the encoding of this process.
    @Test
    void leavesOutANameThatCannotBeAPath() {
        FaultyDisk disk = new FaultyDisk();
        disk.refuseName("b.txt");
        FileHandler handler = new FileHandler(disk.on(root), LISTING, LaterClock.LATER);
        RecordingExchange x = RecordingExchange.get("/docs/").by(handler);
        assertThat(x.status()).isEqualTo(200);
        assertThat(text(x)).contains("./A.txt", "./c.bin").doesNotContain("b.txt");
    }

    /// Its page may use the query as it likes. Each view of a list would be looked up on the disk.
    @Test
    void folderWithAnIndexHasNoViews() throws IOException {
        Files.writeString(root.resolve("docs/index.html"), "index");
        FileHandler handler = new FileHandler(root, LISTING, LaterClock.LATER);
        assertThat(text(RecordingExchange.get("/docs/?after=1").by(handler))).isEqualTo("index");

        for (int i = 0; i < 5; i++) {
            RecordingExchange x = RecordingExchange.get("/docs/?after=a" + i).holdTasks();
            assertThat(text(x.by(handler))).isEqualTo("index");
            assertThat(x.tasksRun()).isZero();
        }
        assertThat(handler.cache().sizes()).containsExactly(1, 0, 0);
    }

    /// Each fault would cost one of the few permits for good.
    @Test
    void laterPageThatFailsGivesBackItsPermit() {
        FaultyDisk disk = new FaultyDisk();
        FileHandler handler = new FileHandler(disk.on(root), LISTING, LaterClock.LATER);
        disk.refuseName("index.html");
        for (int i = 0; i < 3; i++) {
            RecordingExchange x = RecordingExchange.get("/docs/?after=a" + i).by(handler);
            assertThat(x.status()).isEqualTo(500);
        }
        disk.refuseName(null);
        assertThat(RecordingExchange.get("/docs/?after=b").by(handler).status()).isEqualTo(200);
    }

    @Test
    void showsAChangeAfterTheAgeOfTheCache() throws IOException {
        FileHandler handler = new FileHandler(root, LISTING, LaterClock.LATER);
        RecordingExchange.get("/docs/").by(handler);
        RecordingExchange again = RecordingExchange.get("/docs/").by(handler);
        assertThat(again.tasksRun()).isZero();
        assertThat(
                        RecordingExchange.get(
                                        "/docs/",
                                        "If-None-Match: " + again.answered(FieldName.ETAG))
                                .by(handler)
                                .status())
                .isEqualTo(304);
        Files.writeString(root.resolve("docs/new.txt"), "1");
        RecordingExchange later =
                RecordingExchange.get("/docs/").at(9_000_000_000_000L).by(handler);
        assertThat(text(later)).contains("new.txt");
    }
}
