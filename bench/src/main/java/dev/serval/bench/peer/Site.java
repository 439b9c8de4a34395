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

/// The document root all peers serve: files of fixed pseudo-random content, the same in every run.
///
/// @param root the folder
/// @param pages its files by name
public record Site(Path root, Map<String, Page> pages) {
    /// One file.
    ///
    /// @param path to ask for
    /// @param length in bytes
    /// @param digest SHA-256 in hexadecimal
    public record Page(String path, int length, String digest) {
        /// The same content at another path.
        public Page at(String other) {
            return new Page(other, length, digest);
        }
    }

    /// Writes the files into a new folder, readable by the accounts that servers change to.
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

    /// The file of this name.
    public Page page(String name) {
        Page page = pages.get(name);
        if (page == null) {
            throw new IllegalArgumentException("no page " + name);
        }
        return page;
    }

    /// SHA-256 in hexadecimal.
    public static String digest(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }
}
