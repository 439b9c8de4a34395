package dev.serval.bench.servlet;

import dev.serval.bench.container.PackageClasses;
import dev.serval.bench.peer.Resources;
import dev.serval.bench.war.Burn;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Stream;

/// Makes the document root an exploded WAR, by copying the servlets into its WEB-INF/classes. All
/// servers run these classes from this folder, or the same classes from the suite.
public final class WarFolder {
    private WarFolder() {}

    /// Adds the web application to a folder of static files, if there are requests to it.
    ///
    /// @param jars has folders with the jars of JSTL, which a page needs, and of some servlets;
    ///     without them only the cells that need them fail
    public static void explode(Path folder, Path jars, Collection<Request> requests)
            throws IOException {
        if (requests.isEmpty()) {
            return;
        }
        Path root = folder.resolve("WEB-INF/classes");
        for (Map.Entry<String, byte[]> one : PackageClasses.of(Burn.class).entrySet()) {
            Path file = root.resolve(one.getKey());
            Files.createDirectories(file.getParent());
            Files.write(file, one.getValue());
        }
        Files.write(
                folder.resolve("WEB-INF/rows.jsp"), Resources.bytes(WarFolder.class, "rows.jsp"));
        Files.write(folder.resolve("line.jsp"), Resources.bytes(WarFolder.class, "line.jsp"));
        Files.write(folder.resolve("simple.jsp"), Resources.bytes(WarFolder.class, "simple.jsp"));
        addLibraries(folder, jars.resolve("jstl"));
        if (requests.stream().anyMatch(Request::needsLibraries)) {
            addLibraries(folder, jars.resolve("servlets"));
        }
    }

    /// Adds the jars of another folder to the application, if there is that folder.
    static void addLibraries(Path folder, Path libraries) throws IOException {
        if (Files.isDirectory(libraries)) {
            Path lib = Files.createDirectories(folder.resolve("WEB-INF/lib"));
            try (DirectoryStream<Path> jars = Files.newDirectoryStream(libraries, "*.jar")) {
                for (Path jar : jars) {
                    Path copy = lib.resolve(jar.getFileName());
                    Files.copy(jar, copy, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }

    /// Makes of a folder a second application, with the same content, whose users log in by BASIC.
    public static void withLogin(Path folder, Path target) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path one : all.toList()) { // a folder comes before its files
                Files.copy(one, target.resolve(folder.relativize(one).toString()));
            }
        }
        Files.write(
                target.resolve("WEB-INF/web.xml"), Resources.bytes(WarFolder.class, "users.xml"));
    }
}
