package dev.serval.bench.servlet;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/// The users that log in by BASIC: 1,000, each with a password of its own.
///
/// Their hashes have the fewest iterations that Serval accepts, so that the first request of each
/// user is over soon. Later requests find the password among those that were right.
public final class Members {
    private static final int COUNT = 1_000;
    private static final int ITERATIONS = 1_000;
    private static final int HASH_BITS = 256;
    private static final byte[] SALT = "sixteen bytes ok".getBytes(StandardCharsets.US_ASCII);

    private Members() {}

    /// Writes a users file of Serval.
    public static void write(Path file) throws IOException {
        Base64.Encoder base64 = Base64.getEncoder();
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            lines.add(
                    "%s member pbkdf2-sha256:%d:%s:%s"
                            .formatted(
                                    name(i),
                                    ITERATIONS,
                                    base64.encodeToString(SALT),
                                    base64.encodeToString(hash(password(i)))));
        }
        Files.write(file, lines);
    }

    /// Returns a value of the field Authorization for each user (RFC 7617).
    public static List<String> credentials() {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            byte[] pair = (name(i) + ":" + password(i)).getBytes(StandardCharsets.US_ASCII);
            all.add("Basic " + Base64.getEncoder().encodeToString(pair));
        }
        return all;
    }

    private static String name(int number) {
        return "user" + number;
    }

    private static String password(int number) {
        return "secret" + number;
    }

    private static byte[] hash(String password) {
        PBEKeySpec spec = new PBEKeySpec(password.toCharArray(), SALT, ITERATIONS, HASH_BITS);
        try {
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(spec)
                    .getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This JDK has no PBKDF2WithHmacSHA256", e);
        }
    }
}
