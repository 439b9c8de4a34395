package dev.serval.bench.peer;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Reads the files of the suite that are beside its classes. Stateless.
public final class Resources {
    private Resources() {}

    /// Returns the content of a file beside a class.
    public static byte[] bytes(Class<?> beside, String name) {
        try (InputStream in = beside.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("resource missing: " + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("the resource " + name + " cannot be read", e);
        }
    }

    /// Returns the text of a file beside a class.
    public static String text(Class<?> beside, String name) {
        return new String(bytes(beside, name), StandardCharsets.UTF_8);
    }

    /// Returns the lines of a file beside a class.
    public static List<String> lines(Class<?> beside, String name) {
        return text(beside, name).lines().toList();
    }
}
