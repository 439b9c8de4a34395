package dev.serval.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.RecordingExchange;
import dev.serval.http.FieldName;
import dev.serval.listing.NameWindow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests a folder of 100,000 files: every one is found, the caches keep their limits, and its list has
/// pages.
@Tag("long")
final class LargeFolderTest {
    private static final int FILES = 100_000;
    private static final Pattern NEXT = Pattern.compile("<a href=\"(\\?after=[^\"]+)\">Next page");

    @TempDir private static Path root;

    private final FileHandler handler =
            new FileHandler(
                    root,
                    FileOptions.DEFAULT.with(draft -> draft.listing = true),
                    LaterClock.LATER);

    @BeforeAll
    static void makeFiles() throws IOException {
        Files.createDirectory(root.resolve("many"));
        for (int i = 0; i < FILES; i++) {
            Files.createFile(root.resolve("many").resolve("%06d.txt".formatted(i)));
        }
    }

    @Test
    void cachesKeepTheirLimits() {
        for (int i = 0; i < FILES; i += 3) {
            String path = "/many/%06d.txt".formatted(i);
            assertThat(RecordingExchange.get(path).by(handler).status()).as(path).isEqualTo(200);
        }
        for (int i = 0; i < 5_000; i++) {
            assertThat(RecordingExchange.get("/many/none" + i).by(handler).passed()).isTrue();
        }
        int[] sizes = handler.cache().sizes();
        assertThat(sizes[0]).isEqualTo(FileOptions.DEFAULT.entriesMax());
        assertThat(sizes[2]).isEqualTo(FileOptions.DEFAULT.entriesMax() / 8);
        assertThat(handler.cache().bytes())
                .isLessThanOrEqualTo(FileOptions.DEFAULT.cacheMaxBytes());
    }

    @Test
    void theListHasPages() {
        String query = "";
        int names = 0;
        for (int i = 0; i < FILES / NameWindow.NAMES_MAX; i += 25) {
            RecordingExchange x = RecordingExchange.get("/many/" + query).by(handler);
            String page = new String(x.contentBytes(), StandardCharsets.UTF_8);
            assertThat(page).contains("%06d.txt".formatted(names)).doesNotContain("Sort by");
            names += NameWindow.NAMES_MAX;
            assertThat(page).doesNotContain("%06d.txt".formatted(names));
            Matcher next = NEXT.matcher(page);
            assertThat(next.find()).isTrue();
            query = next.group(1);
            assertThat(query).isEqualTo("?after=%06d.txt".formatted(names - 1));
        }
        RecordingExchange last = RecordingExchange.get("/many/?after=099000.txt").by(handler);
        assertThat(new String(last.contentBytes(), StandardCharsets.UTF_8))
                .contains("099999.txt", "First page")
                .doesNotContain("Next page");
    }

    @Test
    void laterPagesEvictOnlyMissingPaths() {
        RecordingExchange.get("/many/000001.txt").by(handler);
        for (int i = 0; i < 30; i++) {
            RecordingExchange.get("/many/?after=x" + i).by(handler);
        }
        assertThat(handler.cache().sizes()[0]).isEqualTo(1);
        assertThat(handler.cache().sizes()[2]).isLessThanOrEqualTo(30);
    }

    @Test
    void fewLaterPagesAreMadeAtATime() {
        RecordingExchange one = RecordingExchange.get("/many/?after=1").holdTasks().by(handler);
        RecordingExchange two = RecordingExchange.get("/many/?after=2").holdTasks().by(handler);
        RecordingExchange three = RecordingExchange.get("/many/?after=3").holdTasks().by(handler);
        assertThat(three.status()).isEqualTo(503);
        assertThat(three.answered(FieldName.RETRY_AFTER)).isEqualTo("1");
        assertThat(one.runTask().status()).isEqualTo(200);
        RecordingExchange again = RecordingExchange.get("/many/?after=3").by(handler);
        assertThat(again.status()).isEqualTo(200);
        assertThat(two.runTask().status()).isEqualTo(200);
    }

    @Test
    void aListIsSentCompressed() {
        RecordingExchange plain = RecordingExchange.get("/many/").by(handler);
        RecordingExchange gzip =
                RecordingExchange.get("/many/", "Accept-Encoding: gzip").by(handler);
        assertThat(gzip.answered(FieldName.CONTENT_ENCODING)).isEqualTo("gzip");
        assertThat(gzip.tasksRun()).isZero();
        assertThat(gzip.responseHead().contentLength())
                .isLessThan(plain.responseHead().contentLength() / 5);
        assertThat(plain.answered(FieldName.VARY)).isEqualTo("Accept-Encoding");
    }
}
