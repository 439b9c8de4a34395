package dev.serval.bench.start;

import dev.serval.bench.container.PackageClasses;
import dev.serval.bench.war.Burn;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// Writes the WARs whose start is measured. The same parameters make the same bytes.
public final class WarFile {
    /// The page that every WAR answers.
    public static final String PAGE = "index.html";

    /// About 50 MB, of which two thirds are classes.
    public static final Parts BIG = new Parts(100, 150, 165_000);

    private static final LocalDateTime TIME = LocalDateTime.of(2026, 1, 1, 0, 0);
    private static final long SEED = 20_261_122;
    private static final int CLASSES_PER_PACKAGE = 20;

    /// The first jars have a fragment and a servlet, the next ones a listener, and one has a
    /// ServletContainerInitializer.
    private static final int FRAGMENTS = 10;

    private static final int LISTENERS = 5;
    private static final int INITIALIZER = FRAGMENTS + LISTENERS;
    private static final int PLUGINS = 3;

    private static final String WEB_XML =
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
            </web-app>
            """;

    private WarFile() {}

    /// The parts of a big WAR.
    ///
    /// @param jars in WEB-INF/lib; 0 for none
    /// @param classes in each jar
    /// @param dataBytes content in each jar that is no class and cannot be compressed
    public record Parts(int jars, int classes, int dataBytes) {}

    /// Writes an application with one page.
    public static void empty(Path file) throws IOException {
        try (ZipOutputStream zip = zip(Files.newOutputStream(file))) {
            put(zip, PAGE, text("hello\n"));
            put(zip, "WEB-INF/web.xml", text(WEB_XML));
        }
    }

    /// Writes an application with libraries, and the servlets of package `war`.
    public static void big(Path file, Parts parts) throws IOException {
        SplittableRandom seeds = new SplittableRandom(SEED);
        try (ZipOutputStream zip = zip(Files.newOutputStream(file))) {
            put(zip, PAGE, text("hello\n"));
            put(zip, "WEB-INF/web.xml", text(WEB_XML));
            PackageClasses.of(Burn.class)
                    .forEach((name, bytes) -> put(zip, "WEB-INF/classes/" + name, bytes));
            for (int jar = 0; jar < parts.jars(); jar++) {
                put(
                        zip,
                        "WEB-INF/lib/" + library(jar) + "-1.0.jar",
                        jar(jar, parts, seeds.split()));
            }
        }
    }

    private static byte[] jar(int number, Parts parts, SplittableRandom random) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        LibraryClass classes = new LibraryClass(random);
        try (ZipOutputStream zip = zip(bytes)) {
            put(zip, "META-INF/MANIFEST.MF", text("Manifest-Version: 1.0\n\n"));
            String superclass = "java.lang.Object";
            for (int i = 0; i < parts.classes(); i++) {
                String folder = "org.example." + library(number) + ".p" + i / CLASSES_PER_PACKAGE;
                String name = folder + ".Type" + i;
                boolean first = i % CLASSES_PER_PACKAGE == 0;
                byte[] one =
                        classes.bytes(
                                name,
                                first || random.nextBoolean() ? "java.lang.Object" : superclass);
                superclass = first ? name : superclass;
                put(zip, classFile(name), one);
            }
            webParts(zip, number);
            byte[] data = new byte[parts.dataBytes()];
            random.nextBytes(data);
            put(zip, "META-INF/" + library(number) + ".bin", data);
        }
        return bytes.toByteArray();
    }

    private static void webParts(ZipOutputStream zip, int number) {
        String folder = "org.example." + library(number) + ".web.";
        if (number < FRAGMENTS) {
            String servlet = folder + "LibraryServlet";
            put(zip, classFile(servlet), WebClass.servlet(servlet, "/" + library(number)));
            put(zip, "META-INF/web-fragment.xml", text(fragment(library(number))));
        } else if (number < FRAGMENTS + LISTENERS) {
            String listener = folder + "LibraryListener";
            put(zip, classFile(listener), WebClass.listener(listener));
        } else if (number == INITIALIZER) {
            String initializer = folder + "Initializer";
            String plugin = folder + "Plugin";
            put(zip, classFile(plugin), WebClass.emptyInterface(plugin));
            put(zip, classFile(initializer), WebClass.initializer(initializer, plugin));
            put(
                    zip,
                    "META-INF/services/jakarta.servlet.ServletContainerInitializer",
                    text(initializer + "\n"));
            for (int i = 0; i < PLUGINS; i++) {
                put(zip, classFile(plugin + i), WebClass.implementation(plugin + i, plugin));
            }
        }
    }

    private static String fragment(String name) {
        return """
        <?xml version="1.0" encoding="UTF-8"?>
        <web-fragment xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
          <name>%s</name>
        </web-fragment>
        """
                .formatted(name);
    }

    private static String library(int number) {
        return String.format(Locale.ROOT, "lib%03d", number);
    }

    private static String classFile(String name) {
        return name.replace('.', '/') + ".class";
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static ZipOutputStream zip(OutputStream out) {
        return new ZipOutputStream(out);
    }

    /// Writes an entry with a fixed time.
    private static void put(ZipOutputStream zip, String name, byte[] content) {
        try {
            ZipEntry entry = new ZipEntry(name);
            entry.setTimeLocal(TIME);
            zip.putNextEntry(entry);
            zip.write(content);
            zip.closeEntry();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
