package dev.serval.servlet.vault;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// The name of a stored session: 128 bits of the SHA-256 of its id. So a list of files, a table's
/// index or a log shows no id that a client could send. Immutable.
///
/// @param high the first 64 bits
/// @param low the others
public record SessionKey(long high, long low) {
    private static final int HEX_LENGTH = 32;

    /// Returns the key of a session id.
    public static SessionKey of(String id) {
        ByteBuffer hash = ByteBuffer.wrap(sha256(id.getBytes(StandardCharsets.UTF_8)));
        return new SessionKey(hash.getLong(), hash.getLong());
    }

    /// Returns whether the text is that of a key.
    static boolean isHex(String text) {
        return text.length() == HEX_LENGTH && text.chars().allMatch(SessionKey::isDigit);
    }

    private static boolean isDigit(int c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    }

    /// Returns the key with the text of [#hex].
    static SessionKey ofHex(String text) {
        return new SessionKey(
                HexFormat.fromHexDigitsToLong(text, 0, HEX_LENGTH / 2),
                HexFormat.fromHexDigitsToLong(text, HEX_LENGTH / 2, HEX_LENGTH));
    }

    /// Returns 32 hexadecimal digits.
    public String hex() {
        return HexFormat.of().toHexDigits(high) + HexFormat.of().toHexDigits(low);
    }

    /// Returns the SHA-256 of a session's content, to find out whether it has changed.
    public static byte[] digest(byte[] content) {
        return sha256(content);
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java has no SHA-256, which every Java has", e);
        }
    }
}
