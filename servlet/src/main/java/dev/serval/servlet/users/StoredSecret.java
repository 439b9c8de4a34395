package dev.serval.servlet.users;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The hash of a password, and for DIGEST the hash of a realm, as a users file or a database keeps
/// them. A blank separates the two. Immutable.
///
/// ```
/// pbkdf2-sha256:600000:SALT:HASH digest-sha256:shop:64 HEXADECIMAL DIGITS
/// ```
///
/// @param digestRealm the realm of `digestHash`; null without one
/// @param digestHash the SHA-256 hash of name, realm and password
record StoredSecret(
        PasswordHash password, @Nullable String digestRealm, @Nullable String digestHash)
        implements Secret {
    private static final String DIGEST = "digest-sha256:";
    private static final String DIGEST_ALGORITHM = "SHA-256";
    private static final int HEX_CHARS = 64;

    /// Parses the text of both hashes, or of the first one.
    ///
    /// @return null if it is not such a text
    static @Nullable StoredSecret parse(String text) {
        String[] parts = text.strip().split("[ \t]+", -1);
        @Nullable PasswordHash hash = PasswordHash.parse(parts[0]);
        if (hash == null || parts.length > 2) {
            return null;
        }
        StoredSecret plain = new StoredSecret(hash, null, null);
        return parts.length == 1 ? plain : plain.withDigest(parts[1]);
    }

    /// Returns this secret with a hash for DIGEST; null if the text is not that of one.
    @Nullable StoredSecret withDigest(String text) {
        int colon = text.lastIndexOf(':');
        if (!text.startsWith(DIGEST) || colon < DIGEST.length()) {
            return null;
        }
        String hex = text.substring(colon + 1);
        if (hex.length() != HEX_CHARS || !hex.matches("[0-9a-f]+")) {
            return null;
        }
        try {
            String realm = text.substring(DIGEST.length(), colon);
            return new StoredSecret(
                    password, URLDecoder.decode(realm, StandardCharsets.UTF_8), hex);
        } catch (IllegalArgumentException e) {
            return null; // the realm is not encoded as it should be
        }
    }

    /// Returns the text that [#parse] reads.
    String text() {
        return digestRealm == null
                ? password.text()
                : password.text()
                        + " "
                        + DIGEST
                        + URLEncoder.encode(digestRealm, StandardCharsets.UTF_8)
                        + ":"
                        + digestHash;
    }

    @Override
    public boolean matches(String other) {
        return password.matches(other);
    }

    @Override
    public @Nullable String digest(String user, String realm, String algorithm) {
        return realm.equals(digestRealm) && algorithm.equals(DIGEST_ALGORITHM) ? digestHash : null;
    }

    /// Does not show the hashes, because logs must not.
    @Override
    public String toString() {
        return String.valueOf(password);
    }
}
