package dev.serval.servlet.users;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// A password in memory, as code has set it. Immutable.
public final class PlainSecret implements Secret {
    private final String password;

    /// Creates a secret.
    public PlainSecret(String password) {
        this.password = password;
    }

    @Override
    public boolean matches(String other) {
        // Of the hashes, so that the time does not tell the length.
        return MessageDigest.isEqual(hash("SHA-256", password), hash("SHA-256", other));
    }

    static byte[] hash(String algorithm, String text) {
        try {
            return MessageDigest.getInstance(algorithm)
                    .digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This JDK has no " + algorithm, e);
        }
    }

    @Override
    public @Nullable String digest(String name, String realm, String algorithm) {
        return HexFormat.of().formatHex(hash(algorithm, name + ":" + realm + ":" + password));
    }

    /// Does not show the password, because logs must not.
    @Override
    public String toString() {
        return "a password";
    }
}
