package dev.serval.servlet.security;

import dev.serval.servlet.request.Identity;
import dev.serval.servlet.request.ServletExchange;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// BASIC: the client sends name and password with each request (RFC 7617).
final class BasicLogin implements Authenticator {
    static final String SCHEME = "BASIC";

    private final Verifier verifier;
    private final String challenge;

    BasicLogin(Verifier verifier, String realm) {
        this.verifier = verifier;
        this.challenge = "Basic realm=" + Answers.quoted(realm) + ", charset=\"UTF-8\"";
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
        @Nullable BasicCredentials sent = BasicCredentials.parse(field);
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
}
