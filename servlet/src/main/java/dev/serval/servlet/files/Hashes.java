package dev.serval.servlet.files;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// Makes a key for a cache from texts and numbers, by SHA-256. Used by one thread, once.
final class Hashes {
    private final MessageDigest digest;

    Hashes() {
        try {
            this.digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JVM has SHA-256", e);
        }
    }

    /// Adds a text with its length, so that texts in a row are not ambiguous.
    void add(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        add(bytes.length);
        digest.update(bytes);
    }

    /// Adds a number.
    void add(long number) {
        digest.update(ByteBuffer.allocate(Long.BYTES).putLong(number).flip());
    }

    /// Returns the key, in hexadecimal.
    String text() {
        return HexFormat.of().formatHex(digest.digest());
    }
}
