package dev.serval.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.coding.Compression;
import dev.serval.handler.Handler.Maintenance;
import dev.serval.handler.RecordingExchange;
import dev.serval.http.FieldName;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests files that have compressed ones beside them, and those that are compressed in the cache
/// (RFC 9110 §12.5.3, §8.8.3, §13).
final class CodedFilesTest {
    private static final Instant DATE = Instant.parse("2026-01-01T10:00:00.25Z");
    private static final byte[] TEXT = "to be or not to be; ".repeat(150).getBytes(UTF_8);
    private static final byte[] LONG = "let us compress this; ".repeat(20_000).getBytes(UTF_8);
    private static final byte[] BR = "as if in brotli".getBytes(UTF_8);
    private static final byte[] ZSTD = ByteBuffer.allocate(20).putInt(0x28b52ffd).putInt(7).array();
    private static final String ALL = "Accept-Encoding: gzip, deflate, br, zstd";

    @TempDir private Path root;
    private FileHandler handler;
    private long now = 1_000_000_000_000L;

    @BeforeEach
    void makeSite() throws IOException {
        write("app.js", TEXT);
        write("app.js.br", BR);
        write("app.js.zst", ZSTD);
        write("app.js.gz", gzip(TEXT));
        write("page.html", TEXT);
        write("short.html", "short".getBytes(UTF_8));
        write("photo.png", TEXT);
        handler = handler(FileOptions.DEFAULT);
    }

    private FileHandler handler(FileOptions options) {
        return new FileHandler(root, options, LaterClock.LATER);
    }

    private void write(String name, byte[] content) throws IOException {
        Files.write(root.resolve(name), content);
        date(name, DATE);
    }

    private void date(String name, Instant date) throws IOException {
        Files.setLastModifiedTime(root.resolve(name), FileTime.from(date));
    }

    private static byte[] gzip(byte[] content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(content);
        }
        return bytes.toByteArray();
    }

    private static byte[] gunzip(byte[] content) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(content))) {
            return in.readAllBytes();
        }
    }

    private RecordingExchange get(String path, String... fields) {
        return RecordingExchange.get(path, fields).at(now).by(handler);
    }

    /// Asks for a file twice, runs the compression, and asks again.
    private RecordingExchange getCompressed(String path, String... fields) {
        get(path, "Accept-Encoding: gzip");
        RecordingExchange second = get(path, "Accept-Encoding: gzip");
        second.runMaintenance(now);
        return get(path, fields);
    }

    private static String coding(RecordingExchange x) {
        String coding = x.answered(FieldName.CONTENT_ENCODING);
        return coding == null ? "identity" : coding;
    }

    // Files beside a file

    @ParameterizedTest(name = "§12.5.3: {0} -> {1}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    gzip, deflate, br, zstd   | br
                    gzip, zstd                | zstd
                    gzip                      | gzip
                    deflate                   | identity
                    ''                        | identity
                    br;q=0.5, gzip            | gzip
                    br;q=0, *;q=0.1           | zstd
                    *                         | br
                    identity, gzip;q=0.5      | identity
                    identity, gzip            | gzip
                    gzip;q=0.1                | gzip
                    gzip;q=0                  | identity
                    identity;q=0              | identity
                    identity;q=0, zstd;q=0.1  | zstd
                    *;q=0                     | identity
                    """)
    void selectsByWeightThenLength(String accepted, String coding) {
        RecordingExchange x = get("/app.js", "Accept-Encoding: " + accepted);

        assertThat(x.status()).isEqualTo(200);
        assertThat(coding(x)).isEqualTo(coding);
        assertThat(x.complete()).isTrue();
        assertThat(x.answered(FieldName.VARY)).isEqualTo("Accept-Encoding");
        assertThat(x.answered(FieldName.CONTENT_TYPE)).isEqualTo("text/javascript; charset=utf-8");
    }

    @Test
    void sendsTheBytesOfTheFileBeside() throws IOException {
        assertThat(get("/app.js", ALL).contentBytes()).isEqualTo(BR);
        assertThat(get("/app.js", "Accept-Encoding: zstd").contentBytes()).isEqualTo(ZSTD);
        assertThat(gunzip(get("/app.js", "Accept-Encoding: gzip").contentBytes())).isEqualTo(TEXT);
        assertThat(get("/app.js").contentBytes()).isEqualTo(TEXT);
        assertThat(get("/app.js.br", ALL).contentBytes()).isEqualTo(BR);
        assertThat(coding(get("/app.js.br", ALL))).isEqualTo("identity");
        assertThat(get("/app.js.gz").answered(FieldName.CONTENT_TYPE))
                .isEqualTo("application/gzip");
    }

    @Test
    void eachCodingHasAnEntityTagOfItsOwn() {
        assertThat(
                        List.of(
                                tag(get("/app.js")),
                                tag(get("/app.js", "Accept-Encoding: gzip")),
                                tag(get("/app.js", "Accept-Encoding: zstd")),
                                tag(get("/app.js", ALL))))
                .doesNotHaveDuplicates()
                .allMatch(tag -> tag.startsWith("\""));
    }

    private static String tag(RecordingExchange x) {
        return String.valueOf(x.answered(FieldName.ETAG));
    }

    @Test
    void headAndNotModifiedAreThoseOfTheCoding() {
        RecordingExchange get = get("/app.js", ALL);
        RecordingExchange head = RecordingExchange.head("/app.js", ALL).at(now).by(handler);
        RecordingExchange same = get("/app.js", ALL, "If-None-Match: " + tag(get));

        assertThat(head.responseHead()).isSameAs(get.responseHead());
        assertThat(head.responseHead().contentLength()).isEqualTo(BR.length);
        assertThat(same.status()).isEqualTo(304);
        assertThat(tag(same)).isEqualTo(tag(get));
        assertThat(same.answered(FieldName.VARY)).isEqualTo("Accept-Encoding");
        assertThat(same.answered(FieldName.CONTENT_ENCODING)).isNull();
    }

    @Test
    void aClientKeepsTheRepresentationItHas() {
        String plain = tag(get("/app.js"));
        String gzip = tag(get("/app.js", "Accept-Encoding: gzip"));

        assertThat(get("/app.js", ALL, "If-None-Match: " + plain).status()).isEqualTo(304);
        assertThat(tag(get("/app.js", ALL, "If-None-Match: " + plain))).isEqualTo(plain);
        assertThat(tag(get("/app.js", ALL, "If-None-Match: " + gzip))).isEqualTo(gzip);
        assertThat(get("/app.js", ALL, "If-Match: " + gzip).contentBytes())
                .isEqualTo(get("/app.js", "Accept-Encoding: gzip").contentBytes());
        // One that it does not accept is not selected.
        assertThat(get("/app.js", "If-None-Match: " + gzip).status()).isEqualTo(200);
        assertThat(get("/app.js", "If-Match: " + gzip).status()).isEqualTo(412);
        assertThat(
                        get(
                                        "/app.js",
                                        "Accept-Encoding: br, identity;q=0",
                                        "If-None-Match: " + plain)
                                .status())
                .isEqualTo(200);
    }

    @Test
    void rangesAreThoseOfTheCoding() {
        RecordingExchange part = get("/app.js", ALL, "Range: bytes=3-6");
        assertThat(part.status()).isEqualTo(206);
        assertThat(part.contentBytes()).isEqualTo(Arrays.copyOfRange(BR, 3, 7));
        assertThat(part.answered(FieldName.CONTENT_RANGE)).isEqualTo("bytes 3-6/" + BR.length);
        assertThat(coding(part)).isEqualTo("br");
        assertThat(part.answered(FieldName.VARY)).isEqualTo("Accept-Encoding");

        String plain = tag(get("/app.js"));
        RecordingExchange rest = get("/app.js", ALL, "Range: bytes=3-6", "If-Range: " + plain);
        assertThat(rest.status()).isEqualTo(206);
        assertThat(rest.contentBytes()).isEqualTo(Arrays.copyOfRange(TEXT, 3, 7));
        assertThat(coding(rest)).isEqualTo("identity");
        RecordingExchange other = get("/app.js", ALL, "Range: bytes=3-6", "If-Range: \"none\"");
        assertThat(other.status()).isEqualTo(200);
        assertThat(other.contentBytes()).isEqualTo(BR);
        // §8.8.2.2: the date of several representations does not tell which one a client has.
        String date = String.valueOf(get("/app.js", ALL).answered(FieldName.LAST_MODIFIED));
        assertThat(get("/app.js", ALL, "Range: bytes=3-6", "If-Range: " + date).status())
                .isEqualTo(200);
    }

    /// A client would take the multipart content for content in the coding (§8.4).
    @Test
    void severalRangesOfACodingGiveAllOfIt() {
        RecordingExchange coded = get("/app.js", ALL, "Range: bytes=0-1,4-5");
        assertThat(coded.status()).isEqualTo(200);
        assertThat(coded.contentBytes()).isEqualTo(BR);
        assertThat(coding(coded)).isEqualTo("br");
        RecordingExchange plain = get("/app.js", "Range: bytes=0-1,4-5");
        assertThat(plain.status()).isEqualTo(206);
        assertThat(plain.answered(FieldName.CONTENT_TYPE)).startsWith("multipart/byteranges");
    }

    @Test
    void anOlderFileBesideIsNotUsed() throws IOException {
        date("app.js.br", DATE.minusSeconds(1));
        assertThat(coding(get("/app.js", ALL))).isEqualTo("zstd");
    }

    @Test
    void datesAreComparedInWholeSeconds() throws IOException {
        date("app.js.br", Instant.parse("2026-01-01T10:00:00Z"));
        assertThat(coding(get("/app.js", ALL))).isEqualTo("br");
    }

    @Test
    void aFileBesideThatIsBeingWrittenIsNotUsed() throws IOException {
        FileHandler present = new FileHandler(root, FileOptions.DEFAULT, InstantSource.system());
        RecordingExchange x = RecordingExchange.get("/app.js", ALL).by(present);
        assertThat(coding(x)).isEqualTo("identity");
        assertThat(x.contentBytes()).isEqualTo(TEXT);
    }

    @Test
    void brokenFilesBesideAreNotUsed() throws IOException {
        byte[] gzip = gzip(TEXT);
        write("app.js.gz", Arrays.copyOf(gzip, gzip.length - 1));
        write("app.js.zst", Arrays.copyOf(gzip, gzip.length));
        write("app.js.br", new byte[0]);
        assertThat(coding(get("/app.js", ALL))).isEqualTo("identity");
        write("page.html.gz", gzip(LONG)); // of another file
        assertThat(coding(get("/page.html", ALL))).isEqualTo("identity");
        write("short.html.br", TEXT); // longer than the file
        assertThat(coding(get("/short.html", ALL))).isEqualTo("identity");
    }

    @Test
    void obeysTheRulesOfFiles() throws IOException {
        Path outside = Files.createTempFile("outside", ".br");
        try {
            Files.write(outside, BR);
            Files.createSymbolicLink(root.resolve("page.html.br"), outside);
            assertThat(coding(get("/page.html", "Accept-Encoding: br"))).isEqualTo("identity");
        } finally {
            Files.delete(outside);
        }
        Files.createDirectory(root.resolve("short.html.gz"));
        assertThat(coding(get("/short.html", ALL))).isEqualTo("identity");
    }

    @Test
    void noticesFilesBesideThatComeAndGo() throws IOException {
        assertThat(coding(get("/app.js", ALL))).isEqualTo("br");
        Files.delete(root.resolve("app.js.br"));
        now += 2_000_000_000L;
        assertThat(coding(get("/app.js", ALL))).isEqualTo("zstd");
        write("app.js.br", Arrays.copyOf(BR, 10));
        now += 2_000_000_000L;
        assertThat(get("/app.js", ALL).contentBytes()).isEqualTo(Arrays.copyOf(BR, 10));
        write("app.js", "new".getBytes(UTF_8));
        date("app.js", DATE.plusSeconds(10));
        now += 2_000_000_000L;
        assertThat(get("/app.js", ALL).contentText()).isEqualTo("new");
    }

    @Test
    void filesOfAnyTypeMayHaveOnesBeside() throws IOException {
        write("photo.png.br", BR);
        assertThat(coding(get("/photo.png", ALL))).isEqualTo("br");
        assertThat(get("/photo.png").answered(FieldName.VARY)).isEqualTo("Accept-Encoding");
    }

    @Test
    void longFilesBesideAreSentFromTheDisk() throws IOException {
        write("long.js", LONG);
        byte[] br = Arrays.copyOf(LONG, 100_000);
        write("long.js.br", br);
        RecordingExchange x = get("/long.js", ALL);
        assertThat(coding(x)).isEqualTo("br");
        assertThat(x.contentBytes()).isEqualTo(br);
        assertThat(get("/long.js", ALL, "Range: bytes=50000-50009").contentBytes())
                .isEqualTo(Arrays.copyOfRange(br, 50_000, 50_010));
        assertThat(handler.cache().sizes()[1]).isEqualTo(1);
        handler.cache().closeFiles();
        assertThat(get("/long.js", ALL).contentBytes()).isEqualTo(br);
        assertThat(get("/long.js").contentBytes()).isEqualTo(LONG);
    }

    @Test
    void openFilesBesideCountAgainstTheLimit() throws IOException {
        handler = handler(FileOptions.DEFAULT.with(draft -> draft.openFilesMax = 4));
        for (int i = 0; i < 4; i++) {
            write(i + ".js", LONG);
            write(i + ".js.br", Arrays.copyOf(LONG, 100_000));
            get("/" + i + ".js", ALL);
        }
        assertThat(handler.cache().sizes()[1]).isEqualTo(2);
    }

    // Made in the cache

    @Test
    void compressesACachedFileOnceForLaterRequests() throws IOException {
        RecordingExchange first = get("/page.html", ALL);
        assertThat(coding(first)).isEqualTo("identity");
        assertThat(first.answered(FieldName.VARY)).isEqualTo("Accept-Encoding");
        RecordingExchange second = get("/page.html", ALL);
        assertThat(coding(second)).isEqualTo("identity");
        second.runMaintenance(now);

        RecordingExchange third = get("/page.html", ALL);
        assertThat(coding(third)).isEqualTo("gzip");
        assertThat(third.tasksRun()).isZero();
        assertThat(gunzip(third.contentBytes())).isEqualTo(TEXT);
        assertThat(third.responseHead().contentLength()).isLessThan(TEXT.length / 10);
        assertThat(tag(third)).startsWith("\"").isNotEqualTo(tag(first));
        assertThat(third.answered(FieldName.VARY)).isEqualTo("Accept-Encoding");
        assertThat(third.answered(FieldName.CONTENT_TYPE)).isEqualTo("text/html; charset=utf-8");
        assertThat(get("/page.html").contentBytes()).isEqualTo(TEXT);
        assertThat(get("/page.html", ALL, "If-None-Match: " + tag(first)).status()).isEqualTo(304);
    }

    @Test
    void compressesAFileThatIsSeldomAskedFor() throws IOException {
        get("/page.html", ALL);
        now += 2_000_000_000L; // the disk is looked at again
        RecordingExchange second = get("/page.html", ALL);
        assertThat(second.tasksRun()).isEqualTo(1);
        second.runMaintenance(now);
        assertThat(gunzip(get("/page.html", ALL).contentBytes())).isEqualTo(TEXT);
    }

    @Test
    void aFormOutlivesChecksOfTheDiskButNoChange() throws IOException {
        getCompressed("/page.html", ALL);
        now += 2_000_000_000L;
        RecordingExchange later = get("/page.html", ALL);
        assertThat(later.tasksRun()).isEqualTo(1);
        assertThat(coding(later)).isEqualTo("gzip");

        write("page.html", Arrays.copyOf(TEXT, 1500));
        now += 2_000_000_000L;
        assertThat(coding(get("/page.html", ALL))).isEqualTo("identity");
        get("/page.html", ALL).runMaintenance(now);
        assertThat(gunzip(get("/page.html", ALL).contentBytes()))
                .isEqualTo(Arrays.copyOf(TEXT, 1500));
    }

    @Test
    void compressesLongFilesToo() throws IOException {
        write("long.css", LONG);
        assertThat(get("/long.css").contentBytes()).isEqualTo(LONG);
        get("/long.css", ALL).runMaintenance(now);
        RecordingExchange x = get("/long.css", ALL);
        assertThat(coding(x)).isEqualTo("gzip");
        assertThat(gunzip(x.contentBytes())).isEqualTo(LONG);
        assertThat(get("/long.css").contentBytes()).isEqualTo(LONG);
        handler.cache().closeFiles();
        assertThat(coding(get("/long.css", ALL))).isEqualTo("identity");
    }

    @Test
    void aFileThatChangesMeanwhileIsNotCompressed() throws IOException {
        write("long.css", LONG);
        get("/long.css");
        RecordingExchange second = get("/long.css", ALL);
        write("long.css", Arrays.copyOf(LONG, LONG.length - 1));
        second.runMaintenance(now);
        assertThat(coding(get("/long.css", ALL))).isEqualTo("identity");
        assertThat(get("/long.css", ALL).contentBytes())
                .isEqualTo(Arrays.copyOf(LONG, LONG.length - 1));
    }

    @Test
    void aReplacedEntryIsNotBroughtBack() throws IOException {
        get("/page.html");
        RecordingExchange second = get("/page.html", ALL);
        write("page.html", Arrays.copyOf(TEXT, 1500));
        now += 2_000_000_000L;
        get("/page.html");
        second.runMaintenance(now);
        assertThat(get("/page.html", ALL).contentBytes()).isEqualTo(Arrays.copyOf(TEXT, 1500));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/short.html", "/photo.png", "/random.html"})
    void compressesOnlyWhatIsWorthIt(String path) throws IOException {
        byte[] random = new byte[2000];
        new Random(1).nextBytes(random);
        write("random.html", random);
        get(path, ALL);
        RecordingExchange second = get(path, ALL);
        if (second.maintenanceAtNanos() != Maintenance.NEVER) {
            second.runMaintenance(now);
        }
        assertThat(coding(get(path, ALL))).isEqualTo("identity");
        assertThat(get(path, ALL).maintenanceAtNanos()).isEqualTo(Maintenance.NEVER);
    }

    @Test
    void compressesOneFileAtATime() throws IOException {
        write("other.html", TEXT);
        get("/page.html");
        get("/other.html");
        RecordingExchange one = get("/page.html", ALL);
        assertThat(get("/other.html", ALL).maintenanceAtNanos()).isEqualTo(Maintenance.NEVER);
        one.runMaintenance(now);
        get("/other.html", ALL).runMaintenance(now);
        assertThat(coding(get("/other.html", ALL))).isEqualTo("gzip");
    }

    @Test
    void workThatNeverRunsIsGivenUp() throws IOException {
        write("other.html", TEXT);
        get("/page.html");
        get("/page.html", ALL); // its server stops
        now += 61_000_000_000L;
        get("/other.html");
        get("/other.html", ALL).runMaintenance(now);
        assertThat(coding(get("/other.html", ALL))).isEqualTo("gzip");
    }

    @Test
    void clientsThatAcceptNoGzipStartNothing() {
        get("/page.html", "Accept-Encoding: br");
        assertThat(get("/page.html", "Accept-Encoding: br").maintenanceAtNanos())
                .isEqualTo(Maintenance.NEVER);
    }

    @Test
    void formsCountAgainstTheBytesOfTheCache() throws IOException {
        write("long.css", LONG);
        get("/long.css");
        long before = handler.cache().bytes();
        get("/long.css", ALL).runMaintenance(now);
        long length = get("/long.css", ALL).responseHead().contentLength();
        assertThat(handler.cache().bytes() - before).isBetween(length, length + 2048);
        // The ring of open files has a quarter of the bytes, and a form a sixteenth of these.
        handler =
                handler(
                        FileOptions.DEFAULT.with(draft -> {
                            draft.smallMaxBytes = 1024;
                            draft.cacheMaxBytes = 64 * (length - 1);
                        }));
        assertThat(coding(getCompressed("/long.css", ALL))).isEqualTo("identity");
    }

    @ParameterizedTest
    @CsvSource({"OFF, identity, identity", "PRECOMPRESSED, br, identity", "FILES, br, gzip"})
    void doesWhatItsScopeSays(Compression.Scope scope, String beside, String made) {
        handler =
                handler(
                        FileOptions.DEFAULT.with(draft ->
                                draft.compression =
                                        Compression.DEFAULT.with(own -> own.scope = scope)));
        assertThat(coding(get("/app.js", ALL))).isEqualTo(beside);
        get("/page.html", ALL);
        RecordingExchange second = get("/page.html", ALL);
        if (made.equals("gzip")) {
            second.runMaintenance(now);
        }
        RecordingExchange third = get("/page.html", ALL);
        assertThat(coding(third)).isEqualTo(made);
        assertThat(third.answered(FieldName.VARY) != null).isEqualTo(made.equals("gzip"));
    }
}
