package dev.serval.servlet.archive;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;

/// Extracts META-INF/resources of the jars in WEB-INF/lib (Servlet 6.1 §4.6). Extracted, they are
/// files: the file handler serves them as fast as the application's own, `getRealPath` has an
/// answer, and no request opens a jar. Other entries of a jar are not checked, because only class
/// loaders read them. Stateless.
final class JarResources {
    private static final String PREFIX = "META-INF/resources/";

    private JarResources() {}

    /// Returns the jars in WEB-INF/lib, sorted by name; none if there is no such folder.
    static List<Path> jars(Path app) throws IOException {
        Path lib = app.resolve("WEB-INF/lib");
        List<Path> jars = new ArrayList<>();
        if (Files.isDirectory(lib)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(lib, "*.jar")) {
                for (Path file : files) {
                    if (Files.isRegularFile(file)) {
                        jars.add(file);
                    }
                }
            }
        }
        jars.sort(null);
        return jars;
    }

    /// Returns where the resources of a jar are, if it has any.
    static Path folder(Path resources, String jarName) {
        return resources.resolve(jarName).resolve("META-INF/resources");
    }

    /// Extracts the resources of all jars, each into a folder with its name.
    ///
    /// @param jars the jars
    /// @param appName the application's name for messages
    static void extract(List<Path> jars, String appName, Path target, Budget budget)
            throws IOException {
        for (Path jar : jars) {
            try (ZipArchive archive = open(jar, appName, budget.limits())) {
                List<ArchiveEntry> wanted = wanted(archive);
                if (!wanted.isEmpty()) {
                    Path folder = Files.createDirectories(target.resolve(name(jar)));
                    WarFile.check(archive, wanted, budget);
                    WarFile.write(archive, wanted, folder);
                }
            }
        }
    }

    /// Adds all that identifies the jars' resources to a digest: names and central directories,
    /// which have the CRC-32 of each entry.
    ///
    /// @return whether any jar has resources
    static boolean identify(
            List<Path> jars, String appName, ArchiveLimits limits, MessageDigest digest)
            throws IOException {
        boolean any = false;
        for (Path jar : jars) {
            try (ZipArchive archive = open(jar, appName, limits)) {
                if (!wanted(archive).isEmpty()) {
                    any = true;
                    digest.update((name(jar) + "\n").getBytes(StandardCharsets.UTF_8));
                    digest.update(archive.directory());
                }
            }
        }
        return any;
    }

    private static ZipArchive open(Path jar, String appName, ArchiveLimits limits)
            throws IOException {
        return ZipArchive.open(jar, appName + ": WEB-INF/lib/" + name(jar), limits);
    }

    private static String name(Path jar) {
        return String.valueOf(jar.getFileName());
    }

    private static List<ArchiveEntry> wanted(ZipArchive jar) {
        List<ArchiveEntry> wanted = new ArrayList<>();
        for (ArchiveEntry entry : jar.entries()) {
            if (entry.name().startsWith(PREFIX) && entry.name().length() > PREFIX.length()) {
                wanted.add(entry);
            }
        }
        return wanted;
    }
}
