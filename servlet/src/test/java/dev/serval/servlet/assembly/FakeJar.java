package dev.serval.servlet.assembly;

import dev.serval.servlet.scan.ClassFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A jar, or WEB-INF/classes, in memory.
public final class FakeJar implements ClassFiles {
    private final String name;
    private final Map<String, byte[]> files = new LinkedHashMap<>();
    private @Nullable String hash;
    private int visits;

    /// Creates an origin without files.
    public FakeJar(String name) {
        this.name = name;
    }

    /// Adds a file.
    public FakeJar with(String path, byte[] content) {
        files.put(path, content);
        return this;
    }

    /// Adds a web-fragment.xml of version 6.1 with these elements.
    public FakeJar fragment(String elements) {
        return fragment("", elements);
    }

    /// Adds a web-fragment.xml of version 6.1 with these attributes and elements.
    public FakeJar fragment(String attributes, String elements) {
        String xml =
                "<web-fragment xmlns=\"https://jakarta.ee/xml/ns/jakartaee\" version=\"6.1\" %s>%s</web-fragment>"
                        .formatted(attributes, elements);
        return with("META-INF/web-fragment.xml", xml.getBytes(StandardCharsets.UTF_8));
    }

    /// Adds the class file of a class that the tests have.
    public FakeJar with(Class<?> type) throws IOException {
        String path = type.getName().replace('.', '/') + ".class";
        try (InputStream in = type.getResourceAsStream("/" + path)) {
            if (in == null) {
                throw new IOException("No class file of " + type);
            }
            return with(path, in.readAllBytes());
        }
    }

    /// Lets results be cached.
    public FakeJar hashed(String contentHash) {
        hash = contentHash;
        return this;
    }

    /// Returns how often all class files were asked for.
    public int visits() {
        return visits;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public @Nullable String contentHash() {
        return hash;
    }

    @Override
    public void classFiles(Visitor visitor) throws IOException {
        visits++;
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            if (file.getKey().endsWith(".class")) {
                byte[] bytes = file.getValue();
                visitor.file(file.getKey(), bytes.length, maxBytes -> cut(bytes, maxBytes));
            }
        }
    }

    @Override
    public byte @Nullable [] file(String path, int maxBytes) {
        byte @Nullable [] bytes = files.get(path);
        return bytes == null ? null : cut(bytes, maxBytes);
    }

    private static byte[] cut(byte[] bytes, int maxBytes) {
        return Arrays.copyOf(bytes, Math.min(bytes.length, maxBytes));
    }
}
