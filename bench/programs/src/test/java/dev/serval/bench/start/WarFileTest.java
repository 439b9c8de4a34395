package dev.serval.bench.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WarFileTest {
    private static final WarFile.Parts SMALL = new WarFile.Parts(17, 21, 1000);

    @Test
    void sameParametersMakeTheSameBytes(@TempDir Path folder) throws IOException {
        WarFile.big(folder.resolve("a.war"), SMALL);
        WarFile.big(folder.resolve("b.war"), SMALL);
        assertThat(folder.resolve("a.war")).hasSameBinaryContentAs(folder.resolve("b.war"));
    }

    @Test
    void everyClassIsValid(@TempDir Path folder) throws IOException {
        WarFile.big(folder.resolve("a.war"), SMALL);
        Map<String, byte[]> war = entries(Files.readAllBytes(folder.resolve("a.war")));
        assertThat(war).containsKeys("index.html", "WEB-INF/web.xml", "WEB-INF/lib/lib016-1.0.jar");
        int classes = 0;
        for (Map.Entry<String, byte[]> jar : war.entrySet()) {
            if (!jar.getKey().endsWith(".jar")) {
                continue;
            }
            for (Map.Entry<String, byte[]> one : entries(jar.getValue()).entrySet()) {
                if (one.getKey().endsWith(".class")) {
                    assertThat(ClassFile.of().verify(one.getValue())).as(one.getKey()).isEmpty();
                    classes++;
                }
            }
        }
        // 10 servlets, 5 listeners, and an initializer with its interface and three plug-ins.
        assertThat(classes).isEqualTo(17 * 21 + 10 + 5 + 5);
    }

    @Test
    void firstJarsHaveFragmentsAndOneAnInitializer(@TempDir Path folder) throws IOException {
        WarFile.big(folder.resolve("a.war"), SMALL);
        Map<String, byte[]> war = entries(Files.readAllBytes(folder.resolve("a.war")));
        assertThat(jar(war, "lib000"))
                .containsKeys(
                        "META-INF/web-fragment.xml",
                        "org/example/lib000/web/LibraryServlet.class",
                        "org/example/lib000/p1/Type20.class");
        assertThat(jar(war, "lib015"))
                .containsKey("META-INF/services/jakarta.servlet.ServletContainerInitializer");
    }

    @Test
    void emptyWarHasOnePage(@TempDir Path folder) throws IOException {
        WarFile.empty(folder.resolve("a.war"));
        assertThat(entries(Files.readAllBytes(folder.resolve("a.war"))))
                .containsOnlyKeys("index.html", "WEB-INF/web.xml");
    }

    private static Map<String, byte[]> jar(Map<String, byte[]> war, String name)
            throws IOException {
        return entries(Objects.requireNonNull(war.get("WEB-INF/lib/" + name + "-1.0.jar")));
    }

    private static Map<String, byte[]> entries(byte[] zip) throws IOException {
        Map<String, byte[]> entries = new TreeMap<>();
        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(zip))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                entries.put(entry.getName(), in.readAllBytes());
            }
        }
        return entries;
    }
}
