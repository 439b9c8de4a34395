package dev.serval.examples.shop.store;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/// Hashes of passwords, by PBKDF2 with HMAC-SHA-256: `pbkdf2$ROUNDS$SALT$HASH`. Each names its rounds,
/// so that hashes of another setting stay valid. May be used by any thread.
public final class PasswordHash {
    private static final int SALT_BYTES = 16;
    private static final int HASH_BITS = 256;
    private static final Pattern FORM =
            Pattern.compile("pbkdf2\\$(\\d{1,8})\\$([0-9a-f]+)\\$([0-9a-f]+)");

    private final int rounds;
    private final SecureRandom random = new SecureRandom();

    /// @param rounds of new hashes
    public PasswordHash(int rounds) {
        this.rounds = rounds;
    }

    /// Returns a new hash of a password.
    public String of(String password) {
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        HexFormat hex = HexFormat.of();
        return "pbkdf2$"
                + rounds
                + "$"
                + hex.formatHex(salt)
                + "$"
                + hex.formatHex(derived(password, salt, rounds));
    }

    /// Returns a hash of no known password. It takes as long to compare as one of [#of].
    String ofNobody() {
        return "pbkdf2$"
                + rounds
                + "$"
                + "0".repeat(2 * SALT_BYTES)
                + "$"
                + "0".repeat(HASH_BITS / 4);
    }

    /// Returns whether a hash is of that password.
    public static boolean matches(String hash, String password) {
        Matcher parts = FORM.matcher(hash);
        if (!parts.matches()) {
            return false;
        }
        HexFormat hex = HexFormat.of();
        byte[] expected = hex.parseHex(parts.group(3));
        byte[] salt = hex.parseHex(parts.group(2));
        return MessageDigest.isEqual(
                expected, derived(password, salt, Integer.parseInt(parts.group(1))));
    }

    private static byte[] derived(String password, byte[] salt, int rounds) {
        try {
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(new PBEKeySpec(password.toCharArray(), salt, rounds, HASH_BITS))
                    .getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("The JDK has no PBKDF2", e);
        }
    }
}
