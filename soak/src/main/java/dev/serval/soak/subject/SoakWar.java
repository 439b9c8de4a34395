package dev.serval.soak.subject;

import dev.serval.bench.container.PackageClasses;
import dev.serval.soak.war.Pattern;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// Packs package `war` into a WAR. Stateless.
public final class SoakWar {
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
    public static void write(Path war) throws IOException {
        try (OutputStream file = Files.newOutputStream(war);
                ZipOutputStream zip = new ZipOutputStream(file)) {
            add(zip, "WEB-INF/web.xml", WEB_XML.getBytes(StandardCharsets.UTF_8));
            add(zip, "file.bin", SoakRequest.FILE);
            for (Map.Entry<String, byte[]> one : PackageClasses.of(Pattern.class).entrySet()) {
                add(zip, "WEB-INF/classes/" + one.getKey(), one.getValue());
            }
        }
    }

    private static void add(ZipOutputStream zip, String name, byte[] content) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(content);
        zip.closeEntry();
    }
}
