package dev.serval.bench.soak;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// Packs package `war` into a WAR. Stateless.
final class SoakWar {
    private static final String CLASSES = "dev/serval/bench/soak/war";
    private static final String WEB_XML =
            """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
                <error-page>
                    <location>/problem</location>
                </error-page>
            </web-app>
            """;

    private SoakWar() {}

    /// Writes the WAR.
    static void write(Path war) throws IOException {
        try (OutputStream file = Files.newOutputStream(war);
                ZipOutputStream zip = new ZipOutputStream(file)) {
            add(zip, "WEB-INF/web.xml", WEB_XML.getBytes(StandardCharsets.UTF_8));
            add(zip, "file.bin", SoakRequest.FILE);
            addClasses(zip);
        }
    }

    /// Adds the classes, which are in a jar or in a folder.
    private static void addClasses(ZipOutputStream zip) throws IOException {
        Path place = place();
        if (Files.isDirectory(place)) {
            addClasses(zip, place.resolve(CLASSES));
            return;
        }
        try (FileSystem jar = FileSystems.newFileSystem(place)) {
            addClasses(zip, jar.getPath(CLASSES));
        }
    }

    private static void addClasses(ZipOutputStream zip, Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> listed = Files.list(folder)) {
            files = listed.sorted().toList();
        }
        for (Path file : files) {
            try (InputStream in = Files.newInputStream(file)) {
                String name = CLASSES + "/" + file.getFileName();
                add(zip, "WEB-INF/classes/" + name, in.readAllBytes());
            }
        }
    }

    private static void add(ZipOutputStream zip, String name, byte[] content) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(content);
        zip.closeEntry();
    }

    private static Path place() throws IOException {
        try {
            URI place = SoakWar.class.getProtectionDomain().getCodeSource().getLocation().toURI();
            return Path.of(place);
        } catch (URISyntaxException e) {
            throw new IOException("the suite's own place is no path", e);
        }
    }
}
