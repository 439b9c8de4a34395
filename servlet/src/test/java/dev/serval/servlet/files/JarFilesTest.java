package dev.serval.servlet.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The hash by which results about a jar are cached.
final class JarFilesTest {
    private static final FileTime TIME = FileTime.fromMillis(1_700_000_000_000L);

    @TempDir private Path folder;

    private JarFiles jar(String name, Map<String, String> files) throws IOException {
        Path jar = folder.resolve(name);
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            for (Map.Entry<String, String> file : files.entrySet()) {
                byte[] bytes = file.getValue().getBytes(StandardCharsets.UTF_8);
                ZipEntry entry = new ZipEntry(file.getKey());
                entry.setMethod(ZipEntry.STORED); // so that a change keeps the jar's size
                entry.setSize(bytes.length);
                CRC32 sum = new CRC32();
                sum.update(bytes);
                entry.setCrc(sum.getValue());
                entry.setLastModifiedTime(TIME);
                zip.putNextEntry(entry);
                zip.write(bytes);
            }
        }
        Files.setLastModifiedTime(jar, TIME);
        return new JarFiles(jar);
    }

    @Test
    void hashChangesWithContentOfSameSizeAndTime() throws IOException {
        JarFiles jar = jar("a.jar", Map.of("A.class", "one"));
        long size = Files.size(jar.jar());
        String before = jar.contentHash();
        String after = jar("a.jar", Map.of("A.class", "two")).contentHash();
        assertThat(Files.size(jar.jar())).isEqualTo(size);
        assertThat(after).isNotNull().isNotEqualTo(before);
    }

    @Test
    void hashChangesWithAName() throws IOException {
        assertThat(jar("a.jar", Map.of("B.class", "one")).contentHash())
                .isNotEqualTo(jar("a.jar", Map.of("A.class", "one")).contentHash());
    }

    @Test
    void sameClassesHaveTheSameHashInEveryJar() throws IOException {
        String first = jar("a.jar", Map.of("A.class", "one")).contentHash();
        assertThat(jar("b.jar", Map.of("A.class", "one")).contentHash()).isEqualTo(first);
        Files.setLastModifiedTime(folder.resolve("b.jar"), FileTime.fromMillis(0));
        assertThat(new JarFiles(folder.resolve("b.jar")).contentHash()).isEqualTo(first);
    }

    @Test
    void brokenJarHasNoHash() throws IOException {
        Path jar = Files.writeString(folder.resolve("a.jar"), "no jar");
        assertThat(new JarFiles(jar).contentHash()).isNull();
    }
}
