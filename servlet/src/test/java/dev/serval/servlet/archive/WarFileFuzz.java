package dev.serval.servlet.archive;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.serval.testkit.TempTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Any bytes as an archive: it is unpacked into its folder within the limits, or refused by an
/// IOException that names it. Nothing is written beside the folder.
final class WarFileFuzz {
    private static final ArchiveLimits LIMITS =
            new ArchiveLimits(1 << 16, 10, 1 << 14, 20, 4096, 100, 8);

    @FuzzTest(maxDuration = "20s")
    void anyBytes(byte[] bytes) throws IOException {
        unpack(bytes);
    }

    @FuzzTest(maxDuration = "20s")
    void entries(FuzzedDataProvider data) throws IOException {
        ZipMaker zip = new ZipMaker();
        int count = data.consumeInt(0, 6);
        for (int i = 0; i < count; i++) {
            String name = data.consumeAsciiString(20);
            ZipMaker.Entry entry = zip.add(name, data.consumeBytes(50));
            if (data.consumeBoolean()) {
                entry.mode = data.consumeShort();
                entry.flags = data.consumeShort();
                entry.localFlags = data.consumeShort();
                entry.bytes = data.consumeInt();
                entry.headAt = data.consumeInt(-1, 100);
                entry.localName = data.consumeAsciiString(20);
            }
        }
        unpack(zip.bytes());
    }

    private static void unpack(byte[] bytes) throws IOException {
        try (TempTree tree = TempTree.create()) {
            Path war = tree.file("in/app.war", bytes);
            Path target = tree.folder("in/target");
            try {
                WarFile.unpack(war, target, LIMITS);
            } catch (IOException e) {
                assertThat(e)
                        .isExactlyInstanceOf(IOException.class)
                        .hasMessageContaining("app.war");
            }
            checkTree(tree, target);
        }
    }

    private static void checkTree(TempTree tree, Path target) throws IOException {
        try (Stream<Path> all = Files.walk(tree.root())) {
            List<Path> outside =
                    all.filter(path -> !path.startsWith(target) && Files.isRegularFile(path))
                            .toList();
            assertThat(outside).containsExactly(tree.path("in/app.war"));
        }
        long bytes = 0;
        try (Stream<Path> all = Files.walk(target)) {
            for (Path path : (Iterable<Path>) all::iterator) {
                assertThat(Files.isSymbolicLink(path)).isFalse();
                bytes += Files.isRegularFile(path) ? Files.size(path) : 0;
            }
        }
        assertThat(bytes).isLessThanOrEqualTo(LIMITS.unpackedMaxBytes());
    }
}
