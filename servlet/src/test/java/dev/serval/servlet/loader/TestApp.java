package dev.serval.servlet.loader;

import dev.serval.testkit.TempTree;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.spi.ToolProvider;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// An application on the disk whose classes are compiled in the test.
public final class TestApp implements AutoCloseable {
    private static final ApiClassLoader API =
            new ApiClassLoader(TestApp.class.getClassLoader(), SharedPackages.JAKARTA);

    private final TempTree tree = TempTree.create();
    private final List<Path> jars = new ArrayList<>();

    /// Compiles one class into WEB-INF/classes.
    TestApp source(String className, String source) {
        compile(tree.folder("WEB-INF/classes"), className, source);
        return this;
    }

    TestApp file(String name, String text) {
        tree.file("WEB-INF/classes/" + name, text);
        return this;
    }

    TestApp file(String name, byte[] content) {
        tree.file("WEB-INF/classes/" + name, content);
        return this;
    }

    /// Adds a jar with these files.
    TestApp jar(String name, Map<String, byte[]> files) {
        Path jar = tree.file("WEB-INF/lib/" + name, "");
        try (OutputStream out = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                ZipEntry entry = new ZipEntry(file.getKey());
                CRC32 crc = new CRC32();
                crc.update(file.getValue());
                entry.setCrc(crc.getValue());
                zip.putNextEntry(entry);
                zip.write(file.getValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        jars.add(jar);
        return this;
    }

    AppClassLoader open() throws IOException {
        return open(API);
    }

    AppClassLoader open(ApiClassLoader api) throws IOException {
        return AppClassLoader.open("/shop", tree.path("WEB-INF/classes"), jars, api);
    }

    Path path(String relative) {
        return tree.path(relative);
    }

    /// Returns the bytes of a class.
    static byte[] compiled(String className, String source) {
        try (TempTree out = TempTree.create()) {
            compile(out.root(), className, source);
            return Files.readAllBytes(out.path(className.replace('.', '/') + ".class"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void compile(Path out, String className, String source) {
        try (TempTree sources = TempTree.create()) {
            Path file = sources.file(className.replace('.', '/') + ".java", source);
            StringWriter messages = new StringWriter();
            PrintWriter printer = new PrintWriter(messages);
            int code =
                    ToolProvider.findFirst("javac")
                            .orElseThrow()
                            .run(
                                    printer,
                                    printer,
                                    "-d",
                                    out.toString(),
                                    "-proc:none",
                                    "-classpath",
                                    out.toString(),
                                    file.toString());
            if (code != 0) {
                throw new AssertionError("cannot compile " + className + ": " + messages);
            }
        }
    }

    @Override
    public void close() {
        tree.close();
    }
}
