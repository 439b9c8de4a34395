package dev.serval.servlet.login;

import dev.serval.servlet.password.KeyedHash;
import dev.serval.servlet.password.Verdict;
import dev.serval.servlet.password.Verifier;
import dev.serval.servlet.request.Identity;
import dev.serval.servlet.request.ServletExchange;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// BASIC: the client sends name and password with each request (RFC 7617).
public final class BasicLogin implements Authenticator {
    public static final String SCHEME = "BASIC";

    private final Verifier verifier;
    private final String challenge;

    public BasicLogin(Verifier verifier, String realm) {
        this.verifier = verifier;
        this.challenge = challenge(realm);
    }

    /// Returns the value of WWW-Authenticate for a realm.
    public static String challenge(String realm) {
        return "Basic realm=" + Answers.quoted(realm) + ", charset=\"UTF-8\"";
    }

    @Override
    public String scheme() {
        return SCHEME;
    }

    @Override
    public boolean authenticate(
            ServletExchange exchange, HttpServletResponse response, boolean protects)
            throws IOException {
        @Nullable String field = Answers.credentials(exchange, verifier.limits());
        if (field == null) {
            Answers.challenge(response, challenge);
            return false;
        }
        KeyedHash.Value key = verifier.key(field);
        @Nullable Identity known = verifier.remembered(key);
        if (known != null) {
            Answers.accept(exchange, known);
            return true;
        }
        @Nullable Credentials sent = Credentials.parse(field);
        if (sent == null) {
            Answers.challenge(response, challenge);
            return false;
        }
        String address = exchange.request().getRemoteAddr();
        long version = verifier.version(); // before the check
        Verdict verdict = verifier.verify(sent.name(), sent.password(), address);
        @Nullable Identity user = Answers.identity(verdict, SCHEME);
        if (user != null) {
            verifier.remember(key, user, version);
            Answers.accept(exchange, user);
            return true;
        }
        if (!Answers.refused(verdict, response)) {
            Answers.challenge(response, challenge);
        }
        return false;
    }

    /// The name and the password of a field Authorization with the scheme Basic (RFC 7617 §2).
    public record Credentials(String name, String password) {
        private static final String PREFIX = "Basic ";

        /// Parses the value of the field. The charset is UTF-8, as the challenge says (§2.1).
        ///
        /// @return null if it has another scheme or is malformed
        public static @Nullable Credentials parse(String field) {
            if (!field.regionMatches(true, 0, PREFIX, 0, PREFIX.length())) {
                return null;
            }
            String text;
            try {
                byte[] bytes = Base64.getDecoder().decode(field.substring(PREFIX.length()).strip());
                text =
                        StandardCharsets.UTF_8
                                .newDecoder()
                                .decode(ByteBuffer.wrap(bytes))
                                .toString();
            } catch (IllegalArgumentException | CharacterCodingException e) {
                return null;
            }
            int colon = text.indexOf(':');
            if (colon < 0 || text.chars().anyMatch(Character::isISOControl)) {
                return null; // a name has no colon, and neither has a control character
            }
            return new Credentials(text.substring(0, colon), text.substring(colon + 1));
        }

        /// Does not show the password, because logs must not.
        @Override
        public String toString() {
            return "Basic credentials of " + name;
        }
    }
}
