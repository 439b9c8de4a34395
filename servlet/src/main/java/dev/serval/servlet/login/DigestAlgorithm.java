package dev.serval.servlet.login;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// The hash algorithms of DIGEST (RFC 7616 §6.1). Challenges offer only SHA-256, because MD5 is
/// broken.
enum DigestAlgorithm {
    SHA_256("SHA-256"),
    MD5("MD5");

    private final String text;

    DigestAlgorithm(String text) {
        this.text = text;
    }

    /// Returns the name in challenges, and for the JDK.
    String text() {
        return text;
    }

    /// Returns the hash of the UTF-8 bytes of a text, in lower-case hexadecimal digits.
    String hash(String data) {
        try {
            byte[] bytes = data.getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance(text).digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This JDK has no " + text, e);
        }
    }
}
