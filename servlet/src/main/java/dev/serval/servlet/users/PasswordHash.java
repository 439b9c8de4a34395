package dev.serval.servlet.users;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/// The hash of a password by PBKDF2 with HMAC-SHA-256 (RFC 8018 §5.2). Its text is
/// `pbkdf2-sha256:ITERATIONS:SALT:HASH`, with salt and hash in Base64. Immutable.
public final class PasswordHash implements Secret {
    /// The iterations of new hashes, as OWASP recommends since 2023.
    public static final int ITERATIONS = 600_000;

    /// More iterations would let one line of a users file occupy a processor for seconds.
    public static final int ITERATIONS_MAX = 10_000_000;

    private static final int ITERATIONS_MIN = 1_000; // as RFC 8018 §4.2 recommends
    private static final String SCHEME = "pbkdf2-sha256";
    private static final String ALGORITHM = "PBKDF2WithHmacSHA256";
    private static final int SALT_BYTES = 16;
    private static final int SALT_BYTES_MIN = 8;
    private static final int HASH_BYTES = 32;

    private final int iterations;
    private final byte[] salt;
    private final byte[] hash;

    private PasswordHash(int iterations, byte[] salt, byte[] hash) {
        this.iterations = iterations;
        this.salt = salt;
        this.hash = hash;
    }

    /// Hashes a new password.
    ///
    /// @param random the source of the salt
    public static PasswordHash of(String password, int iterations, SecureRandom random) {
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        return new PasswordHash(iterations, salt, derive(password, salt, iterations));
    }

    /// Returns a hash of no password, for names that do not exist.
    public static PasswordHash decoy(int iterations) {
        return new PasswordHash(iterations, new byte[SALT_BYTES], new byte[HASH_BYTES]);
    }

    /// Parses the text of a hash.
    ///
    /// @return null if it is not such a text
    public static @Nullable PasswordHash parse(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length != 4 || !parts[0].equals(SCHEME) || !parts[1].matches("[0-9]{1,8}")) {
            return null;
        }
        int iterations = Integer.parseInt(parts[1]);
        byte[] salt;
        byte[] hash;
        try {
            salt = Base64.getDecoder().decode(parts[2]);
            hash = Base64.getDecoder().decode(parts[3]);
        } catch (IllegalArgumentException e) {
            return null;
        }
        boolean sane =
                iterations >= ITERATIONS_MIN
                        && iterations <= ITERATIONS_MAX
                        && salt.length >= SALT_BYTES_MIN
                        && hash.length == HASH_BYTES;
        return sane ? new PasswordHash(iterations, salt, hash) : null;
    }

    /// Returns the text that [#parse] reads.
    public String text() {
        Base64.Encoder base64 = Base64.getEncoder();
        return SCHEME
                + ":"
                + iterations
                + ":"
                + base64.encodeToString(salt)
                + ":"
                + base64.encodeToString(hash);
    }

    /// Returns the number of iterations, which decides how long a check takes.
    public int iterations() {
        return iterations;
    }

    @Override
    public boolean matches(String password) {
        byte[] other = derive(password, salt, iterations);
        return MessageDigest.isEqual(hash, other); // in constant time
    }

    /// Returns the hash. The JDK encodes the characters as UTF-8.
    private static byte[] derive(String password, byte[] salt, int iterations) {
        // An HMAC needs a key that is not empty. No hash is made of an empty password.
        char[] characters = password.isEmpty() ? new char[] {0} : password.toCharArray();
        PBEKeySpec spec = new PBEKeySpec(characters, salt, iterations, HASH_BYTES * 8);
        try {
            return SecretKeyFactory.getInstance(ALGORITHM).generateSecret(spec).getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This JDK has no " + ALGORITHM, e);
        } finally {
            spec.clearPassword();
        }
    }

    /// Does not show the hash, because logs must not.
    @Override
    public String toString() {
        return SCHEME + " with " + iterations + " iterations";
    }
}
