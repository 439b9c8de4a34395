package dev.serval.servlet.files;

import dev.serval.servlet.scan.ClassFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/// The class files of a jar in WEB-INF/lib.
///
/// @param jar where the jar is
public record JarFiles(Path jar) implements ClassFiles {
    @Override
    public String name() {
        return "WEB-INF/lib/" + jar.getFileName();
    }

    /// Returns a hash of the names, sizes and checksums of all class files, from the jar's directory.
    /// Size and time of the jar would not do: developers replace jars of unpacked applications in
    /// place, and copies may keep both.
    @Override
    public @Nullable String contentHash() {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            Hashes hashes = new Hashes();
            Enumeration<? extends ZipEntry> entries = zip.entries();
            while (entries.hasMoreElements()) {
                ZipEntry entry = entries.nextElement();
                if (entry.getName().endsWith(".class")) {
                    hashes.add(entry.getName());
                    hashes.add(entry.getCrc());
                    hashes.add(entry.getSize());
                }
            }
            return hashes.text();
        } catch (IOException e) {
            return null; // the scan reports it
        }
    }

    @Override
    public void classFiles(Visitor visitor) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            Enumeration<? extends ZipEntry> entries = zip.entries();
            while (entries.hasMoreElements()) {
                ZipEntry entry = entries.nextElement();
                if (entry.getName().endsWith(".class")) {
                    visitor.file(entry.getName(), entry.getSize(), most -> bytes(zip, entry, most));
                }
            }
        }
    }

    @Override
    public byte @Nullable [] file(String path, int maxBytes) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            @Nullable ZipEntry entry = zip.getEntry(path);
            return entry == null ? null : bytes(zip, entry, maxBytes);
        }
    }

    private static byte[] bytes(ZipFile zip, ZipEntry entry, int maxBytes) throws IOException {
        try (InputStream in = zip.getInputStream(entry)) {
            return in.readNBytes(maxBytes);
        }
    }
}
