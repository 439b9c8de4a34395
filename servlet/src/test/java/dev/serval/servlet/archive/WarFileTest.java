package dev.serval.servlet.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.testkit.TempTree;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Unpacks archives of tools, and refuses archives made by hand that lie.
final class WarFileTest {
    private static final ArchiveLimits LIMITS =
            new ArchiveLimits(1 << 20, 10, 50_000, 20, 4096, 100, 5);

    private final TempTree tree = TempTree.create();

    @AfterEach
    void delete() {
        tree.close();
    }

    /// A fault made by hand, and words of the message that must name it.
    record Refused(String what, Consumer<ZipMaker> maker, String... words) {
        @Override
        public String toString() {
            return what;
        }
    }

    static List<Refused> refused() {
        return List.of(
                name("../x", "leads out"),
                name("a/../../x", "leads out"),
                name("a/..", "leads out"),
                name("/etc/x", "absolute"),
                name("C:/x", "absolute"),
                name("c:x", "absolute"),
                name("..\\x", "backslash"),
                name("a\\b", "backslash"),
                name("a//b", "empty segment"),
                name("./a", "empty segment"),
                name("a\0b", "control character", "\\u0000"),
                name("a\nb", "control character"),
                name("", "no name"),
                name("a/b/c/d/e/f", "depthMax"),
                name("x".repeat(101), "pathMaxBytes"),
                new Refused("twice", z -> twice(z, "a/b", "a/b"), "a/b", "twice"),
                new Refused("file and folder", z -> twice(z, "a/b", "a/b/c"), "a/b", "both"),
                new Refused("folder, then file", z -> twice(z, "a/b/", "a/b"), "a/b", "both"),
                entry("encrypted", e -> e.flags = 1, "encrypted"),
                entry("encrypted in the local header", e -> e.localFlags = 1, "disagrees"),
                entry("link", e -> e.mode = 0xa1ff, "symbolic link"),
                entry("other local name", e -> e.localName = "../file.txt", "disagrees"),
                entry("other local name of its length", e -> e.localName = "gile.txt", "disagrees"),
                entry("other local size", e -> e.localBytes++, "disagrees"),
                entry("other local CRC", e -> e.localCrc++, "disagrees"),
                entry("wrong CRC", e -> e.crc = e.localCrc = 7, "CRC-32"),
                entry("more than declared", e -> e.bytes = e.localBytes = 3, "more content"),
                entry("less than declared", e -> e.bytes = e.localBytes = 300, "damaged"),
                entry("bad data", e -> Arrays.fill(e.packed, (byte) 0xff), "damaged"),
                entry("longer data", e -> e.packed = Arrays.copyOf(e.packed, 60), "damaged"),
                entry("method", e -> e.method = 12, "method 12"),
                entry("position", e -> e.headAt = 1 << 20, "outside"),
                entry("stored sizes", e -> e.method = 0, "two sizes"),
                new Refused("same data twice", WarFileTest::overlap, "b", "shares bytes"),
                new Refused(
                        "folder with content",
                        z -> z.stored("a/", new byte[] {1}),
                        "a/",
                        "content"),
                new Refused("bomb by ratio", z -> z.add("zeros", new byte[60_000]), "ratioMax"),
                new Refused(
                        "bomb by size",
                        z -> z.add("noise", noise((1 << 20) + 1)),
                        "unpackedMaxBytes"),
                new Refused("bomb by number", z -> many(z, 21, ""), "entriesMax"),
                new Refused(
                        "large directory",
                        z -> many(z, 18, "x".repeat(90) + "/" + "y".repeat(200)),
                        "directoryMaxBytes"));
    }

    private static Refused name(String name, String... words) {
        return new Refused("name " + Fault.quoted(name), z -> z.add(name, "content"), words);
    }

    private static Refused entry(String what, Consumer<ZipMaker.Entry> lie, String word) {
        return new Refused(
                what, z -> lie.accept(z.add("file.txt", "content of the file")), "file.txt", word);
    }

    private static void twice(ZipMaker zip, String first, String second) {
        zip.add(first, first.endsWith("/") ? "" : "1");
        zip.add(second, "2");
    }

    private static void overlap(ZipMaker zip) {
        zip.add("a", "content");
        zip.add("b", "content").headAt = 0;
    }

    private static void many(ZipMaker zip, int count, String suffix) {
        for (int i = 0; i < count; i++) {
            zip.add("file" + i + suffix, "x");
        }
    }

    private static byte[] noise(int count) {
        byte[] bytes = new byte[count];
        new SplittableRandom(1).nextBytes(bytes);
        return bytes;
    }

    @ParameterizedTest
    @MethodSource("refused")
    @DisplayName("refuses")
    void refusesDangerousArchive(Refused refused) throws IOException {
        ZipMaker zip = new ZipMaker();
        zip.add("first.txt", "harmless");
        refused.maker.accept(zip);
        assertThatThrownBy(() -> unpack(zip.bytes()))
                .isExactlyInstanceOf(IOException.class)
                .message()
                .contains(tree.path("app.war").toString())
                .contains(refused.words);
        try (Stream<Path> files = Files.list(tree.root())) {
            assertThat(files.map(Path::getFileName).map(Path::toString))
                    .containsExactlyInAnyOrder("app.war", "target");
        }
    }

    @Test
    void refusesEveryTruncation() {
        ZipMaker zip = new ZipMaker();
        zip.add("a.txt", "some text");
        zip.stored("b.txt", noise(100));
        byte[] whole = zip.bytes();
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> unpack(cut)).isExactlyInstanceOf(IOException.class);
        }
    }

    @Test
    void refusesFlippedBitsOrUnpacksTheSame() throws IOException {
        ZipMaker zip = new ZipMaker();
        zip.add("a.txt", "some text, some text");
        byte[] whole = zip.bytes();
        for (int bit = 0; bit < whole.length * 8; bit++) {
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            try {
                Path target = unpack(flipped);
                try (Stream<Path> files = Files.list(target)) {
                    assertThat(files.toList()).as("bit " + bit).hasSize(1);
                }
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("app.war");
            }
        }
    }

    @Test
    void refusesWrongCount() {
        ZipMaker zip = new ZipMaker();
        zip.add("a", "x");
        assertThatThrownBy(() -> unpack(zip.bytes(2))).hasMessageContaining("names 2");
        assertThatThrownBy(() -> unpack(zip.bytes(0))).hasMessageContaining("names 0");
    }

    @Test
    void unpacksUpToTheLimits() throws IOException {
        ZipMaker zip = new ZipMaker();
        many(zip, 19, "");
        zip.add("a/b/c/d/e", "deep");
        assertThat(unpack(zip.bytes()).resolve("a/b/c/d/e")).hasContent("deep");
        ZipMaker large = new ZipMaker();
        large.stored("x".repeat(100), noise(1 << 20));
        assertThat(unpack(large.bytes()).resolve("x".repeat(100))).hasSize(1 << 20);
        ZipMaker zeros = new ZipMaker();
        zeros.add("zeros", new byte[50_000]);
        assertThat(unpack(zeros.bytes()).resolve("zeros")).hasSize(50_000);
    }

    @Test
    void allowsNamesThatDifferInCaseAndFoldersTwice() throws IOException {
        ZipMaker zip = new ZipMaker();
        zip.add("a/", "");
        zip.add("a/", "");
        zip.add("a/x", "small");
        zip.add("a/X", "large");
        zip.add("empty/", "");
        Path target = unpack(zip.bytes());
        assertThat(target.resolve("a/x")).hasContent("small");
        assertThat(target.resolve("a/X")).hasContent("large");
        assertThat(target.resolve("empty")).isDirectory();
    }

    @Test
    void acceptsFolderThatOldArchiversMarkAsSocket() throws IOException {
        ZipMaker zip = new ZipMaker();
        zip.add("a/", "").mode = 0xc1ed;
        zip.add("a/b", "content").mode = 0x81a4;
        assertThat(unpack(zip.bytes()).resolve("a/b")).hasContent("content");
    }

    @Test
    void acceptsPrefixAndComment() throws IOException {
        ZipMaker zip = new ZipMaker().prefix("#!/bin/sh\n").comment("made by hand");
        zip.add("a", "content");
        assertThat(unpack(zip.bytes()).resolve("a")).hasContent("content");
    }

    @Test
    void unpacksStreamedArchiveOfTheJdk() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] jar = noise(300_000);
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) { // sizes follow the data
            zip.putNextEntry(new ZipEntry("WEB-INF/"));
            zip.putNextEntry(new ZipEntry("WEB-INF/web.xml"));
            zip.write("<web-app/>".getBytes(StandardCharsets.UTF_8));
            zip.putNextEntry(new ZipEntry("WEB-INF/lib/ä.jar"));
            zip.write(jar);
            zip.putNextEntry(new ZipEntry("empty.txt"));
        }
        Path target = unpack(bytes.toByteArray());
        assertThat(target.resolve("WEB-INF/web.xml")).hasContent("<web-app/>");
        assertThat(target.resolve("WEB-INF/lib/ä.jar")).hasBinaryContent(jar);
        assertThat(target.resolve("empty.txt")).isEmptyFile();
    }

    @Test
    void unpacksLargeArchiveByThreads() throws IOException {
        ZipMaker zip = new ZipMaker();
        for (int i = 0; i < 30; i++) {
            zip.add("lib/" + i, TempTree.content("lib/" + i, 300_000));
        }
        Path war = tree.file("app.war", zip.bytes());
        Path target = tree.folder("target");
        WarFile.unpack(war, target, ArchiveLimits.DEFAULT);
        for (int i = 0; i < 30; i++) {
            assertThat(target.resolve("lib/" + i))
                    .hasBinaryContent(TempTree.content("lib/" + i, 300_000));
        }
    }

    @Test
    void namesTheEntryThatFailsInAThread() {
        ZipMaker zip = new ZipMaker();
        for (int i = 0; i < 30; i++) {
            ZipMaker.Entry entry = zip.add("lib/" + i, TempTree.content("lib/" + i, 300_000));
            if (i == 17) {
                entry.crc = entry.localCrc = 7;
            }
        }
        Path war = tree.file("app.war", zip.bytes());
        Path target = tree.folder("target");
        assertThatThrownBy(() -> WarFile.unpack(war, target, ArchiveLimits.DEFAULT))
                .isExactlyInstanceOf(IOException.class)
                .hasMessageContaining("\"lib/17\" is damaged");
    }

    @Test
    void unpacksZip64() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (int i = 0; i < 66_000; i++) { // above 65,535 the JDK writes ZIP64
                zip.putNextEntry(new ZipEntry("f" + i + "/"));
            }
            zip.putNextEntry(new ZipEntry("last"));
            zip.write(42);
        }
        Path war = tree.file("app.war", bytes.toByteArray());
        try (ZipArchive archive = ZipArchive.open(war, "app.war", ArchiveLimits.DEFAULT)) {
            assertThat(archive.entries()).hasSize(66_001);
            assertThat(archive.entries().getLast().name()).isEqualTo("last");
        }
    }

    private Path unpack(byte[] zip) throws IOException {
        Path war = tree.file("app.war", zip);
        Path target = tree.path("target");
        FolderTree.delete(target);
        Files.createDirectory(target);
        WarFile.unpack(war, target, LIMITS);
        return target;
    }
}
