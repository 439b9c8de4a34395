package dev.serval.bench.servlet;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Makes the document root an exploded WAR, by copying the servlets into its WEB-INF/classes. All
/// servers run these classes from this folder, or the same classes from the suite.
public final class WarFolder {
    /// The servlets. The suite has no Servlet API on its class path, so it knows only their names.
    static final List<String> SERVLETS =
            List.of(
                    "HelloServlet",
                    "AsyncServlet",
                    "FormServlet",
                    "EchoServlet",
                    "SessionServlet",
                    "PiecesServlet",
                    "SlowServlet",
                    "AllocatedServlet");

    /// The classes that the servlets use.
    private static final List<String> OTHERS = List.of("Burn");

    static final String PACKAGE = "dev.serval.bench.war";

    private WarFolder() {}

    /// Adds the servlets to a folder of static files.
    public static void explode(Path folder) throws IOException {
        Path root = folder.resolve("WEB-INF/classes");
        for (Map.Entry<String, byte[]> one : classes().entrySet()) {
            Path file = root.resolve(one.getKey());
            Files.createDirectories(root.resolve(PACKAGE.replace('.', '/')));
            Files.write(file, one.getValue());
        }
    }

    /// Returns the classes of the application: the path of each below `WEB-INF/classes`, and its
    /// bytes.
    public static Map<String, byte[]> classes() throws IOException {
        List<String> all = new ArrayList<>(SERVLETS);
        all.addAll(OTHERS);
        Map<String, byte[]> classes = new TreeMap<>();
        for (String one : all) {
            String name = PACKAGE.replace('.', '/') + "/" + one + ".class";
            try (InputStream in = WarFolder.class.getResourceAsStream("/" + name)) {
                if (in == null) {
                    throw new IllegalStateException("class missing: " + name);
                }
                classes.put(name, in.readAllBytes());
            }
        }
        return classes;
    }
}
