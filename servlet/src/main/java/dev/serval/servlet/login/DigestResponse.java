package dev.serval.servlet.login;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a client sends in a field Authorization with the scheme Digest (RFC 7616 §3.4). Immutable.
///
/// @param uri the target that the client has asked for
/// @param nonceCount how often the client has used the nonce
record DigestResponse(
        String name,
        String realm,
        String nonce,
        String uri,
        String response,
        String clientNonce,
        String countText,
        long nonceCount,
        String opaque) {
    private static final int COUNT_DIGITS = 8;
    private static final String ALGORITHM = DigestAlgorithm.SHA_256.text();

    /// Parses the value of the field.
    ///
    /// @return null if it has another scheme, is malformed or incomplete, or has another algorithm
    ///     or quality of protection than the challenge offers
    static @Nullable DigestResponse parse(String field) {
        @Nullable Map<String, String> all = AuthParameters.parse(field, "Digest");
        if (all == null
                || !ALGORITHM.equalsIgnoreCase(all.get("algorithm"))
                || !"auth".equalsIgnoreCase(all.get("qop"))
                || "true".equalsIgnoreCase(all.getOrDefault("userhash", "false"))) {
            return null;
        }
        @Nullable String name = name(all);
        @Nullable String count = all.get("nc");
        if (name == null || count == null || !isCount(count)) {
            return null;
        }
        for (String needed : new String[] {"realm", "nonce", "uri", "response", "cnonce"}) {
            if (!all.containsKey(needed)) {
                return null;
            }
        }
        return new DigestResponse(
                name,
                utf8(all.getOrDefault("realm", "")),
                all.getOrDefault("nonce", ""),
                all.getOrDefault("uri", ""),
                all.getOrDefault("response", ""),
                utf8(all.getOrDefault("cnonce", "")),
                count,
                Long.parseLong(count, 16),
                all.getOrDefault("opaque", ""));
    }

    private static boolean isCount(String text) {
        return text.length() == COUNT_DIGITS
                && text.chars().allMatch(c -> c < 128 && Character.digit(c, 16) >= 0);
    }

    /// Returns the user's name: of `username*` (RFC 8187 §3.2) or of `username`, not both.
    private static @Nullable String name(Map<String, String> all) {
        @Nullable String plain = all.get("username");
        @Nullable String extended = all.get("username*");
        if (extended == null || plain != null) {
            return extended == null && plain != null ? utf8(plain) : null;
        }
        String prefix = "utf-8''";
        return extended.regionMatches(true, 0, prefix, 0, prefix.length())
                ? decoded(extended.substring(prefix.length()))
                : null;
    }

    /// Decodes a field's value, which is ISO-8859-1 on the way, as the challenge asks (§3.9.2: the
    /// charset is UTF-8).
    private static String utf8(String text) {
        return new String(text.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    private static @Nullable String decoded(String text) {
        ByteBuffer bytes = ByteBuffer.allocate(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%') {
                int high = i + 2 < text.length() ? Character.digit(text.charAt(i + 1), 16) : -1;
                int low = i + 2 < text.length() ? Character.digit(text.charAt(i + 2), 16) : -1;
                if ((high | low) < 0) {
                    return null;
                }
                bytes.put((byte) (high << 4 | low));
                i += 2;
            } else {
                bytes.put((byte) c);
            }
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    /// Returns the response that a client with the password computes (§3.4.1).
    ///
    /// @param secret the hash of name, realm and password
    String expected(DigestAlgorithm algorithm, String secret, String method) {
        return algorithm.hash(
                String.join(
                        ":",
                        secret,
                        nonce,
                        countText,
                        clientNonce,
                        "auth",
                        algorithm.hash(method + ":" + uri)));
    }

    /// Does not show the response, because logs must not.
    @Override
    public String toString() {
        return "Digest response of " + name;
    }
}
