package dev.serval.bench.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/// The document root that all peers serve. Its files have fixed pseudo-random content, the same in
/// every run.
///
/// @param pages its files by name
public record Site(Path root, Map<String, Page> pages) {
    /// One file.
    ///
    /// @param digest SHA-256 in hexadecimal
    public record Page(String path, int length, String digest) {
        /// Returns a page with the same content at another path.
        public Page at(String other) {
            return new Page(other, length, digest);
        }
    }

    /// Writes the files into a new folder that every account may read, because servers change
    /// accounts.
    public static Site create(Path root, Map<String, Integer> files) throws IOException {
        Files.createDirectories(root);
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
        Map<String, Page> pages = new TreeMap<>();
        for (Map.Entry<String, Integer> file : files.entrySet()) {
            byte[] content = new byte[file.getValue()];
            new Random(content.length).nextBytes(content);
            Path path = root.resolve(file.getKey());
            Files.write(path, content);
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r--r--"));
            pages.put(
                    file.getKey(), new Page("/" + file.getKey(), content.length, digest(content)));
        }
        return new Site(root, pages);
    }

    /// Returns the file of this name.
    public Page page(String name) {
        Page page = pages.get(name);
        if (page == null) {
            throw new IllegalArgumentException("no page " + name);
        }
        return page;
    }

    /// Returns the SHA-256 digest in hexadecimal.
    public static String digest(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }
}
