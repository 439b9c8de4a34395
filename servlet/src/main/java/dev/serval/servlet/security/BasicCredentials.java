package dev.serval.servlet.security;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// The name and the password of a field Authorization with the scheme Basic (RFC 7617 §2).
record BasicCredentials(String name, String password) {
    private static final String SCHEME = "Basic ";

    /// Parses the value of the field. The charset is UTF-8, as the challenge says (§2.1).
    ///
    /// @return null if it has another scheme or is malformed
    static @Nullable BasicCredentials parse(String field) {
        if (!field.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return null;
        }
        String text;
        try {
            byte[] bytes = Base64.getDecoder().decode(field.substring(SCHEME.length()).strip());
            text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (IllegalArgumentException | CharacterCodingException e) {
            return null;
        }
        int colon = text.indexOf(':');
        if (colon < 0 || text.chars().anyMatch(Character::isISOControl)) {
            return null; // a name has no colon, and neither has a control character
        }
        return new BasicCredentials(text.substring(0, colon), text.substring(colon + 1));
    }

    /// Does not show the password, because logs must not.
    @Override
    public String toString() {
        return "Basic credentials of " + name;
    }
}
