package dev.serval.bench.servlet;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

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
                    "PiecesServlet");

    static final String PACKAGE = "dev.serval.bench.war";

    private WarFolder() {}

    /// Adds the servlets to a folder of static files.
    public static void explode(Path folder) throws IOException {
        String packageFolder = PACKAGE.replace('.', '/');
        Path classes =
                Files.createDirectories(folder.resolve("WEB-INF/classes").resolve(packageFolder));
        for (String servlet : SERVLETS) {
            String name = servlet + ".class";
            try (InputStream in =
                    WarFolder.class.getResourceAsStream("/" + packageFolder + "/" + name)) {
                if (in == null) {
                    throw new IllegalStateException("class missing: " + name);
                }
                Files.write(classes.resolve(name), in.readAllBytes());
            }
        }
    }
}
