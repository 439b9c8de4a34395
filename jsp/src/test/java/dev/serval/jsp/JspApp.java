package dev.serval.jsp;

import dev.serval.testkit.TempTree;
import jakarta.annotation.Resource;
import jakarta.el.ELContext;
import jakarta.servlet.Servlet;
import jakarta.servlet.jsp.JspWriter;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// An application with pages, for tests: a folder, or the WAR of it.
final class JspApp implements AutoCloseable {
    private final TempTree tree = TempTree.create();
    private final TempTree other = TempTree.create();

    /// Adds a file below the root, as UTF-8.
    JspApp file(String path, String text) {
        tree.file(path, text);
        return this;
    }

    JspApp file(String path, byte[] content) {
        tree.file(path, content);
        return this;
    }

    /// Sets what is in the element web-app of web.xml.
    JspApp webXml(String elements) {
        return file(
                "WEB-INF/web.xml",
                "<web-app xmlns=\"https://jakarta.ee/xml/ns/jakartaee\" version=\"6.1\">"
                        + elements
                        + "</web-app>");
    }

    /// Adds a class to WEB-INF/classes.
    JspApp source(String className, String text) {
        compile(className, text, tree.folder("WEB-INF/classes"));
        return this;
    }

    /// Adds a jar to WEB-INF/lib, with one class and one other file.
    JspApp jar(String name, String className, String text, String path, String content)
            throws IOException {
        Path folder = other.folder(name);
        compile(className, text, folder);
        other.file(name + "/" + path, content);
        zip(folder, Files.createDirectories(tree.path("WEB-INF/lib")).resolve(name));
        return this;
    }

    /// Adds the jars of JSTL, which the build has copied, to WEB-INF/lib.
    JspApp jstl() throws IOException {
        Path lib = Files.createDirectories(tree.path("WEB-INF/lib"));
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(Path.of("target/jstl"))) {
            for (Path jar : jars) {
                Files.copy(jar, lib.resolve(jar.getFileName()));
            }
        }
        return this;
    }

    private void compile(String className, String text, Path into) {
        Path source = other.file("src/" + className.replace('.', '/') + ".java", text);
        StringWriter messages = new StringWriter();
        PrintWriter printer = new PrintWriter(messages);
        List<String> classPath = new ArrayList<>();
        for (Class<?> api :
                List.of(Servlet.class, JspWriter.class, ELContext.class, Resource.class)) {
            classPath.add(jarOf(api));
        }
        int code =
                ToolProvider.findFirst("javac")
                        .orElseThrow()
                        .run(
                                printer,
                                printer,
                                "-proc:none",
                                "-d",
                                into.toString(),
                                "-classpath",
                                String.join(File.pathSeparator, classPath),
                                source.toString());
        if (code != 0) {
            throw new AssertionError("The class cannot be compiled: " + messages);
        }
    }

    private static String jarOf(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    private static void zip(Path folder, Path to) throws IOException {
        try (OutputStream out = Files.newOutputStream(to);
                ZipOutputStream zip = new ZipOutputStream(out);
                Stream<Path> walk = Files.walk(folder)) {
            for (Path file : walk.filter(Files::isRegularFile).sorted().toList()) {
                zip.putNextEntry(new ZipEntry(folder.relativize(file).toString()));
                Files.copy(file, zip);
                zip.closeEntry();
            }
        }
    }

    Path root() {
        return tree.root();
    }

    /// Returns a WAR of all files.
    Path war() throws IOException {
        Path war = other.path("app.war");
        zip(tree.root(), war);
        return war;
    }

    @Override
    public void close() {
        tree.close();
        other.close();
    }
}
