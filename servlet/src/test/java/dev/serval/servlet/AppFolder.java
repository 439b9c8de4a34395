package dev.serval.servlet;

import dev.serval.testkit.TempTree;
import jakarta.annotation.Resource;
import jakarta.servlet.Servlet;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// An unpacked application whose classes are compiled in the test against the Jakarta API only.
final class AppFolder implements AutoCloseable {
    private final TempTree tree = TempTree.create();
    private final TempTree sources = TempTree.create();
    private final List<String> files = new ArrayList<>();

    /// Adds a class, which [#compile] compiles.
    AppFolder source(String className, String text) {
        files.add(sources.file(className.replace('.', '/') + ".java", text).toString());
        return this;
    }

    /// Adds a file below the root.
    AppFolder file(String path, String text) {
        tree.file(path, text);
        return this;
    }

    /// Adds a jar with one file to WEB-INF/lib.
    AppFolder jar(String name, String path, String text) throws IOException {
        Path jar = tree.folder("WEB-INF/lib").resolve(name);
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            zip.putNextEntry(new ZipEntry(path));
            zip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return this;
    }

    /// Compiles all classes into WEB-INF/classes.
    AppFolder compile() {
        StringWriter messages = new StringWriter();
        PrintWriter printer = new PrintWriter(messages);
        List<String> args = new ArrayList<>();
        args.add("-d");
        args.add(tree.folder("WEB-INF/classes").toString());
        args.add("-proc:none");
        args.add("-classpath");
        args.add(jar(Servlet.class) + File.pathSeparator + jar(Resource.class));
        args.addAll(files);
        int code =
                ToolProvider.findFirst("javac")
                        .orElseThrow()
                        .run(printer, printer, args.toArray(String[]::new));
        if (code != 0) {
            throw new AssertionError("The application cannot be compiled: " + messages);
        }
        return this;
    }

    private static String jar(Class<?> of) {
        try {
            return Path.of(of.getProtectionDomain().getCodeSource().getLocation().toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    Path root() {
        return tree.root();
    }

    @Override
    public void close() {
        tree.close();
        sources.close();
    }
}
