package dev.serval.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.tools.ToolProvider;

/// Makes WARs for tests.
public final class TestArchive {
    private TestArchive() {}

    /// Writes a WAR with a descriptor, a page, and the class `Hello`.
    ///
    /// @param folder for the archive, and for the class on the way
    /// @param source of the class
    public static Path write(Path folder, String name, String webXml, String source)
            throws IOException {
        Path war = folder.resolve(name);
        try (OutputStream file = Files.newOutputStream(war);
                ZipOutputStream zip = new ZipOutputStream(file)) {
            add(zip, "WEB-INF/web.xml", webXml.getBytes(StandardCharsets.UTF_8));
            add(zip, "WEB-INF/classes/Hello.class", compiled(folder, source));
            add(zip, "index.html", "<p>index</p>".getBytes(StandardCharsets.UTF_8));
        }
        return war;
    }

    private static void add(ZipOutputStream zip, String name, byte[] bytes) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(bytes);
        zip.closeEntry();
    }

    /// Returns the class file of `Hello`.
    public static byte[] compiled(Path folder, String text) throws IOException {
        Path out = Files.createDirectories(folder.resolve("classes"));
        Path source = Files.writeString(folder.resolve("Hello.java"), text);
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options =
                    List.of(
                            "-proc:none",
                            "-cp",
                            System.getProperty("java.class.path"),
                            "-d",
                            out.toString());
            assertThat(
                            compiler.getTask(
                                            null,
                                            files,
                                            null,
                                            options,
                                            null,
                                            files.getJavaFileObjects(source))
                                    .call())
                    .isTrue();
        }
        return Files.readAllBytes(out.resolve("Hello.class"));
    }
}
