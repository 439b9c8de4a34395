package dev.serval.servlet.security;

import dev.serval.servlet.request.ServletExchange;
import dev.serval.servlet.users.Account;
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
        CredentialCache.Key key = verifier.key(field);
        @Nullable Account known = verifier.remembered(key);
        if (known != null) {
            return Answers.isAccepted(exchange, new Verdict.Accepted(known), SCHEME);
        }
        @Nullable BasicCredentials sent = BasicCredentials.parse(field);
        if (sent == null) {
            Answers.challenge(response, challenge);
            return false;
        }
        String address = exchange.request().getRemoteAddr();
        Verdict verdict = verifier.verify(key, sent.name(), sent.password(), address);
        if (Answers.isAccepted(exchange, verdict, SCHEME)) {
            return true;
        }
        if (!Answers.refused(verdict, response)) {
            Answers.challenge(response, challenge);
        }
        return false;
    }
}
