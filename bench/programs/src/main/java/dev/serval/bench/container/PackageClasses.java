package dev.serval.bench.container;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The class files of a package of the suite, which is in a jar or in a folder. Stateless.
public final class PackageClasses {

    private PackageClasses() {}

    /// Returns the path of each class file, such as `a/b/C.class`, and its bytes.
    ///
    /// @param member a class of the package
    public static Map<String, byte[]> of(Class<?> member) throws IOException {
        String folder = member.getPackageName().replace('.', '/');
        Path place = place(member);
        if (Files.isDirectory(place)) {
            return read(place.resolve(folder), folder);
        }
        try (FileSystem jar = FileSystems.newFileSystem(place)) {
            return read(jar.getPath(folder), folder);
        }
    }

    private static Map<String, byte[]> read(Path folder, String path) throws IOException {
        List<Path> files;
        try (Stream<Path> listed = Files.list(folder)) {
            files = listed.filter(file -> file.toString().endsWith(".class")).toList();
        }
        Map<String, byte[]> classes = new TreeMap<>();
        for (Path file : files) {
            String name = file.getFileName().toString();
            if (!name.equals("package-info.class")) {
                classes.put(path + "/" + name, Files.readAllBytes(file));
            }
        }
        return classes;
    }

    private static Path place(Class<?> member) throws IOException {
        try {
            return Path.of(member.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IOException("the place of " + member + " is no path", e);
        }
    }
}
